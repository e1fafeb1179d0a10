/** A promise settled from outside. */
export type Deferred = {
  over: Promise<void>
  isOver(): boolean
  end(): void
  fail(error: unknown): void
}

export function createDeferred(): Deferred {
  let isOver = false
  let resolve = () => {}
  let reject: (error: unknown) => void = () => {}
  const over = new Promise<void>((well, badly) => {
    resolve = well
    reject = badly
  })
  return {
    over,
    isOver: () => isOver,
    end() {
      isOver = true
      resolve()
    },
    fail(error) {
      isOver = true
      reject(error)
    },
  }
}
