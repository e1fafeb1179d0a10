import { erc20Abi, maxUint256, parseAbi, parseEther } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { hasOutcome } from '../../../src/domain/activity/intent.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { ApprovalMethod } from '../../../src/domain/swap/swap.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  dataKey,
  intend,
  until,
  useStage,
  type Wanted,
  type Worker,
} from '../../helpers/background/worker.ts'

const stage = useStage()
let browser: Browser
let worker: Worker

beforeEach(async () => {
  browser = await createBrowser(stage)
  worker = createWorker(browser)
})

const abi = [...erc20Abi, ...parseAbi(['function nonces(address owner) view returns (uint256)'])] as const

type Symbol = 'USDC' | 'USDT' | 'DAI' | 'WETH' | 'DTT'

const sell = (symbol: Symbol, amount: bigint, buy: Symbol = 'WETH'): Trade => ({
  chainId: 31337,
  sell: stage.localnet.tokens[symbol],
  buy: stage.localnet.tokens[buy],
  amount,
})
const usdc = (amount: number) => BigInt(amount * 1e6)
const by = (permission: ApprovalMethod): Wanted => ({ permission })

const read = (address: Address, functionName: 'allowance' | 'balanceOf' | 'nonces', args: Address[]) =>
  stage.localnet.client.readContract({ address, abi, functionName, args } as never) as Promise<bigint>
const allowance = (token: Address, spender: Address = stage.localnet.contracts.router) =>
  read(token, 'allowance', [browser.account, spender])
const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })

async function approve(token: Address, spender: Address, amount: bigint): Promise<void> {
  const { client } = stage.localnet
  await client.impersonateAccount({ address: browser.account })
  const args = [spender, amount] as const
  await client.writeContractSync({
    account: browser.account,
    address: token,
    abi,
    functionName: 'approve',
    args,
  })
}

async function carryOut(trade: Trade, wanted: Wanted = {}, by = worker) {
  const intent = await intend(worker, browser, trade, wanted)
  const had = await read(trade.buy, 'balanceOf', [browser.account])
  await by.swap(intent)
  const swap = await by.over(intent.id)
  const received = (await read(trade.buy, 'balanceOf', [browser.account])) - had
  return { ...swap, kinds: swap.steps.map(({ kind }) => kind), received }
}

