import { describe, expect, it } from 'vitest'
import { pollDelay } from '../../../src/background/transactions/queue.ts'

describe('pollDelay', () => {
  it('looks every second on the local chain, and less often after a minute', () => {
    expect([0, 59, 60].map((looks) => pollDelay(31337, looks))).toEqual([1_000, 1_000, 15_000])
  })

  it('waits 5, 3, 2, then 15, then 30 seconds elsewhere', () => {
    expect([0, 1, 2, 29, 30, 50].map((looks) => pollDelay(1, looks))).toEqual([
      5_000, 3_000, 2_000, 2_000, 15_000, 30_000,
    ])
  })
})
