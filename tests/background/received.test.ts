import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { receivedBy } from '../../src/background/received.ts'
import type { Receipt } from '../../src/chain/answers.ts'
import { type Address, type Hex, native } from '../../src/domain/token.ts'

describe('receivedBy', () => {
  const account: Address = '0xa11ce00000000000000000000000000000000001'
  const router: Address = '0x1111111254eeb25477b68fb85ed929f73a960582'
  const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
  const intent = {
    id: '00'.repeat(16),
    account,
    trade: { chainId: 31337, sell: router, buy: weth, amount: 1n },
    slippageBps: 50,
    floor: 90n,
    router,
    feeCap: 1n,
  }
  const event = parseAbi([
    'event Swapped(address indexed sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
    'event Transfer(address indexed from, address indexed to, uint256 value)',
  ])
  const swapped = (returned: bigint, sender: Address = account) => ({
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
      [router, weth, account, 1n, returned],
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
    logs,
  })

  it('believes the router first', () => {
    expect(receivedBy(intent, receipt([transfer(100n), swapped(99n)]))).toBe(99n)
  })

  it('does not believe another contract or somebody else’s swap', () => {
    const elsewhere = { ...swapped(1_000n), address: weth }
    const logs = [elsewhere, swapped(500n, router), transfer(100n), transfer(7n, router)]
    expect(receivedBy(intent, receipt(logs))).toBe(100n)
  })

  it('knows the floor at least when a router says nothing of native coins', () => {
    const coins = { ...intent, trade: { ...intent.trade, buy: native } }
    expect(receivedBy(coins, receipt([transfer(100n, router)]))).toBe(90n)
    expect(receivedBy(coins, receipt([swapped(95n)]))).toBe(95n)
  })

  it('reads past logs that are no events of the router', () => {
    const odd = { address: router, topics: [], data: '0x' as Hex }
    expect(receivedBy(intent, receipt([odd, transfer(100n)]))).toBe(100n)
  })
})
