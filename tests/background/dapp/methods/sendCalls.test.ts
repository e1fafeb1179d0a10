import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { hasOutcome } from '../../../../src/domain/activity/intent.ts'
import { acceptReplacement, replacementAt } from '../../../../src/domain/activity/replacement.ts'
import type { Address } from '../../../../src/domain/token/token.ts'
import { asker, createDesk, type Desk, origin } from '../../../helpers/background/sendStage.ts'
import { type Browser, createBrowser, until, useStage } from '../../../helpers/background/worker.ts'

const stage = useStage()
let browser: Browser
let desk: Desk

beforeEach(async () => {
  browser = await createBrowser(stage)
  desk = createDesk(browser)
  await desk.connect()
})

const friend: Address = `0x${'f1'.repeat(20)}`
const two = [
  { to: friend, value: '0x1' },
  { to: friend, value: '0x2' },
]
const request = (more: object = {}) => ({
  version: '2.0.0',
  chainId: '0x7a69',
  atomicRequired: false,
  calls: two,
  ...more,
})
const sendCalls = (more: object = {}, by = asker()) => desk.call('wallet_sendCalls', [request(more)], by)
const status = (id: unknown, by = asker(99)) => desk.call('wallet_getCallsStatus', [id], by)
const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })

function transfer(amount: bigint) {
  const args = [friend, amount] as const
  return {
    to: stage.localnet.tokens.DAI,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  }
}

async function done(more: object, by = asker()): Promise<unknown> {
  const answer = sendCalls(more, by)
  const { id } = await desk.agree()
  await desk.worker.until(id, hasOutcome)
  return answer
}

