/** Returns a function that resolves one caller per event-loop turn, in order, so that I/O runs in between. */
export function createYielder(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    const mine = last
    last = mine.then(() => new Promise((resolve) => setImmediate(resolve)))
    return mine
  }
}
