import { describe, expect, it } from 'vitest'
import { verifySwapCalldata } from '../../../src/background/swap/verifyCalldata.ts'
import type { SwapTransaction, Trade } from '../../../src/domain/swap/quote.ts'
import type { CalldataTerms, SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import recorded from './recorded.json' with { type: 'json' }

// Real calls of the public router on Ethereum, from the ERC-7730 registry.

const publicRouter: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
const ours: Address = '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3'
const stranger: Address = '0xbad0000000000000000000000000000000000002'
const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
const usdc: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'

const swaps = recorded.swaps.map(({ name, agreed, from, value, data, to }) => {
  const agreement: SwapExpectations = {
    account: from as Address,
    // Short entry points name no bought token.
    trade: tradeOf(agreed.sell, agreed.buy ?? usdc, agreed.amount),
    floor: BigInt(agreed.floor),
    router: publicRouter,
    ...(agreed.receiver !== undefined && { receiver: agreed.receiver as Address }),
  }
  return {
    name,
    isBinding: agreed.buy !== undefined,
    agreement,
    transaction: sent({ from, to, value, data }, agreement.trade),
  }
})
type Recorded = (typeof swaps)[number]

function tradeOf(sell: string, buy: string, amount: string): Trade {
  return { chainId: 1, sell: sell as Address, buy: buy as Address, amount: BigInt(amount) }
}

function sent(
  call: { from: string; to: string; value: string; data: string },
  trade: Trade,
): SwapTransaction {
  return {
    trade,
    returns: 1n,
    from: call.from as Address,
    to: call.to as Address,
    data: call.data as Hex,
    value: BigInt(call.value),
    gas: 200_000n,
    route: [],
  }
}

function verdict(
  transaction: SwapTransaction,
  agreement: SwapExpectations,
  { strict }: { strict: boolean },
): CalldataTerms | string {
  try {
    return verifySwapCalldata(transaction, agreement, { strict, isBindingRouter: true, deadlines })
  } catch (error) {
    if (error instanceof WalletError) return error.facts.fact ?? error.code
    throw error
  }
}

/** Its calls have none. */
const deadlines = { after: 0n, before: 0n }
const loose = { strict: false }
const strictly = { strict: true }

describe('recorded swaps of the public router', () => {
  it('covers seven functions', () => {
    expect(swaps.map(({ name }) => name)).toEqual([
      'swap',
      'unoswap',
      'unoswap2',
      'unoswapTo',
      'unoswapTo3',
      'ethUnoswap',
      'ethUnoswap2',
    ])
  })

  it.each(swaps)('accepts a swap with its original terms: $name', ({ isBinding, agreement, transaction }) => {
    const { floor } = agreement
    expect(verdict(transaction, agreement, loose)).toEqual({ floor, isBinding })
    expect(verdict(transaction, agreement, strictly)).toEqual(isBinding ? { floor, isBinding } : 'selector')
    // Terms show the full promise.
    expect(verdict(transaction, { ...agreement, floor: floor - 1n }, loose)).toEqual({ floor, isBinding })
  })

  it.each(swaps)('rejects a swap with any other term: $name', (swap) => {
    for (const [reason, changes] of othersThan(swap)) {
      const found = verdict(swap.transaction, { ...swap.agreement, ...changes }, { strict: swap.isBinding })
      expect([changes, found]).toEqual([changes, reason])
    }
  })

  it('rejects a recipient other than the sender unless it was agreed', () => {
    const forOthers = swaps.filter(({ agreement }) => agreement.receiver !== undefined)
    expect(forOthers.map(({ name }) => name)).toEqual(['unoswapTo', 'unoswapTo3'])
    for (const { agreement, transaction } of forOthers) {
      const { receiver, ...alone } = agreement
      expect(receiver).not.toBe(agreement.account)
      expect(verdict(transaction, alone, loose)).toBe('receiver')
    }
  })

  it.each(swaps)(
    'rejects any flipped bit, except in the route or towards a higher minReturn: $name',
    (swap) => {
      const bytes = Buffer.from(swap.transaction.data.slice(2), 'hex')
      const astray: number[] = []
      for (let bit = 0; bit < 8 * bytes.length; bit++) {
        const turned = Buffer.from(bytes)
        turned[bit >> 3]! ^= 1 << (bit & 7)
        const transaction = { ...swap.transaction, data: `0x${turned.toString('hex')}` as Hex }
        const found = verdict(transaction, swap.agreement, { strict: swap.isBinding })
        const place = placeOf(swap, bytes, bit)
        const isHarmless = place === 'way' || (place === 'floor' && turned.compare(bytes) > 0)
        if ((typeof found === 'object') !== isHarmless) astray.push(bit)
      }
      expect(astray).toEqual([])
    },
  )
})

describe('other recorded calls to the public router', () => {
  it.each(recorded.others)('rejects a call by its selector, under any terms: $name', (call) => {
    const account = call.from as Address
    const agreements = swaps.map(({ agreement }) => ({ ...agreement, account }))
    for (const agreement of [...agreements, withinPermit]) {
      for (const options of [loose, strictly]) {
        const act = () =>
          verifySwapCalldata(
            sent(call, agreement.trade),
            { ...agreement, account },
            { ...options, isBindingRouter: true, deadlines },
          )
        expect(act).toThrow(
          expect.objectContaining({
            code: 'unsafe-transaction',
            facts: { fact: 'selector', expected: '0x07ed2379', found: call.data.slice(0, 10) },
          }),
        )
      }
    }
  })

  it('accepts the swap inside a permit call once it is unwrapped', () => {
    const [call] = recorded.others
    const start = call!.data.indexOf('07ed2379')
    const length = Number.parseInt(call!.data.slice(start - 64, start), 16)
    const data = `0x${call!.data.slice(start, start + 2 * length)}`
    const { floor, trade } = withinPermit
    expect(verdict(sent({ ...call!, data }, trade), withinPermit, strictly)).toEqual({
      floor,
      isBinding: true,
    })
  })

  it.each(recorded.older)(
    'rejects a call of an older router, there and at the current router: $name',
    (call) => {
      const { agreement } = swaps[0]!
      const trade = { ...agreement.trade, chainId: call.chainId }
      const there = sent({ ...call, from: agreement.account }, trade)
      for (const options of [loose, strictly]) {
        expect(verdict(there, { ...agreement, trade }, options)).toBe('router')
        // Pinned, or its calldata sent to the current router.
        expect(verdict(there, { ...agreement, trade, router: there.to }, options)).toBe('selector')
        expect(verdict({ ...there, to: publicRouter }, { ...agreement, trade }, options)).toBe('selector')
      }
    },
  )
})

const withinPermit: SwapExpectations = {
  account: '0x4e367b26d93bcb5e539b2784714f17804959f54f',
  trade: tradeOf(
    '0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf',
    '0xdac17f958d2ee523a2206206994597c13d831ec7',
    '100000',
  ),
  floor: 91_974_567n,
  router: publicRouter,
}

/** Each verified fact, changed, with the expected code. */
function othersThan({ agreement, isBinding }: Recorded): [string, Partial<SwapExpectations>][] {
  const { trade, floor } = agreement
  const sold = trade.sell === nativeTokenAddress ? 'value' : 'amount'
  return [
    ['below-floor', { floor: floor + 1n }],
    [sold, { trade: { ...trade, amount: trade.amount + 1n } }],
    [sold, { trade: { ...trade, amount: trade.amount - 1n } }],
    ['sell', { trade: { ...trade, sell: dai } }],
    ['sell', { trade: { ...trade, sell: trade.sell === nativeTokenAddress ? usdc : nativeTokenAddress } }],
    ['sender', { account: stranger }],
    ['receiver', { receiver: stranger }],
    ['router', { router: stranger }],
    ['chain', { trade: { ...trade, chainId: 31337 }, router: ours }],
    ...(isBinding
      ? ([
          ['buy', { trade: { ...trade, buy: dai } }],
          ['flags', { allowPartialFill: true }],
          ['flags', { permission: { via: 'permit2', amount: trade.amount } }],
        ] satisfies [string, Partial<SwapExpectations>][])
      : []),
  ]
}

/** `way`: executor and route, or pools, and the tag. */
function placeOf({ name, isBinding }: Recorded, bytes: Buffer, bit: number): 'floor' | 'way' | 'rest' {
  const at = bit >> 3
  const word = Math.floor((at - 4) / 32)
  if (isBinding) {
    if (word === 6) return 'floor'
    // Executor and `srcReceiver`; 279 bytes of route, padded to 288, of which 287 could be route; the tag.
    const isAddress = (word === 0 || word === 3) && (at - 4) % 32 >= 12
    const isLonger = bit === 8 * 323 + 3
    return isAddress || isLonger || (at >= 324 && at < 324 + 279) || at >= 324 + 288 ? 'way' : 'rest'
  }
  const pools = Number(name.match(/\d/)?.[0] ?? 1)
  const floor = Math.floor((bytes.length - 4) / 32) - pools - 1
  return word === floor ? 'floor' : word > floor ? 'way' : 'rest'
}