describe('wallet_sendCalls', () => {
  it('returns the id after approval and sends all calls', async () => {
    const before = await stage.localnet.client.getBalance({ address: friend })
    const answer = sendCalls({ id: 'mine', from: browser.account })
    const approval = await desk.agree()
    expect(approval.ask).toMatchObject({ kind: 'send', batch: 'mine', account: browser.account })
    expect(await answer).toEqual({ id: 'mine' })
    await desk.worker.until(approval.id, hasOutcome)
    expect(await stage.localnet.client.getBalance({ address: friend })).toBe(before + 3n)
    expect(await nonce()).toBe(2)
  })

  it('trims white space around addresses, chain ids, numbers and data', async () => {
    const answer = sendCalls({
      from: `${browser.account} `,
      chainId: ' 0x7a69 ',
      calls: [
        { to: ` ${friend}\n`, value: ' 0x1' },
        { to: '0x', data: ' 0x60006000f3' },
      ],
    })
    const approval = await desk.agree()
    expect(approval.ask).toMatchObject({
      account: browser.account,
      calls: [
        { to: friend, data: '0x', value: 1n },
        { data: '0x60006000f3', value: 0n },
      ],
    })
    await answer
    await desk.worker.until(approval.id, hasOutcome)
    expect(await nonce()).toBe(2)
  })

  it('generates an id when the page gives none, and returns a plain string in version 1.0', async () => {
    expect(await done({})).toEqual({ id: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    expect(await done({ version: '1.0' }, asker(2))).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it.each<[string, object]>([
    ['version:', { version: '3.0' }],
    ['chainId:', { chainId: 'one' }],
    ['calls:', { calls: [] }],
    ['calls:', { calls: Array(21).fill(two[0]) }],
    ['calls.to:', { calls: [{ to: 'me' }] }],
    ['calls.data:', { calls: [{ to: friend, data: 'x' }] }],
    ['to:', { calls: [{ value: '0x1' }] }],
    ['from:', { from: 5 }],
    ['id:', { id: 'x'.repeat(4_097) }],
    ['id:', { id: '' }],
    ['atomicRequired:', { atomicRequired: 'no' }],
  ])('names the invalid field %s without a prompt', async (field, more) => {
    await expect(sendCalls(more)).rejects.toMatchObject({
      code: 'invalid-params',
      message: expect.stringContaining(field),
    })
    expect(await desk.approvals.list()).toEqual([])
  })

  it('rejects atomicity, unknown capabilities, other chains and other accounts without a prompt', async () => {
    await expect(sendCalls({ atomicRequired: true })).rejects.toMatchObject({ code: 'no-atomicity' })
    const paymaster = { paymasterService: { url: 'https://pay.example' } }
    await expect(sendCalls({ capabilities: paymaster })).rejects.toMatchObject({ code: 'no-capability' })
    const calls = [{ ...two[0], capabilities: paymaster }]
    await expect(sendCalls({ calls })).rejects.toMatchObject({ code: 'no-capability' })
    await expect(sendCalls({ chainId: '0x999' })).rejects.toMatchObject({ code: 'no-service' })
    await expect(sendCalls({ from: friend })).rejects.toMatchObject({ code: 'not-connected' })
    await expect(sendCalls({}, asker(1, 'https://other.example'))).rejects.toMatchObject({
      code: 'not-connected',
    })
    expect(await desk.approvals.list()).toEqual([])
  })

  it('ignores optional capabilities', async () => {
    const optional = { paymasterService: { url: 'https://pay.example', optional: true } }
    const calls = [{ ...two[0], capabilities: optional }]
    expect(await done({ id: 'wish', capabilities: optional, calls })).toEqual({ id: 'wish' })
  })

  it('accepts an id once per origin', async () => {
    await done({ id: 'once' })
    await expect(sendCalls({ id: 'once' }, asker(2))).rejects.toMatchObject({ code: 'id-used' })
    await desk.connect('https://other.example')
    expect(await done({ id: 'once' }, asker(3, 'https://other.example'))).toEqual({ id: 'once' })
  })

  it('accepts an id again after a day', async () => {
    let now = Date.now()
    desk = createDesk(browser, { now: () => now })
    await done({ id: 'daily' })
    now += 24 * 60 * 60 * 1_000
    desk = createDesk(browser, { now: () => now })
    await desk.worker.vault.unlock(Buffer.alloc(32, 7).toString('base64'))
    await done({ id: 'daily' }, asker(2))
    expect(await nonce()).toBe(4)
  })

  it('finds a repeated request in the journal after its answer expired, without a prompt', async () => {
    expect(await done({ id: 'late' })).toEqual({ id: 'late' })
    desk = createDesk(browser, { now: () => Date.now() + 11 * 60_000 })
    // The next write drops expired records.
    const other = sendCalls({ id: 'other' }, asker(2)).catch(() => undefined)
    await desk.approvals.reject((await desk.open()).id)
    await other
    expect(await sendCalls({ id: 'late' })).toEqual({ id: 'late' })
    expect(await desk.approvals.list()).toEqual([])
  })

  it('stores nothing and claims no id for a request that is rejected at once', async () => {
    for (let one = 1; one <= 5; one++) void sendCalls({ id: `${one}` }, asker(one)).catch(() => undefined)
    await until(async () => (await desk.approvals.list())[4], 'five requests')
    const before = [...browser.local]
    await expect(sendCalls({ id: 'six' }, asker(6))).rejects.toMatchObject({ code: 'request-open' })
    expect([...browser.local]).toEqual(before)
    expect(await desk.ids.get(origin, 'six')).toBeUndefined()
  })

  it('joins a repeated request after a worker restart and sends its calls once', async () => {
    void sendCalls({ id: 'again' }).catch(() => undefined)
    await desk.open()
    desk = createDesk(browser)
    expect(await done({ id: 'again' })).toEqual({ id: 'again' })
    desk = createDesk(browser)
    expect(await sendCalls({ id: 'again' })).toEqual({ id: 'again' })
    expect(await nonce()).toBe(2)
  })
})

describe('wallet_getCallsStatus', () => {
  it('returns 100 while pending, then 200 with the receipts of the RPC', async () => {
    const answer = sendCalls({ id: 'mine' })
    const { id } = await desk.open()
    expect(await status('mine')).toEqual({
      version: '2.0.0',
      id: 'mine',
      chainId: '0x7a69',
      status: 100,
      atomic: false,
      receipts: [],
    })
    await desk.agree()
    await answer
    await desk.worker.until(id, hasOutcome)
    const { receipts, ...rest } = (await status('mine')) as { receipts: Record<string, unknown>[] }
    expect(rest).toMatchObject({ status: 200 })
    expect(receipts).toHaveLength(2)
    for (const receipt of receipts) {
      expect(Object.keys(receipt).sort()).toEqual(
        ['blockHash', 'blockNumber', 'gasUsed', 'logs', 'status', 'transactionHash'].sort(),
      )
      expect(receipt).toMatchObject({ status: '0x1', gasUsed: '0x5208', logs: [] })
    }
  })

  it('returns 400 for a rejected request and for an approved one that was never sent', async () => {
    const refused = expect(sendCalls({ id: 'no' })).rejects.toMatchObject({ code: 'rejected' })
    await desk.approvals.reject((await desk.open()).id)
    await refused
    expect(await status('no')).toMatchObject({ status: 400, receipts: [] })
    const answer = sendCalls({ id: 'costly' }, asker(2))
    const { id } = await desk.agree({ feeCap: 1n })
    await answer
    await desk.worker.until(id, hasOutcome)
    expect(await status('costly')).toMatchObject({ status: 400, receipts: [] })
  })

  it('returns the status without receipts while the RPC is unavailable', async () => {
    await done({ id: 'mine' })
    desk = createDesk(browser, {
      chain: (chain) => ({ ...chain, plainReceipt: () => Promise.reject(new Error('The node is away.')) }),
    })
    expect(await status('mine')).toMatchObject({ status: 200, receipts: [] })
    const settings = await desk.settings.get()
    const networks = settings.networks.map((each) => ({ ...each, rpcUrl: '' }))
    await createDesk(browser).settings.update(() => ({ ...settings, networks }))
    desk = createDesk(browser)
    expect(await status('mine')).toMatchObject({ status: 200, receipts: [] })
  })

  it('answers wallet_sendCalls when storing the id fails after the approval', async () => {
    const answer = sendCalls({ id: 'mine' })
    await desk.open()
    desk.ids.put = () => Promise.reject(new Error('full'))
    await desk.agree()
    expect(await answer).toEqual({ id: 'mine' })
  })

  it('throws unknown-id when the journal no longer has the calls', async () => {
    await done({ id: 'mine' })
    for (const key of browser.local.keys()) if (key.startsWith('calls.')) browser.local.delete(key)
    desk = createDesk(browser)
    await expect(status('mine')).rejects.toMatchObject({ code: 'unknown-id' })
  })

  it('throws unknown-id when the journal record is damaged', async () => {
    await done({ id: 'mine' })
    for (const key of browser.local.keys()) if (key.startsWith('calls.')) browser.local.set(key, '"damaged"')
    desk = createDesk(browser)
    await expect(status('mine')).rejects.toMatchObject({ code: 'unknown-id' })
  })

  it('returns 400 when session storage lost the request before its answer', async () => {
    void sendCalls({ id: 'lost' }).catch(() => undefined)
    await desk.open()
    browser.session.clear()
    desk = createDesk(browser)
    expect(await status('lost')).toMatchObject({ status: 400 })
  })

  it('returns 600 when a later call fails', async () => {
    await done({ id: 'part', calls: [two[0], transfer(10n ** 30n)] })
    expect(await status('part')).toMatchObject({ status: 600, receipts: [{ status: '0x1' }] })
  })

  it('returns 500 when the first call reverts', async () => {
    const { client, accounts } = stage.localnet
    const thief = accounts[3]!.address
    for (const address of [browser.account, thief]) await client.impersonateAccount({ address })
    await send(browser.account, { functionName: 'approve', args: [thief, maxUint256] })
    // Empties the balance between estimate and block.
    const takeAll = async () => {
      const balance = await balanceOf(browser.account)
      const args = [browser.account, thief, balance] as const
      if (balance > 0n) await send(thief, { functionName: 'transferFrom', args })
    }
    desk = createDesk(browser, {
      chain: (chain) => ({ ...chain, send: (raw) => takeAll().then(() => chain.send(raw)) }),
    })
    await done({ id: 'bad', calls: [transfer(1n)] })
    expect(await status('bad')).toMatchObject({ status: 500, receipts: [{ status: '0x0' }] })
  })

  it('throws unknown-id for another origin and for an unknown id', async () => {
    await done({ id: 'mine' })
    await expect(status('mine', asker(5, 'https://other.example'))).rejects.toMatchObject({
      code: 'unknown-id',
    })
    await expect(status('other')).rejects.toMatchObject({ code: 'unknown-id' })
    await expect(status(5)).rejects.toMatchObject({ code: 'invalid-params' })
  })
})

function balanceOf(owner: Address): Promise<bigint> {
  const { client, tokens } = stage.localnet
  return client.readContract({ address: tokens.DAI, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
}

async function send(account: Address, call: DaiCall): Promise<void> {
  const { client, tokens } = stage.localnet
  await client.execute({ account, to: tokens.DAI, data: encodeFunctionData({ abi: erc20Abi, ...call }) })
}

type DaiCall =
  | { functionName: 'approve'; args: [Address, bigint] }
  | { functionName: 'transferFrom'; args: readonly [Address, Address, bigint] }

describe('wallet_showCallsStatus', () => {
  it('draws attention only while the caller’s own id has an open request', async () => {
    const other = { ...asker(4, 'https://other.example'), tabId: 4 }
    await desk.connect(other.origin)
    void sendCalls({ id: 'mine' }, other).catch(() => undefined)
    await desk.open()
    await until(async () => desk.shown() === 1 || undefined, 'the window')
    const refused = sendCalls({ id: 'mine' }).catch(() => undefined)
    const own = await until(
      async () => (await desk.approvals.list()).find((each) => each.origin === origin),
      'the request',
    )
    await desk.approvals.reject(own.id)
    await refused
    const before = desk.shown()
    expect(await desk.call('wallet_showCallsStatus', ['mine'], asker(2))).toBeNull()
    expect(desk.shown()).toBe(before)
    expect(await desk.call('wallet_showCallsStatus', ['mine'], other)).toBeNull()
    expect(desk.ways.slice(before)).toEqual(['quietly'])
  })

  it('throws unknown-id for an unknown id', async () => {
    void sendCalls({ id: 'mine' }).catch(() => undefined)
    await desk.open()
    await expect(desk.call('wallet_showCallsStatus', ['other'])).rejects.toMatchObject({ code: 'unknown-id' })
  })
})

describe('wallet_getCapabilities', () => {
  const capabilities = (params: unknown, by = asker()) => desk.call('wallet_getCapabilities', params, by)

  it('returns the capabilities of each chain, with swap only while page swaps are on', async () => {
    expect(await capabilities([browser.account])).toMatchObject({
      '0x7a69': { atomic: { status: 'unsupported' }, swap: { supported: true } },
    })
    expect(await capabilities([browser.account.toUpperCase().replace('0X', '0x'), ['0x309']])).toEqual({})
    expect(await capabilities(undefined)).toHaveProperty('0x7a69')
    const settings = await desk.settings.get()
    await desk.settings.update(() => ({ ...settings, pageSwaps: false }))
    expect(await capabilities([browser.account, ['0x7a69']])).toEqual({
      '0x7a69': { atomic: { status: 'unsupported' } },
    })
  })

  it('throws not-connected while the wallet is locked', async () => {
    await desk.worker.vault.lock()
    await expect(capabilities([browser.account])).rejects.toMatchObject({ code: 'not-connected' })
    await expect(capabilities(undefined)).rejects.toMatchObject({ code: 'not-connected' })
  })

  it('throws not-connected for a site that may not see the account', async () => {
    await expect(capabilities([friend])).rejects.toMatchObject({ code: 'not-connected' })
    const stranger = capabilities([browser.account], asker(1, 'https://other.example'))
    await expect(stranger).rejects.toMatchObject({ code: 'not-connected' })
    await expect(capabilities(['me'])).rejects.toMatchObject({ code: 'invalid-params' })
  })
})

describe('calls replaced by the user', () => {
  it.each([
    ['faster', 200],
    ['cancel', 400],
  ] as const)('%s: returns the status of the mined transaction, %i', async (wish, expected) => {
    await stage.stopMining()
    const { worker } = desk
    const answer = sendCalls({ id: 'mine', calls: [{ to: friend, value: '0x1' }] })
    const { id } = await desk.agree()
    await answer
    await worker.until(id, ({ steps }) => steps[0]?.state === 'sent')
    const offer = await worker.replacement(id, wish)
    await worker.replace({ id, wish, ...acceptReplacement(offer, replacementAt(offer, 'fast')) })
    expect(await status('mine')).toMatchObject({ status: 100 })
    await stage.startMining()
    const { steps } = await worker.until(id, hasOutcome)
    const receipts = wish === 'faster' ? [{ transactionHash: steps[0]!.hash, status: '0x1' }] : []
    expect(await status('mine')).toMatchObject({ status: expected, receipts })
    expect(steps[0]!.hash).not.toBe(offer.replaces)
    expect((await worker.sendings())[0]!.intent).toMatchObject({ origin })
  })
})
