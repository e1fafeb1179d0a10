/**
 * Initialized ticks of a pool that is traded. Anyone can make more, which would take too long to read, to
 * store and to search.
 */
export const maxTicks = 20_000