describe('permit', () => {
  it('uses a permit by default where supported, in one transaction that leaves no allowance', async () => {
    const trade = sell('USDC', usdc(100))
    const review = await worker.review(trade)
    expect(review).toMatchObject({
      steps: ['swap'],
      permission: { via: 'permit' },
      permissions: [
        { via: 'approve', isUnlimited: false },
        { via: 'permit', isUnlimited: false },
        { via: 'permit2', isUnlimited: false },
      ],
      verdict: { status: 'matches', received: review.quote.returns },
    })
    const before = await nonce()
    const done = await carryOut(trade)
    expect(done.outcome).toEqual({ status: 'done', received: done.received })
    expect(done.kinds).toEqual(['swap'])
    expect((await nonce()) - before).toBe(1)
    expect(await allowance(trade.sell)).toBe(0n)
    expect(await read(trade.sell, 'nonces', [browser.account])).toBe(1n)
    const { gasUsed } = await stage.localnet.client.getTransactionReceipt({ hash: done.steps[0]!.hash! })
    expect(review.gas).toBeGreaterThan(gasUsed)
    expect(review.gas).toBeLessThan(2n * gasUsed)
    expect(done.paid).toBeLessThanOrEqual(review.networkFee)
    // The permit counts with its upper estimate.
    expect(Number(review.expectedFee) / Number(done.paid)).toBeGreaterThan(0.9)
    expect(Number(review.expectedFee) / Number(done.paid)).toBeLessThan(1.3)
  })

  it('uses a permit for a token with a transfer tax, and reports the amount received', async () => {
    const done = await carryOut(sell('DTT', parseEther('100')), { slippageBps: 300 })
    expect(done).toMatchObject({ kinds: ['swap'], outcome: { status: 'done', received: done.received } })
    expect(await allowance(stage.localnet.tokens.DTT)).toBe(0n)
  })

  it('limits a permit to ten minutes, the exact amount and the router', async () => {
    const permits: Hex[] = []
    const now = Date.now()
    const hearing = createWorker(browser, { api: overhearing(permits), now: () => now })
    const done = await carryOut(sell('USDC', usdc(10)), {}, hearing)
    expect(done.outcome.status).toBe('done')
    const [permit] = permits
    const word = (index: number) => BigInt(`0x${permit!.slice(2 + 64 * index, 66 + 64 * index)}`)
    expect([word(1), word(2)]).toEqual([BigInt(stage.localnet.contracts.router), usdc(10)])
    expect(word(3)).toBe(BigInt(Math.floor(now / 1_000) + 600))
  })

  it('keeps the permit signature out of records and events when the swap fails after signing', async () => {
    const permits: Hex[] = []
    const failing = createWorker(browser, {
      api: (api) =>
        overhearing(permits)({
          ...api,
          swap(trade, options) {
            if (options.permit === undefined) return api.swap(trade, options)
            throw new WalletError('service-garbled', 'Unreadable.')
          },
        }),
    })
    const done = await carryOut(sell('USDC', usdc(10)), {}, failing)
    expect(done.outcome).toMatchObject({ status: 'failed', code: 'service-garbled' })
    const signature = permits[0]!.slice(2 + 5 * 64)
    const stored = [...browser.local.values(), ...browser.session.values()].join()
    expect(signature).toHaveLength(128)
    expect([stored.includes(signature), JSON.stringify(failing.heard, plain).includes(signature)]).toEqual([
      false,
      false,
    ])
    expect(await nonce()).toBe(0)
  })

  it('signs no permit for a swap below the accepted minimum', async () => {
    const trade = sell('USDC', usdc(100))
    const intent = await intend(worker, browser, trade)
    const permits: Hex[] = []
    const hearing = createWorker(browser, { api: overhearing(permits) })
    await hearing.swap({ ...intent, floor: intent.floor * 2n })
    expect((await hearing.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'below-floor' })
    expect([permits, await nonce()]).toEqual([[], 0])
  })

  it('signs a permit again when its nonce was used in the meantime', async () => {
    let looks = 0
    const behind = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        async permit(token, owner) {
          const facts = await chain.permit(token, owner)
          // The plan, then the first signature.
          return facts && ++looks === 2 ? { ...facts, nonce: facts.nonce + 1n } : facts
        },
      }),
    })
    const done = await carryOut(sell('USDC', usdc(10)), {}, behind)
    expect(done.outcome.status).toBe('done')
    expect(looks).toBeGreaterThan(2)
    expect(await nonce()).toBe(1)
  })

  it('executes concurrent swaps of the same token without conflicts between their permits', async () => {
    const intents = await Promise.all(
      [10, 20, 30].map((amount) => intend(worker, browser, sell('USDC', usdc(amount)))),
    )
    // One timestamp, ids in reverse order.
    const begun = intents.sort((one, other) => (one.id > other.id ? -1 : 1))
    const at = Date.now()
    await Promise.all(begun.map((intent) => worker.swap(intent, at)))
    for (const { id } of begun) expect((await worker.over(id)).outcome).toMatchObject({ status: 'done' })
    expect(await nonce()).toBe(3)
    expect(await read(stage.localnet.tokens.USDC, 'nonces', [browser.account])).toBe(3n)
  })

  it('fails the swap when the token rejects the permit, and does not send it', async () => {
    const permits: Hex[] = []
    const refusing = createWorker(browser, {
      api: overhearing(permits),
      chain: (chain) => ({
        ...chain,
        async permit(token, owner) {
          const facts = await chain.permit(token, owner)
          return facts && { ...facts, nonce: facts.nonce + 1n }
        },
      }),
    })
    const done = await carryOut(sell('USDC', usdc(10)), {}, refusing)
    expect(done.outcome).toMatchObject({ status: 'failed', code: 'no-permit' })
    expect([permits, await nonce()]).toEqual([[], 0])
  })

  it('does not use a permit by default when the token list does not name the token', async () => {
    const listless = createWorker(browser, { api: (api) => ({ ...api, tokens: async () => [] }) })
    expect(await listless.review(sell('USDC', usdc(10)))).toMatchObject({
      permission: { via: 'approve', amount: usdc(10) },
      permissions: expect.arrayContaining([{ via: 'permit', isUnlimited: false }]),
    })
  })

  it('does not sign a permit of another style than the accepted one', async () => {
    const intent = await intend(worker, browser, sell('USDC', usdc(10)))
    const turned = createWorker(browser, {
      chain: (chain) => ({
        ...chain,
        async permit(token, owner) {
          const facts = await chain.permit(token, owner)
          return facts && { ...facts, style: 'dai' as const }
        },
      }),
    })
    await turned.swap(intent)
    expect((await turned.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'stale-review' })
    expect(await nonce()).toBe(0)
  })

  it('offers no permit with a service that does not take permits', async () => {
    const plainOnly = createWorker(browser, { api: (api) => ({ ...api, permitKinds: [] }) })
    const review = await plainOnly.review(sell('USDC', usdc(10)))
    expect(review).toMatchObject({
      steps: ['approve', 'swap'],
      permission: { via: 'approve', amount: usdc(10) },
      permissions: [{ via: 'approve', isUnlimited: false }],
    })
  })

  it('rejects a permit for a token that does not support it', async () => {
    await expect(worker.review(sell('USDT', usdc(1)), by({ via: 'permit' }))).rejects.toMatchObject({
      code: 'invalid-input',
      facts: { field: 'permission' },
    })
  })

  it('uses a DAI permit only by choice, and marks it as unlimited', async () => {
    const trade = sell('DAI', parseEther('10'))
    expect(await worker.review(trade)).toMatchObject({
      steps: ['approve', 'swap'],
      permission: { via: 'approve', amount: parseEther('10') },
      permissions: expect.arrayContaining([{ via: 'permit', isUnlimited: true }]),
    })
    const everything = by({ via: 'permit', isUnlimited: true })
    expect(await worker.review(trade, everything)).toMatchObject({
      steps: ['swap'],
      permission: { via: 'permit', isUnlimited: true },
      verdict: { status: 'matches' },
    })
    const done = await carryOut(trade, everything)
    expect(done).toMatchObject({ kinds: ['swap'], outcome: { status: 'done', received: done.received } })
    expect(await allowance(trade.sell)).toBe(maxUint256)
  })
})

