import { decodeFunctionData, encodeFunctionData, type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import { type Query, type Running, startRunning } from '../../helpers/service/runService.ts'

let running: Running
let tokens: Record<'USDC' | 'WETH' | 'DTT', Address>
let from: Address
let saved: Hex

beforeAll(async () => {
  running = await startRunning()
  tokens = running.localnet.tokens
  from = running.localnet.accounts[0]!.address
  const { client } = running.localnet
  await client.writeContractSync({
    ...{ address: tokens.USDC, abi, functionName: 'mint', args: [from, amount] },
  })
  await running.chain.approve(tokens.USDC, from, maxUint256)
})
beforeEach(async () => {
  saved = await running.localnet.client.snapshot()
})
afterEach(async () => {
  await running.localnet.client.revert({ id: saved })
  await running.engine.refresh()
})
afterAll(() => running.stop())

const abi = parseAbi([
  'function mint(address to, uint256 value)',
  'struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)',
])

/** Needs several pools. */
const amount = 3_000_000n * 10n ** 6n

function swap(query: Query = {}) {
  const trade = { src: tokens.USDC, dst: tokens.WETH, amount: String(amount), slippage: '1' }
  return running.ask('swap', { ...trade, from, origin: from, complexityLevel: '0', ...query })
}

/** No event reports it. */
async function breakPool(): Promise<void> {
  const pool = running.localnet.pools.find(({ title }) => title === 'WETH/USDC v3 0.05 %')!
  await running.localnet.client.setCode({ address: pool.address, bytecode: '0x5f5ffd' })
}

async function held() {
  const [usdc, weth] = await Promise.all([
    running.chain.balance(tokens.USDC, from),
    running.chain.balance(tokens.WETH, from),
  ])
  return { usdc, weth }
}

describe('allowPartialFill', () => {
  it('delivers the stated amount when every branch succeeds', async () => {
    const { status, body } = await swap({ allowPartialFill: 'true' })
    expect(status).toBe(200)
    const before = await held()
    await running.chain.execute(body.tx)
    const after = await held()
    expect(before.usdc - after.usdc).toBe(amount)
    expect(String(after.weth - before.weth)).toBe(body.dstAmount)
  })

  it('refunds the share of a failed branch, and keeps the minimum rate', async () => {
    const { body } = await swap({ allowPartialFill: 'true' })
    const before = await held()
    await breakPool()
    const receipt = await running.chain.send(body.tx)
    expect(receipt.status).toBe('success')
    const after = await held()
    const spent = before.usdc - after.usdc
    const bought = after.weth - before.weth
    expect(spent).toBeGreaterThan(0n)
    expect(spent).toBeLessThan(amount)
    expect(bought * amount).toBeGreaterThanOrEqual(leastOf(body.tx.data) * spent)
  })

  it('reverts the swap on a failed branch without allowPartialFill', async () => {
    const { body } = await swap()
    const before = await held()
    await breakPool()
    await expect(running.chain.send(body.tx)).rejects.toThrow()
    expect((await held()).usdc).toBe(before.usdc)
  })

  it.each(['true', 'false'])('routes around a broken pool with allowPartialFill=%s', async (allowed) => {
    const whole = await swap({ allowPartialFill: allowed })
    await breakPool()
    const { status, body } = await swap({ allowPartialFill: allowed, complexityLevel: '2' })
    expect(BigInt(body.dstAmount)).toBeGreaterThan((BigInt(whole.body.dstAmount) * 9n) / 10n)
    expect(status).toBe(200)
    const before = await held()
    await running.chain.execute(body.tx)
    const after = await held()
    expect(before.usdc - after.usdc).toBe(amount)
    expect(String(after.weth - before.weth)).toBe(body.dstAmount)
  })

  it('accepts the native token as sold and as bought token', async () => {
    const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
    for (const [src, dst, sold] of [
      [native, tokens.USDC, 10n ** 21n],
      [tokens.USDC, native, amount],
    ] as const) {
      const { status, body } = await swap({ src, dst, amount: String(sold), allowPartialFill: 'true' })
      expect(status).toBe(200)
      const before = await running.chain.balance(dst, from)
      const receipt = await running.chain.send(body.tx)
      const cost = dst === native ? receipt.gasUsed * receipt.effectiveGasPrice : 0n
      expect(String((await running.chain.balance(dst, from)) - before + cost)).toBe(body.dstAmount)
      await running.engine.refresh()
    }
  })
})

describe('usePatching', () => {
  it('executes with a patched amount, since the route holds shares', async () => {
    const { body } = await swap({ usePatching: 'true' })
    const [executor, desc, data] = decodeFunctionData({ abi, data: body.tx.data }).args as Args
    const more = amount - 10n ** 6n
    const patched = encodeFunctionData({
      ...{ abi, functionName: 'swap' },
      args: [executor, { ...desc, amount: more }, data],
    })
    const before = await held()
    await running.chain.execute({ ...body.tx, data: patched })
    const after = await held()
    expect(before.usdc - after.usdc).toBe(more)
    expect(after.weth - before.weth).toBeGreaterThanOrEqual(leastOf(body.tx.data))
  })
})

type Args = readonly [Address, Description, Hex]
type Description = {
  srcToken: Address
  dstToken: Address
  srcReceiver: Address
  dstReceiver: Address
  amount: bigint
  minReturnAmount: bigint
  flags: bigint
}

function leastOf(data: Hex): bigint {
  return (decodeFunctionData({ abi, data }).args as Args)[1].minReturnAmount
}
