import { expect, it } from 'vitest'
import { chooseSplit } from '../../../src/api/direct/chooseSplit.ts'
import type { PathQuotes, QuotedPath } from '../../../src/api/direct/pathQuoter.ts'

/** Returns less for each further tenth. */
const path = (gas: bigint, worth: bigint): QuotedPath => ({
  tokens: ['0x01', '0x02'],
  fees: [500],
  gas,
  returned: Array.from({ length: 10 }, (_, index) => worth * BigInt(index + 1) - BigInt(index) ** 3n),
})

const quotes: PathQuotes = {
  paths: [path(200_000n, 1_010n), path(90_000n, 1_000n)],
  unitReturns: 1n,
  time: 0n,
}
const choose = (gasLimit?: number) =>
  chooseSplit(quotes, 1_000n, 1n, { isSold: false, isBought: false }, gasLimit)

it('splits over both paths without a gas limit', () => {
  expect(choose()?.legs.map(({ path }) => path.gas)).toEqual([200_000n, 90_000n])
})

it('chooses the best split within the gas limit', () => {
  const both = choose()!
  expect(choose(Number(both.gas))).toEqual(both)
  const one = choose(Number(both.gas) - 1)!
  expect(one.legs.map(({ path }) => path.gas)).toEqual([200_000n])
  // Every split uses the best path.
  expect(choose(Number(one.gas) - 1)).toBeUndefined()
})
