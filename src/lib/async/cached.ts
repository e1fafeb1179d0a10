/** What is read from the browser's storage once, and known from then on: only one worker lives at a time. A read that failed is tried again. */
export function cached<Value>(load: () => Promise<Value>) {
  let known: Promise<Value> | undefined
  return {
    get(): Promise<Value> {
      if (known !== undefined) return known
      const read = load().catch((error) => {
        // What was set meanwhile, or is read anew, has not failed.
        if (known === read) known = undefined
        throw error
      })
      known = read
      return read
    },
    set(value: Value): void {
      known = Promise.resolve(value)
    },
    /** It is read again when it is wanted next. */
    forget(): void {
      known = undefined
    },
  }
}