describe('approval', () => {
  it('keeps the rest of a larger allowance for the next swap', async () => {
    const trade = sell('DAI', parseEther('10'))
    const done = await carryOut(trade, by({ via: 'approve', amount: parseEther('30') }))
    expect(done).toMatchObject({ kinds: ['approve', 'swap'], outcome: { status: 'done' } })
    expect(await allowance(trade.sell)).toBe(parseEther('20'))
    const next = await worker.review(trade)
    expect([next.steps, next.permission, next.permissions]).toEqual([['swap'], undefined, []])
    expect((await carryOut(trade)).outcome.status).toBe('done')
    expect(await allowance(trade.sell)).toBe(parseEther('10'))
  })

  it('fails the second of two swaps when the allowance covers only one', async () => {
    const trade = sell('DAI', parseEther('60'))
    await approve(trade.sell, stage.localnet.contracts.router, parseEther('100'))
    const intents = await Promise.all([1, 2].map(() => intend(worker, browser, trade)))
    expect(intents.map(({ permission }) => permission)).toEqual([undefined, undefined])
    for (const intent of intents) await worker.swap(intent)
    const outcomes = await Promise.all(intents.map(async ({ id }) => (await worker.over(id)).outcome))
    expect(outcomes).toContainEqual(expect.objectContaining({ status: 'done' }))
    expect(outcomes).toContainEqual(expect.objectContaining({ status: 'failed', code: 'stale-review' }))
    expect([await nonce(), await allowance(trade.sell)]).toEqual([2, parseEther('40')])
  })

  it('signs an unlimited approval', async () => {
    const trade = sell('USDC', usdc(10))
    const review = await worker.review(trade, by({ via: 'approve', amount: maxUint256 }))
    expect(review).toMatchObject({ steps: ['approve', 'swap'], verdict: { status: 'matches' } })
    const done = await carryOut(trade, by({ via: 'approve', amount: maxUint256 }))
    expect(done.outcome.status).toBe('done')
    expect(await allowance(trade.sell)).toBe(maxUint256)
  })

  it('rejects an approval below the amount sold', async () => {
    const less: ApprovalMethod = { via: 'approve', amount: parseEther('9') }
    await expect(worker.review(sell('DAI', parseEther('10')), by(less))).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })

  it('signs no approval when the simulated swap takes more than accepted', async () => {
    const intent = await intend(worker, browser, sell('DAI', parseEther('10')))
    const warned = createWorker(browser, {
      chain: seeing((calls) => calls > 1, { kind: 'leaves', token: stage.localnet.tokens.USDC }),
    })
    await warned.swap(intent)
    const { outcome, steps } = await warned.over(intent.id)
    expect(outcome).toMatchObject({
      status: 'failed',
      code: 'unexpected-change',
      facts: { token: stage.localnet.tokens.USDC },
    })
    expect([steps.map(({ state }) => state), await nonce()]).toEqual([['waiting', 'waiting'], 0])
  })

  it('signs no approval that has unexpected effects of its own', async () => {
    const { USDC, DAI } = stage.localnet.tokens
    for (const [kind, token] of [
      ['leaves', USDC],
      ['grants', DAI],
      ['grants', USDC],
    ] as const) {
      const intent = await intend(worker, browser, sell('DAI', parseEther('10')))
      const warned = createWorker(browser, { chain: seeing((calls) => calls === 1, { kind, token }) })
      await warned.swap(intent)
      expect((await warned.over(intent.id)).outcome).toMatchObject({
        code: 'unexpected-change',
        facts: { kind, token, amount: expect.stringMatching(/^\d+$/) },
      })
    }
    expect(await nonce()).toBe(0)
  })

  it('does not use the approval of an older swap of the same token', async () => {
    const intents = await Promise.all(
      ['10', '20'].map((amount) => intend(worker, browser, sell('DAI', parseEther(amount)))),
    )
    await Promise.all(intents.map((intent) => worker.swap(intent)))
    for (const { id } of intents) expect((await worker.over(id)).outcome).toMatchObject({ status: 'done' })
    expect([await nonce(), await allowance(stage.localnet.tokens.DAI)]).toEqual([4, 0n])
  })

  it('waits for an older swap that needs an unlock, and notifies views once', async () => {
    const [older, newer] = await Promise.all(
      ['10', '20'].map((amount) => intend(worker, browser, sell('DAI', parseEther(amount)))),
    )
    const outcomeOf = async (id = '') => (await worker.find(id))?.outcome
    await stage.stopMining()
    await worker.swap(older!)
    await until(async () => (await worker.find(older!.id))?.steps[0]?.hash, 'the approval')
    await worker.swap(newer!)
    await worker.vault.lock()
    await stage.startMining()
    await until(async () => (await outcomeOf(older?.id))?.status === 'needs-unlock' || undefined, 'the lock')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await outcomeOf(newer?.id)).toEqual({ status: 'working', waitsForTurn: true })
    expect((await worker.find(newer!.id))?.steps).toEqual([])

    await worker.vault.unlock(dataKey)
    await worker.resume()
    for (const { id } of [older!, newer!])
      expect((await worker.until(id, hasOutcome)).outcome.status).toBe('done')
    expect(await nonce()).toBe(4)
    const told = worker.heard.filter(({ intent }) => intent.id === newer?.id)
    expect(told.filter(({ outcome }) => 'waitsForTurn' in outcome)).toHaveLength(1)
  })
})

