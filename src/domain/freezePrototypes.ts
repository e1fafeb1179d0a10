/**
 * From here on nobody gives every object, or every list, a property that it never had: what a hostile library tries, or a key called
 * __proto__ that somebody merges, comes to nothing, and throws in strict code. The first thing that our own code does; what it imports was loaded before.
 */
export function freezePrototypes(): void {
  Object.freeze(Object.prototype)
  Object.freeze(Array.prototype)
}
