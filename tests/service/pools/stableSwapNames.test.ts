import { encodeAbiParameters, type Hex, pad, parseAbiParameters, toFunctionSelector, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address, Factory } from '../../../service/config.ts'
import type { Call, Chain, Log } from '../../../service/indexer/chain.ts'
import { createIsolatedReader } from '../../../service/indexer/isolatedReads.ts'
import { curveFactory, curveNg } from '../../../service/pools/stableSwap/stableSwapTypes.ts'

const addressAt = (index: number): Address => pad(toHex(0xa0_0000 + index), { size: 20 })
const [factory, coinA, coinB, odd] = [1, 2, 3, 4].map(addressAt) as [Address, Address, Address, Address]
const pools = [10, 11, 12].map(addressAt) as [Address, Address, Address]
const block = 1_000n

const word = (value: bigint | number | Address) => pad(toHex(BigInt(value)), { size: 32 })
const list = (values: readonly bigint[]) => encodeAbiParameters(parseAbiParameters('uint256[]'), [values])
const selector = (signature: string) => toFunctionSelector(`function ${signature}`)

/** `names` is what the factory answers for its pools in order. */
function fakeFactory(names: readonly Hex[]) {
  const asked: Call[] = []

  function answer({ to, data }: Call): Hex {
    const argument = data.length > 10 ? BigInt(`0x${data.slice(10, 74)}`) : 0n
    switch (data.slice(0, 10)) {
      case selector('pool_count()'):
        return word(names.length)
      case selector('pool_list(uint256)'):
        return names[Number(argument)] ?? '0x'
      case selector('get_coins(address)'):
        return pools.some((pool) => BigInt(pool) === argument) ? list([coinA, coinB].map(BigInt)) : '0x'
      case selector('coins(uint256)'):
        // Of the last pool the second one is no address.
        if (to === pools[2] && argument === 1n) return word(2n ** 200n)
        return argument < 2n ? word(argument === 0n ? coinA : coinB) : '0x'
      case selector('get_pool_asset_types(address)'):
        return list([0n, 0n])
      case selector('get_decimals(address)'):
        return list([18n, 6n])
      default:
        return '0x'
    }
  }

  const readIsolated: Chain['readIsolated'] = async (lists) => {
    // The factory tells the decimals of tokens.
    asked.push(...lists.flat().filter((call) => 'to' in call))
    return lists.map((calls) => calls.map((call) => ('to' in call ? answer(call) : '0x')))
  }
  const read: Chain['read'] = async (lists, at) => {
    if (at !== block) throw new Error('The node has no archive.')
    return lists.map((calls) => calls.map(answer))
  }
  return { chain: { read, readIsolated } as Chain, asked }
}

describe.each([
  ['curve-ng', curveNg],
  ['curve-factory', curveFactory],
] as const)('the pools that a factory of kind %s names', (kind, type) => {
  const config: Factory = { kind, source: 'CURVE', title: 'Curve', address: factory, feePpm: 0, fromBlock: 0 }
  const log = { address: factory, args: { coins: [coinA, coinB] }, blockNumber: block } as unknown as Log

  it('are listed without those that the factory does not tell, or not as addresses', async () => {
    const names: Hex[] = ['0x', word(pools[0]), word(0), word(2n ** 160n), word(pools[1])]
    const { chain, asked } = fakeFactory(names)
    const listed = await type.list(chain, block, [log], config, odd)
    expect(listed.map(({ address }) => address)).toEqual([pools[0], pools[1]])
    expect(asked.filter(({ to }) => to.length !== 42)).toEqual([])
  })

  it('are listed without those that name something else for a token', async () => {
    const { chain, asked } = fakeFactory([word(pools[0]), word(pools[2])])
    const listed = await type.list(chain, block, [log], config, odd)
    expect(listed.map(({ address }) => address)).toEqual([pools[0]])
    expect(asked.filter(({ to }) => to.length !== 42)).toEqual([])
  })
})

it('isolated reads reject a call to no address, whose bytes would be those of the next list', async () => {
  const sent: string[] = []
  const read = createIsolatedReader(
    async () => {
      sent.push('code')
      return '0x01'
    },
    async () => {
      sent.push('calls')
      return []
    },
  )
  const lists = ['0x', coinA].map((to) => [{ to: to as Address, data: '0x12345678' as Hex }])
  await expect(read(lists, block)).rejects.toThrow('is no address to call')
  expect(sent).toEqual([])
})
