import { describe, expect, it } from 'vitest'
import { pollDelay } from '../../../src/background/transactions/queue.ts'

describe('pollDelay', () => {
  it('polls the local chain every half second, then every second, and every 15 after 70 polls', () => {
    expect([0, 19, 20, 69, 70].map((looks) => pollDelay(31337, looks))).toEqual([
      500, 500, 1_000, 1_000, 15_000,
    ])
  })

  it('polls chains with short blocks every second for ten seconds, then every two', () => {
    expect([0, 9, 10, 29, 30, 50].map((looks) => pollDelay(8453, looks))).toEqual([
      1_000, 1_000, 2_000, 2_000, 15_000, 30_000,
    ])
  })

  it('polls Ethereum after 5, 3, then 2 seconds, and slows down to 15 and 30 seconds', () => {
    expect([0, 1, 2, 29, 30, 50].map((looks) => pollDelay(1, looks))).toEqual([
      5_000, 3_000, 2_000, 2_000, 15_000, 30_000,
    ])
  })
})
