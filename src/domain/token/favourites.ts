/** So many tokens of a network can be marked. */
export const maxFavourites = 100
