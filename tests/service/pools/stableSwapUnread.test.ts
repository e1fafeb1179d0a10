import { numberToHex } from 'viem'
import { expect, it } from 'vitest'
import type { Chain } from '../../../service/indexer/chain.ts'
import type { PoolInfo } from '../../../service/pools/poolType.ts'
import { poolTypes } from '../../../service/pools/registry.ts'
import type { StableSwapInfo } from '../../../service/pools/stableSwap/stableSwapPool.ts'

const tokens = [1, 2].map((i) => numberToHex(i, { size: 20 }))
const pool = (hasRates: boolean): PoolInfo<StableSwapInfo> => ({
  ...{ kind: 'curve-factory', source: 'CURVE', address: numberToHex(9, { size: 20 }), tokens },
  fixed: { form: 0, precision: 100, decimals: [18, 18], hasRates, isFloating: false, nativeIndex: -1 },
})

/** Balances, A, future A, fee, admin fee, multiplier, killed, two outputs. */
const numbers = [10n ** 18n, 10n ** 18n, 20_000n, 20_000n, 4_000_000n, 5_000_000_000n, 0n, 0n, 1n, 1n]
const answers = numbers.map((value) => numberToHex(value, { size: 32 }))
const head = { number: 1n, hash: numberToHex(1, { size: 32 }) }

async function read(own: readonly `0x${string}`[], hasRates = false) {
  const chain = { readIsolated: async () => [own] } as unknown as Chain
  const listing = pool(hasRates)
  const [state] = await poolTypes[listing.kind].read(chain, head as never, [
    { listing, before: undefined, logs: [] },
  ])
  expect(poolTypes[listing.kind].isValid(2, listing.fixed, state)).toBe(true)
  return { isUsable: state.isUsable, isRestless: poolTypes[listing.kind].isRestless(state) }
}

const cut = (from: number) => answers.map((answer, i) => (i < from ? answer : ('0x' as const)))

it.each([0, 1, 2, 4, 5])(
  'reads a pool at every block that answered only %i of its questions, and does not trade it',
  async (from) => {
    expect(await read(cut(from))).toEqual({ isUsable: false, isRestless: true })
  },
)

it('reads a pool again that did not tell its rates', async () => {
  expect(await read([...answers, '0x'], true)).toEqual({ isUsable: false, isRestless: true })
})

it('waits for the next event of a pool without optional functions, without outputs, or with odd numbers', async () => {
  const optional = answers.map((answer, i) => ([3, 6, 7].includes(i) ? '0x' : answer))
  const odd = answers.map((answer, i) => (i === 2 ? numberToHex(0, { size: 32 }) : answer))
  for (const own of [answers, optional, cut(8), odd]) {
    expect(await read(own as `0x${string}`[])).toEqual({ isUsable: false, isRestless: false })
  }
})
