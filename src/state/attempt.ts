/** What `use` gives, or undefined where it is refused. */
export function tryOrUndefined<Done>(use: () => Done): Done | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}
