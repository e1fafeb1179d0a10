/**
 * Prevents prototype pollution by a hostile library or a merged __proto__ key; such writes throw in strict
 * code. Runs after imports were loaded.
 */
export function freezePrototypes(): void {
  Object.freeze(Object.prototype)
  Object.freeze(Array.prototype)
}
