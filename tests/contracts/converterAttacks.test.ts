import { encodeFunctionData, parseEther as ether, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buyGem, deposit, hop } from './converters.ts'
import { encodeHops } from './fuzz/ask.ts'
import type { Move } from './fuzz/puppets.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let before: Hex
beforeAll(async () => {
  stage = await openStage()
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

const unlockAbi = parseAbi(['function unlockCallback(bytes) returns (bytes)'])
const depositCue = toFunctionSelector('deposit(uint256,address)')

describe('malicious converters', () => {
  it('take at most what the hop sells, and the sender gets back what they leave', async () => {
    const { USDC, DAI } = stage.tokens
    const puppet = await stage.deploy('Puppet')
    await stage.write(USDC, 'transfer', [puppet, 10n], stage.seller)
    const amount = ether('1')
    const take = (value: bigint): Move => ({
      target: DAI,
      data: stage.encode('transferFrom', [stage.router, puppet, value]),
    })
    const pay = { target: USDC, data: stage.encode('transfer', [stage.seller, 10n]) }
    await stage.teach(puppet, depositCue, [take(amount + 1n), take(amount - 5_000n), take(5_001n), pay])
    const done = await stage.swap({ tokens: [DAI, USDC], hops: [hop(puppet, deposit)], amount })
    expect(done).toMatchObject({ returned: 10n, arrived: 10n, spent: amount, paid: amount - 5_000n })
    expect(await stage.balance(DAI, puppet)).toBe(amount - 5_000n)
  })

  it('are refused every callback and entry of the router while they run', async () => {
    const { USDC, DAI } = stage.tokens
    const puppet = await stage.deploy('Puppet')
    await stage.write(USDC, 'transfer', [puppet, 10n], stage.seller)
    const ask = { tokens: [DAI, USDC], hops: [hop(puppet, deposit)], amount: ether('1') }
    const branch = [0n, puppet, 0n, [DAI, USDC], encodeHops(ask.hops), 9n, 0n]
    const calls: Hex[] = [
      stage.encode('uniswapV3SwapCallback', [1n, 0n, '0x']),
      stage.encode('pancakeV3SwapCallback', [1n, 0n, '0x']),
      encodeFunctionData({ abi: unlockAbi, args: ['0x'] }),
      stage.encode('sellBranch', branch),
      stage.toCall(ask).data!,
    ]
    const moves = calls.map((data) => ({ target: stage.router, data }))
    const pay = { target: USDC, data: stage.encode('transfer', [stage.seller, 10n]) }
    await stage.teach(puppet, depositCue, [...moves, pay])
    const done = await stage.swap(ask)
    expect(done).toMatchObject({ arrived: 10n, paid: 0n, spent: ask.amount })
    const refused = ['NotArmed', puppet]
    expect(await stage.outcomes(puppet)).toEqual([
      refused,
      refused,
      refused,
      ['NotRouter', puppet],
      ['Reentered'],
      undefined,
    ])
  })

  it('revert as peg modules that tell no fee, no factor, or a fee beyond all numbers', async () => {
    const { USDC, DAI } = stage.tokens
    const puppet = await stage.deploy('Puppet')
    const ask = { tokens: [DAI, USDC], hops: [hop(puppet, buyGem)], amount: ether('1') }
    const zeros = `0x${'00'.repeat(32)}` as const
    await stage.teachAnswer(puppet, toFunctionSelector('to18ConversionFactor()'), zeros)
    for (const [tout, refusal] of [
      ['0x', ['']],
      [zeros, ['Panic', 0x12n]],
      [`0x${'ff'.repeat(32)}`, ['Panic', 0x11n]],
    ] as const) {
      await stage.teachAnswer(puppet, toFunctionSelector('tout()'), tout)
      expect(await stage.refusal(ask)).toEqual(refusal)
    }
  })
})
