/** Returns undefined when `use` throws. */
export function tryOrUndefined<Done>(use: () => Done): Done | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