describe('Permit2', () => {
  const unlimited: ApprovalMethod = { via: 'permit2', amount: maxUint256 }

  it('approves Permit2 once, and needs only a signature afterwards', async () => {
    const trade = sell('DAI', parseEther('10'))
    expect(await worker.review(trade, by(unlimited))).toMatchObject({
      steps: ['approve', 'swap'],
      permission: unlimited,
      verdict: { status: 'matches' },
    })
    const first = await carryOut(trade, by(unlimited))
    expect(first).toMatchObject({
      kinds: ['approve', 'swap'],
      outcome: { status: 'done', received: first.received },
    })
    expect(await allowance(trade.sell)).toBe(0n)
    expect(await allowance(trade.sell, stage.localnet.contracts.permit2)).toBe(maxUint256)
    const second = await carryOut(trade, by(unlimited))
    expect(second).toMatchObject({ kinds: ['swap'], outcome: { status: 'done', received: second.received } })
    expect(await nonce()).toBe(3)
  })

  it('approves Permit2 for exactly the amount', async () => {
    const trade = sell('DAI', parseEther('10'))
    const done = await carryOut(trade, by({ via: 'permit2', amount: trade.amount }))
    expect(done).toMatchObject({ kinds: ['approve', 'swap'], outcome: { status: 'done' } })
    expect(await allowance(trade.sell, stage.localnet.contracts.permit2)).toBe(0n)
  })

  it('resets an old allowance of a USDT-like token first', async () => {
    const { permit2 } = stage.localnet.contracts
    const { USDT } = stage.localnet.tokens
    await approve(USDT, permit2, 5n)
    const done = await carryOut(sell('USDT', usdc(10)), by(unlimited))
    expect(done).toMatchObject({ kinds: ['reset', 'approve', 'swap'], outcome: { status: 'done' } })
    expect(await allowance(USDT, permit2)).toBe(maxUint256)
  })
})

const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

const overhearing =
  (permits: Hex[]) =>
  (api: SwapApi): SwapApi => ({
    ...api,
    swap(trade, options) {
      if (options.permit !== undefined) permits.push(options.permit)
      return api.swap(trade, options)
    },
  })

/** Only in simulations of as many calls as `when` says. */
const seeing =
  (when: (calls: number) => boolean, more: { kind: 'leaves' | 'grants'; token: Address }) =>
  (chain: Chain): Chain => ({
    ...chain,
    async simulate(from, calls, asked) {
      const seen = await chain.simulate(from, calls, asked)
      if (!when(calls.length) || seen.simulation.status !== 'succeeds') return seen
      const { changes, grants } = seen.simulation
      const token = await chain.token(more.token)
      const spender: Address = `0x${'bad0'.repeat(10)}`
      return {
        ...seen,
        simulation: {
          ...seen.simulation,
          changes: more.kind === 'leaves' ? [...changes, { token, amount: -1n }] : changes,
          grants: more.kind === 'grants' ? [...grants, { token, spender, amount: 1n }] : grants,
        },
      }
    },
  })
