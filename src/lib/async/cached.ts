/** Caches a stored value; only one worker runs at a time. Failed reads are retried. */
export function cached<Value>(load: () => Promise<Value>) {
  let known: Promise<Value> | undefined
  return {
    get(): Promise<Value> {
      if (known !== undefined) return known
      const read = load().catch((error) => {
        // Keeps a value set meanwhile.
        if (known === read) known = undefined
        throw error
      })
      known = read
      return read
    },
    set(value: Value): void {
      known = Promise.resolve(value)
    },
    forget(): void {
      known = undefined
    },
  }
}
