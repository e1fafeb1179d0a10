/** So many tokens of a network can be marked. */
export const mostFavourites = 100
