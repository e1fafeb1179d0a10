import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { broughtBy } from '../../../src/background/journal/received.ts'
import type { Receipt } from '../../../src/chain/answers.ts'
import { type Address, type Hex, native } from '../../../src/domain/token/token.ts'

/** What a block did to an account, by a node that knows it. */
const node = (grown: bigint, sent = 1) => ({
  inBlock: async () => ({ grown, sent }),
})
const silent = { inBlock: () => Promise.reject(new Error('The block is forgotten.')) }

describe('broughtBy', () => {
  const account: Address = '0xa11ce00000000000000000000000000000000001'
  const router: Address = '0x1111111254eeb25477b68fb85ed929f73a960582'
  const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
  const intent = {
    id: '00'.repeat(16),
    account,
    trade: { chainId: 31337, sell: `0x${'5e'.repeat(20)}` as Address, buy: weth, amount: 1n },
    slippageBps: 50,
    shown: { returns: 108n, networkFee: 0n },
    floor: 90n,
    router,
    feeCap: 1n,
  }
  const event = parseAbi([
    'event Swapped(address indexed sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
    'event Transfer(address indexed from, address indexed to, uint256 value)',
  ])
  const swapped = (returned: bigint, sender: Address = account, spent = 1n) => ({
    address: router,
    topics: encodeEventTopics({ abi: event, eventName: 'Swapped', args: { sender } }) as Hex[],
    data: encodeAbiParameters(
      [
        { type: 'address' },
        { type: 'address' },
        { type: 'address' },
        { type: 'uint256' },
        { type: 'uint256' },
      ],
      [router, weth, account, spent, returned],
    ),
  })
  const transfer = (value: bigint, to: Address = account) => ({
    address: weth,
    topics: encodeEventTopics({ abi: event, eventName: 'Transfer', args: { from: router, to } }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  })
  const receipt = (logs: Receipt['logs']): Receipt => ({
    status: 'success',
    blockNumber: 1n,
    gasUsed: 1n,
    effectiveGasPrice: 1n,
    isAgreed: true,
    logs,
  })

  it('believes the router first', async () => {
    expect(await broughtBy(intent, receipt([transfer(100n), swapped(99n)]), silent)).toEqual({
      received: 99n,
    })
  })

  it('does not believe another contract or somebody else’s swap', async () => {
    const elsewhere = { ...swapped(1_000n), address: weth }
    const logs = [elsewhere, swapped(500n, router), transfer(100n), transfer(7n, router)]
    expect(await broughtBy(intent, receipt(logs), silent)).toEqual({ received: 100n })
  })

  const coins = { ...intent, trade: { ...intent.trade, buy: native } }

  it('counts the coins that the block brought, with the fee that the account paid', async () => {
    const mined = { ...receipt([transfer(100n, router)]), gasUsed: 3n, effectiveGasPrice: 2n, l1Fee: 5n }
    expect(await broughtBy(coins, mined, node(96n))).toEqual({ received: 107n })
    expect(await broughtBy({ ...coins, receiver: router }, mined, node(96n, 0))).toEqual({ received: 96n })
    expect(await broughtBy(coins, receipt([swapped(95n)]), silent)).toEqual({ received: 95n })
  })

  it('knows the floor at least where nobody can tell what coins came', async () => {
    const least = { received: 90n, isLeast: true }
    expect(await broughtBy(coins, receipt([]), silent)).toEqual(least)
    // Something else of the account's is in the block.
    expect(await broughtBy(coins, receipt([]), node(500n, 2))).toEqual(least)
    expect(await broughtBy({ ...coins, receiver: router }, receipt([]), node(500n, 1))).toEqual(least)
    expect(await broughtBy(coins, receipt([]), node(20n))).toEqual(least)
    // Somebody else paid the account in the same block.
    expect(await broughtBy(coins, receipt([]), node(5_000n))).toEqual(least)
  })

  it('reads past logs that are no events of the router', async () => {
    const odd = { address: router, topics: [], data: '0x' as Hex }
    expect(await broughtBy(intent, receipt([odd, transfer(100n)]), silent)).toEqual({ received: 100n })
  })

  it('tells what was spent where that is less than the amount', async () => {
    const partly = { ...intent, allowPartialFill: true, trade: { ...intent.trade, amount: 4n } }
    expect(await broughtBy(partly, receipt([swapped(95n, account, 3n)]), silent)).toEqual({
      received: 95n,
      spent: 3n,
    })
    expect(await broughtBy(partly, receipt([swapped(95n, account, 4n)]), silent)).toEqual({ received: 95n })
  })

  it('counts what came to somebody else who was named', async () => {
    const friend: Address = `0x${'f1'.repeat(20)}`
    const logs = [transfer(7n), transfer(100n, friend)]
    expect(await broughtBy({ ...intent, receiver: friend }, receipt(logs), silent)).toEqual({
      received: 100n,
    })
  })

  it('knows what wrapping brings, which writes no transfer', async () => {
    const wrap = { ...intent, router: weth, trade: { ...intent.trade, sell: native, amount: 5n } }
    expect(await broughtBy(wrap, receipt([]), silent)).toEqual({ received: 5n })
    const unwrap = { ...wrap, trade: { ...wrap.trade, sell: weth, buy: native } }
    expect(await broughtBy(unwrap, receipt([]), silent)).toEqual({ received: 5n })
  })
})
