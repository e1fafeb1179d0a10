import { type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import { createPermits } from '../../helpers/service/permits.ts'
import { type Query, type Running, startRunning } from '../../helpers/service/runService.ts'

const abi = parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)'])
const erc20 = parseAbi(['function approve(address spender, uint256 amount)'])
const dollars = 1_000_000n

let running: Running
let tokens: Record<'USDC' | 'USDT' | 'WETH', Address>

beforeAll(async () => {
  running = await startRunning()
  tokens = running.localnet.tokens
})
afterAll(() => running.stop())

const owner = (index: number) => running.localnet.accounts[index]!.address

async function write(
  from: Address,
  to: Address,
  contract: typeof abi | typeof erc20,
  args: readonly unknown[],
) {
  await running.localnet.client.impersonateAccount({ address: from })
  const call = { account: from, address: to, abi: contract, functionName: 'approve', args }
  await running.localnet.client.writeContractSync(call as never)
  await running.engine.refresh()
}

function openToken(from: Address, token = tokens.USDC, amount = maxUint256): Promise<void> {
  return write(from, token, erc20, [running.config.permit2, amount])
}

function openRouter(from: Address, amount: bigint, token = tokens.USDC, expiration = 2 ** 48 - 1) {
  return write(from, running.config.permit2, abi, [token, running.config.router, amount, expiration])
}

function swap(from: Address, query: Query = {}) {
  const trade = { src: tokens.USDC, dst: tokens.WETH, amount: String(100n * dollars), slippage: '0' }
  return running.ask('swap', { ...trade, from, origin: from, usePermit2: 'true', ...query })
}

const signPermit = (index: number): Promise<Hex> =>
  createPermits(running.localnet, running.localnet.accounts[index]!.privateKey).permit2({
    value: 100n * dollars,
  })

async function expectKept(
  from: Address,
  body: { tx: Parameters<Running['chain']['execute']>[0]; dstAmount: string },
) {
  const before = await running.chain.balance(tokens.WETH, from)
  await running.chain.execute(body.tx)
  expect(String((await running.chain.balance(tokens.WETH, from)) - before)).toBe(body.dstAmount)
}

describe('usePermit2', () => {
  it('pulls tokens through Permit2 without an allowance for the router', async () => {
    const from = owner(0)
    await openToken(from)
    await openRouter(from, 100n * dollars)
    const { status, body } = await swap(from)
    expect(status).toBe(200)
    await expectKept(from, body)
    expect((await swap(from, { usePermit2: 'false' })).body.code).toBe('NOT_ENOUGH_ALLOWANCE')
  })

  it('names the missing allowance: the token’s for Permit2 before Permit2’s for the router', async () => {
    const from = owner(1)
    const { permit2, router } = running.config
    const short = (allowance: bigint, spender: Address) => ({
      code: 'NOT_ENOUGH_ALLOWANCE',
      description: `Not enough allowance. Amount: ${100n * dollars}. Allowance: ${allowance}. Spender: ${spender}.`,
      meta: expect.arrayContaining([{ type: 'spender', value: spender }]),
    })
    expect((await swap(from)).body).toMatchObject(short(0n, permit2))
    await openToken(from)
    await openRouter(from, 99n * dollars)
    expect((await swap(from)).body).toMatchObject(short(99n * dollars, router))
    await openToken(from, tokens.USDC, 7n)
    expect((await swap(from)).body).toMatchObject(short(7n, permit2))
  })

  it('counts an expired allowance as zero', async () => {
    const from = owner(2)
    await openToken(from)
    await openRouter(from, 100n * dollars, tokens.USDC, 1)
    expect((await swap(from)).body).toMatchObject({
      code: 'NOT_ENOUGH_ALLOWANCE',
      meta: expect.arrayContaining([{ type: 'allowance', value: '0' }]),
    })
  })

  it('accepts a Permit2 permit within the swap transaction', async () => {
    const from = owner(3)
    await openToken(from)
    const permit = await signPermit(3)
    const { status, body } = await swap(from, { permit })
    expect(status).toBe(200)
    await expectKept(from, body)
    // Its nonce is used: only the allowance counts.
    expect((await swap(from, { permit })).body.code).toBe('ESTIMATION_FAILED')
    await openRouter(from, 100n * dollars)
    expect((await swap(from, { permit })).status).toBe(200)
  })

  it('rejects a permit of the other kind before it checks allowances', async () => {
    const tokenPermit: Hex = `0x${'00'.repeat(7 * 32)}`
    const own = await signPermit(4)
    for (const query of [{ permit: tokenPermit }, { permit: own, usePermit2: 'false' }]) {
      expect((await swap(owner(4), query)).body.code).toBe('VALIDATION_FAILED')
    }
  })

  it('needs neither allowance with forceApprove', async () => {
    const from = owner(5)
    const { status, body } = await swap(from, { forceApprove: 'true' })
    expect(status).toBe(200)
    await openToken(from)
    await openRouter(from, 100n * dollars)
    await expectKept(from, body)
  })

  it('has no effect on the native token, which is sent as value', async () => {
    const { status, body } = await swap(owner(6), {
      src: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
      dst: tokens.USDC,
      amount: String(10n ** 18n),
    })
    expect(status).toBe(200)
    expect(body.tx.value).toBe(String(10n ** 18n))
  })

  it('pulls tokens without return values', async () => {
    const from = owner(7)
    await openToken(from, tokens.USDT)
    await openRouter(from, 100n * dollars, tokens.USDT)
    const { status, body } = await swap(from, { src: tokens.USDT })
    expect(status).toBe(200)
    await expectKept(from, body)
  })
})
