/**
 * Lets those who hold the whole process up do so one after another: resolves for one of them a turn of the event loop, first come,
 * first served. In between, sockets are read and timers run.
 */
export function createYielder(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    const mine = last
    last = mine.then(() => new Promise((resolve) => setImmediate(resolve)))
    return mine
  }
}
