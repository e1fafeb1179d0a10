import { expect, it } from 'vitest'
import { isFreshList } from '../../../src/domain/token/listAge.ts'

const hours = 60 * 60 * 1_000

it('treats a token list as fresh for twelve hours', () => {
  expect(isFreshList(0, 12 * hours - 1)).toBe(true)
  expect(isFreshList(0, 12 * hours)).toBe(false)
})

it('treats a token list from the future as stale', () => {
  expect(isFreshList(1, 0)).toBe(false)
})
