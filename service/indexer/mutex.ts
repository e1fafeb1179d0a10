export type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Creates a mutex: each run begins after the earlier ones. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}
