import { afterAll, beforeAll } from 'vitest'

/** Runs polls 100 times faster. Deadlines stay. */
export function hurryPolls(): void {
  const { setTimeout: unhurried } = globalThis
  beforeAll(() => {
    const hurried = (action: () => void, ms?: number, ...rest: []) =>
      unhurried(action, ms === 500 || ms === 1_000 ? ms / 100 : ms, ...rest)
    globalThis.setTimeout = Object.assign(hurried, unhurried) as typeof setTimeout
  })
  afterAll(() => {
    globalThis.setTimeout = unhurried
  })
}
