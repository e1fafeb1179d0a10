import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Swap } from '../../../src/domain/swap.ts'
import { native } from '../../../src/domain/token.ts'
import { type ErrorCode, WalletError } from '../../../src/errors.ts'
import { until } from '../worker.ts'
import {
  account,
  asker,
  createSwapStage,
  hashOf,
  loner,
  newDisk,
  newIntent,
  nobody,
  origin,
  stranger,
  usdc,
  weth,
} from './swapStage.ts'

let stage: Awaited<ReturnType<typeof createSwapStage>>

beforeEach(async () => {
  stage = await createSwapStage()
  await stage.connect()
})

const caught = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)
const later = 1_800_000_060

describe('the params of wallet_swap', () => {
  const bad: [string, unknown, string][] = [
    ['text', 'swap', 'params'],
    ['a number', 7, 'params'],
    ['an object without a list', { amount: '1' }, 'params'],
    ['two requests', [{}, {}], 'params'],
    ['a request that is text', ['0x'], 'params'],
    ['a request that is a list', [[]], 'params'],
    ['an unknown key', [{ recipient: account }], 'recipient'],
    ['a symbol', [{ symbol: 'USDC' }], 'symbol'],
    ['an upper-case key', [{ Amount: '1', token: weth }], 'Amount'],
    ['a key of the prototype', [JSON.parse('{"__proto__":{"a":1}}')], '__proto__'],
    ['a token that is a symbol', [{ token: 'WETH' }], 'token'],
    ['a token that is a number', [{ token: 5 }], 'token'],
    ['a token that is null', [{ token: null }], 'token'],
    ['an empty token', [{ token: '' }], 'token'],
    ['a short token', [{ token: weth.slice(0, -1) }], 'token'],
    ['a long token', [{ token: `${weth}0` }], 'token'],
    ['a token with a space', [{ token: ` ${weth}` }], 'token'],
    ['a pair that is no address', [{ pairToken: '0xzz' }], 'pairToken'],
    ['CAIP-19 of another chain', [{ token: `eip155:8453/erc20:${weth}` }], 'token'],
    [
      'CAIP-19 of another chain than chainId',
      [{ chainId: 31337, pairToken: 'eip155:1/slip44:60' }],
      'pairToken',
    ],
    ['CAIP-19 of another namespace', [{ token: 'solana:1/slip44:501' }], 'token'],
    ['CAIP-19 of another coin', [{ token: 'eip155:1/slip44:966' }], 'token'],
    ['CAIP-19 of an NFT', [{ token: `eip155:1/erc721:${weth}` }], 'token'],
    ['CAIP-10', [{ token: `eip155:1:${weth}` }], 'token'],
    ['the same token twice', [{ token: weth, pairToken: weth }], 'pairToken'],
    [
      'the same token in two cases',
      [{ token: weth, pairToken: weth.toUpperCase().replace('0X', '0x') }],
      'pairToken',
    ],
    ['the same token in two ways', [{ token: native, pairToken: 'eip155:1/slip44:60' }], 'pairToken'],
    ['a token that does not exist', [{ token: nobody }], 'token'],
    ['a pair that does not exist', [{ token: weth, pairToken: nobody }], 'pairToken'],
    ['another type', [{ type: 'swap' }], 'type'],
    ['a type in capitals', [{ type: 'SELL' }], 'type'],
    ['a type that is null', [{ type: null }], 'type'],
    ['an amount without token', [{ amount: '1' }], 'amount'],
    ['an amount with only the pair', [{ amount: '1', pairToken: weth }], 'amount'],
    ['an amount that is a number', [{ token: weth, amount: 1 }], 'amount'],
    ['an amount of zero', [{ token: weth, amount: '0' }], 'amount'],
    ['an amount of zero with a fraction', [{ token: weth, amount: '0.000' }], 'amount'],
    ['a negative amount', [{ token: weth, amount: '-1' }], 'amount'],
    ['a sign', [{ token: weth, amount: '+1' }], 'amount'],
    ['an exponent', [{ token: weth, amount: '1e18' }], 'amount'],
    ['hex', [{ token: weth, amount: '0x10' }], 'amount'],
    ['a comma', [{ token: weth, amount: '1,5' }], 'amount'],
    ['a thousands mark', [{ token: weth, amount: '1_000' }], 'amount'],
    ['two points', [{ token: weth, amount: '1.2.3' }], 'amount'],
    ['an open end', [{ token: weth, amount: '1.' }], 'amount'],
    ['an open start', [{ token: weth, amount: '.5' }], 'amount'],
    ['spaces', [{ token: weth, amount: ' 1 ' }], 'amount'],
    ['an empty amount', [{ token: weth, amount: '' }], 'amount'],
    ['Arabic digits', [{ token: weth, amount: '١' }], 'amount'],
    ['not a number', [{ token: weth, amount: 'NaN' }], 'amount'],
    ['infinity', [{ token: weth, amount: 'Infinity' }], 'amount'],
    ['a digit too many for USDC', [{ token: usdc, amount: '1.0000001' }], 'amount'],
    ['a zero too many for USDC', [{ token: usdc, amount: '1.0000000' }], 'amount'],
    ['a digit too many for a token off the list', [{ token: loner, amount: '1.005' }], 'amount'],
    ['more than any token', [{ token: weth, amount: '9'.repeat(70) }], 'amount'],
    ['a page of digits', [{ token: weth, amount: '1'.repeat(100_000) }], 'amount'],
    ['slippage above one', [{ slippage: 1.01 }], 'slippage'],
    ['slippage below zero', [{ slippage: -0.01 }], 'slippage'],
    ['no slippage', [{ slippage: 0 }], 'slippage'],
    ['slippage finer than the wallet knows', [{ slippage: 0.00009 }], 'slippage'],
    ['slippage as text', [{ slippage: '0.01' }], 'slippage'],
    ['slippage that is null', [{ slippage: null }], 'slippage'],
    ['a chain of zero', [{ chainId: 0 }], 'chainId'],
    ['a chain below zero', [{ chainId: -1 }], 'chainId'],
    ['half a chain', [{ chainId: 1.5 }], 'chainId'],
    ['a chain in decimal text', [{ chainId: '1' }], 'chainId'],
    ['an empty hex chain', [{ chainId: '0x' }], 'chainId'],
    ['a hex chain of zero', [{ chainId: '0x0' }], 'chainId'],
    ['a chain that is too large', [{ chainId: '0xffffffffffffff' }], 'chainId'],
    ['a chain that is true', [{ chainId: true }], 'chainId'],
    ['from that is no address', [{ from: 'me' }], 'from'],
    ['from that is a list', [{ from: [account] }], 'from'],
    [
      'minReceived with buy',
      [{ type: 'buy', token: weth, pairToken: usdc, minReceived: '1' }],
      'minReceived',
    ],
    ['minReceived of nothing known', [{ token: weth, minReceived: '1' }], 'minReceived'],
    ['minReceived of zero', [{ token: weth, pairToken: usdc, minReceived: '0' }], 'minReceived'],
    ['minReceived that is a number', [{ token: weth, pairToken: usdc, minReceived: 1 }], 'minReceived'],
    ['minReceived too fine', [{ token: weth, pairToken: usdc, minReceived: '0.0000001' }], 'minReceived'],
    ['an expiry in the past', [{ expiry: 1_700_000_000 }], 'expiry'],
    ['an expiry of now', [{ expiry: 1_800_000_000 }], 'expiry'],
    ['an expiry that nobody can keep', [{ expiry: 1_800_000_029 }], 'expiry'],
    ['half a second', [{ expiry: later + 0.5 }], 'expiry'],
    ['an expiry as text', [{ expiry: String(later) }], 'expiry'],
    ['an expiry in milliseconds', [{ expiry: later * 1_000 }], 'expiry'],
    ['an endless expiry', [{ expiry: 1e300 }], 'expiry'],
    ['an empty id', [{ id: '' }], 'id'],
    ['a long id', [{ id: 'a'.repeat(129) }], 'id'],
    ['an id that is a number', [{ id: 7 }], 'id'],
  ]
  it.each(bad)('refuse %s', async (_name, params, field) => {
    const error = await caught(stage.method(asker(), params))
    expect(error).toBeInstanceOf(WalletError)
    expect(error).toMatchObject({ code: 'invalid-params', message: expect.stringMatching(`^${field}: `) })
    expect(await stage.approvals.list()).toEqual([])
    expect(stage.opened()).toBe(0)
  })

  const good: [string, unknown, Record<string, unknown>][] = [
    ['nothing', undefined, { type: 'sell', chainId: 1, from: account }],
    ['null', null, {}],
    ['an empty list', [], {}],
    ['a list of null', [null], {}],
    ['an empty request', [{}], {}],
    ['a request of undefined fields', [{ token: undefined, amount: undefined }], {}],
    ['a token of any case', [{ token: weth.toUpperCase().replace('0X', '0x') }], { token: weth }],
    ['the coin', [{ token: native }], { token: native }],
    [
      'the coin by CAIP-19',
      [{ token: 'eip155:1/slip44:60', amount: '1' }],
      { token: native, amount: 10n ** 18n },
    ],
    ['a token by CAIP-19', [{ pairToken: `eip155:1/erc20:${usdc}` }], { pairToken: usdc }],
    ['an amount', [{ token: usdc, amount: '1.5' }], { token: usdc, amount: 1_500_000n }],
    ['an amount of a token off the list', [{ token: loner, amount: '0.05' }], { amount: 5n }],
    ['leading zeros', [{ token: usdc, amount: '007.10' }], { amount: 7_100_000n }],
    [
      'a purchase',
      [{ type: 'buy', token: usdc, pairToken: weth, amount: '3' }],
      { type: 'buy', amount: 3_000_000n },
    ],
    ['a floor', [{ token: weth, pairToken: usdc, minReceived: '12.5' }], { minReceived: 12_500_000n }],
    ['half a percent', [{ slippage: 0.005 }], { slippageBps: 50 }],
    ['a float that is a bit short', [{ slippage: 0.0029 }], { slippageBps: 29 }],
    ['a slippage between', [{ slippage: 0.00509 }], { slippageBps: 50 }],
    ['the least slippage', [{ slippage: 0.0001 }], { slippageBps: 1 }],
    ['all slippage', [{ slippage: 1 }], { slippageBps: 10_000 }],
    ['a hex chain', [{ chainId: '0x7A69' }], { chainId: 31337 }],
    ['a number chain', [{ chainId: 31337 }], { chainId: 31337 }],
    ['from in any case', [{ from: account.toUpperCase().replace('0X', '0x') }], { from: account }],
    ['the soonest expiry', [{ expiry: 1_800_000_030 }], {}],
    ['the longest id', [{ id: 'é'.repeat(128) }], { id: 'é'.repeat(128) }],
  ]
  it.each(good)('accept %s', async (_name, params, expected) => {
    const answer = caught(stage.method(asker(), params))
    const { ask } = await stage.shown()
    expect(ask.request).toMatchObject(expected)
    await stage.approvals.rejectAll()
    expect(await answer).toMatchObject({ code: 'rejected', facts: { reason: 'rejected' } })
  })

  it('are read or refused, whatever they are', async () => {
    const field = fc.constantFrom(
      'token',
      'pairToken',
      'type',
      'amount',
      'slippage',
      'chainId',
      'expiry',
      'minReceived',
    )
    const value = fc.oneof(
      fc.anything(),
      fc.constantFrom(weth, usdc, 'sell', 'buy', '1.5', '0x1', 1, 0.5),
      fc.double(),
      fc.string({ unit: 'binary' }),
    )
    const request = fc.dictionary(field, value)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.anything(), fc.tuple(fc.anything()), fc.tuple(request)),
        async (params) => {
          // The site is not connected here: good params get no further than that.
          const error = await caught(stage.method({ ...asker(), origin: 'https://other.example' }, params))
          expect(error).toBeInstanceOf(WalletError)
          expect(['invalid-params', 'not-connected']).toContain((error as WalletError).code)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('keep the request open until its expiry, and a day at most', async () => {
    caught(stage.method(asker(), [{ expiry: later }]))
    expect((await stage.shown()).expiresAt).toBe(later * 1_000)
    await stage.approvals.rejectAll()
    caught(stage.method(asker(2), [{ expiry: 4_000_000_000 }]))
    expect((await stage.shown()).expiresAt).toBe(1_800_000_000_000 + 86_400_000)
  })
})

describe('before the window opens', () => {
  const refused = async (params: unknown, code: ErrorCode, from = asker()) => {
    expect(await caught(stage.method(from, params))).toMatchObject({ code })
    expect(stage.opened()).toBe(0)
  }

  it('refuses a site that is not connected, after its params', async () => {
    await stage.sites.disconnect(origin)
    await refused([{ token: nobody }], 'not-connected')
    await refused([{ amount: 'x' }], 'invalid-params')
    expect(stage.reads).toEqual([])
  })

  it('refuses an account that the site may not use', () => refused([{ from: stranger }], 'not-connected'))

  it('refuses when the user switched it off', async () => {
    await stage.settings.save({ ...(await stage.settings.get()), pageSwaps: false })
    await refused([{}], 'unsupported-method')
    await refused([{ from: stranger }], 'not-connected')
  })

  it('refuses a chain that the wallet does not know, or that has no service', async () => {
    await refused([{ chainId: 424242 }], 'no-service')
    await refused([{ chainId: 8453, token: nobody }], 'no-service')
  })

  it('refuses a chain that has a service and no node', async () => {
    const settings = await stage.settings.get()
    const networks = settings.networks.map((each) =>
      each.chainId === 8453 ? { ...each, serviceUrl: 'https://service.example', rpcUrl: '' } : each,
    )
    await stage.settings.save({ ...settings, networks })
    await refused([{ chainId: 8453 }], 'no-service')
  })

  it('refuses a name that is taken, and a site that may not ask now, before it reads anything', async () => {
    const first = caught(stage.method(asker(), [{ id: 'taken' }]))
    await stage.approvals.reject((await stage.shown()).id)
    await first
    const opened = stage.opened()
    const ask = { id: 'taken', token: nobody, amount: '1' }
    expect(await caught(stage.method(asker(2), [ask]))).toMatchObject({ code: 'id-used' })
    for (let one = 0; one < 3; one++) {
      const next = caught(stage.method(asker(3 + one), [{}]))
      await stage.approvals.reject((await stage.shown()).id)
      await next
    }
    expect(await caught(stage.method(asker(9), [{ token: nobody, amount: '1' }]))).toMatchObject({
      code: 'throttled',
    })
    expect(stage.reads).toEqual([])
    expect(stage.opened()).toBe(opened + 3)
  })

  it('has one request of a site open, and spends no id on a second', async () => {
    const first = caught(stage.method(asker(), [{ id: 'a' }]))
    await stage.shown()
    expect(await caught(stage.method(asker(2), [{ id: 'b' }]))).toMatchObject({ code: 'request-open' })
    expect(await stage.ids.get(origin, 'b')).toBeUndefined()
    expect(await caught(stage.method(asker(2), [{ chainId: 424242, token: nobody }]))).toMatchObject({
      code: 'request-open',
    })
    expect(stage.reads).toEqual([])
    await stage.approvals.rejectAll()
    await first
    const second = caught(stage.method(asker(3), [{ id: 'b', slippage: 0.1 }]))
    expect((await stage.shown()).ask.request.id).toBe('b')
    await stage.approvals.rejectAll()
    await second
  })

  it('spends no id on a request that nobody saw', async () => {
    for (const requestId of [1, 2, 3, 4]) {
      const answer = caught(stage.method(asker(requestId), [{}]))
      await stage.approvals.reject((await stage.shown()).id)
      await answer
    }
    expect(await caught(stage.method(asker(9), [{ id: 'a' }]))).toMatchObject({ code: 'throttled' })
    expect(await stage.ids.get(origin, 'a')).toBeUndefined()
  })

  it('asks a token’s own contract when the list does not have it', async () => {
    const broken = await createSwapStage()
    await broken.connect()
    expect(await caught(broken.method(asker(), [{ token: nobody }]))).toMatchObject({
      code: 'invalid-params',
    })
    expect(broken.reads).toEqual([`token ${nobody}`])
  })
})

describe('a swap that a page asks for', () => {
  const ask = {
    token: weth,
    pairToken: usdc,
    amount: '1.5',
    slippage: 0.005,
    minReceived: '2990',
    id: 'mine',
  }
  const { id } = newIntent()
  const signed = (swap: Swap['steps'][number]['state']) =>
    [
      { kind: 'approve', state: 'mined', hash: hashOf(1) },
      { kind: 'swap', state: swap, hash: hashOf(2) },
    ] as const

  async function accept(intent = newIntent()): Promise<void> {
    await stage.approvals.approve((await stage.shown()).id, { kind: 'swap', intent })
  }

  const data = () => stage.told.map(({ data }) => (data as { data: unknown }).data)

  it('answers the receipt, the hashes and its names once it is mined', async () => {
    const answer = stage.method(asker(), [ask])
    await accept()
    const receipt = { transactionHash: hashOf(2), status: '0x1', extra: 'kept' }
    stage.receipts.set(hashOf(2), () => receipt)
    stage.journal.go(id, [...signed('sent')])
    await until(async () => (stage.told.length === 2 ? true : undefined), 'progress')
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    expect(await answer).toEqual({
      receipt,
      id: 'mine',
      chainId: '0x1',
      transactions: [hashOf(1), hashOf(2)],
    })
    expect(data()).toEqual([
      { id: 'mine', status: 100 },
      { id: 'mine', status: 100, hash: hashOf(2) },
      { id: 'mine', status: 200, hash: hashOf(2) },
    ])
    expect(stage.told[0]).toMatchObject({
      event: 'message',
      data: { type: 'wallet_swapStatus' },
      documentId: 'DOC',
    })
  })

  it('leaves a record that tells where it stands', async () => {
    const answer = caught(stage.method(asker(), [ask]))
    await stage.shown()
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ kind: 'swap', state: 'open', chainId: 1 })
    await accept()
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'sent', intentId: id })
    stage.journal.go(id, [], { status: 'failed', code: 'no-route', message: '', facts: {} })
    await answer
  })

  it('waits for a node that has no receipt yet, or does not answer', async () => {
    const answer = stage.method(asker(), [ask])
    await accept()
    let asks = 0
    stage.receipts.set(hashOf(2), () => {
      asks++
      if (asks === 2) throw new WalletError('node-timeout', 'Too late.')
      return asks < 4 ? null : { status: '0x1' }
    })
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    expect(await answer).toMatchObject({ receipt: { status: '0x1' } })
    expect(asks).toBe(4)
  })

  it('gives up on a node that never has the receipt', async () => {
    const answer = caught(stage.method(asker(), [ask]))
    await accept()
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    expect(await answer).toMatchObject({ code: 'node-timeout' })
  })

  it('resolves a reverted swap with its receipt', async () => {
    const answer = stage.method(asker(), [ask])
    await accept()
    stage.receipts.set(hashOf(2), () => ({ status: '0x0' }))
    stage.journal.go(id, [...signed('reverted')], {
      status: 'failed',
      code: 'reverted',
      message: '',
      facts: {},
    })
    expect(await answer).toMatchObject({ receipt: { status: '0x0' }, transactions: [hashOf(1), hashOf(2)] })
    expect(data().at(-1)).toMatchObject({ status: 500 })
  })

  const failures: [ErrorCode, string][] = [
    ['no-route', 'noRoute'],
    ['not-enough-balance', 'insufficientFunds'],
    ['not-enough-gas', 'insufficientFunds'],
    ['not-enough-allowance', 'allowanceFailed'],
    ['below-floor', 'belowMinimum'],
    ['stale-review', 'belowMinimum'],
    ['reverted', 'belowMinimum'],
    ['service-unreachable', 'serviceUnavailable'],
    ['service-busy', 'serviceUnavailable'],
    ['unsafe-transaction', 'serviceUnavailable'],
    ['replaced', 'replaced'],
    ['dropped', 'replaced'],
  ]
  it.each(failures)('tells %s as %s, and nothing of the account', async (code, reason) => {
    const answer = caught(stage.method(asker(), [ask]))
    await accept()
    stage.journal.go(
      id,
      [
        { kind: 'approve', state: 'final', hash: hashOf(1) },
        { kind: 'swap', state: 'waiting' },
      ],
      { status: 'failed', code, message: 'The account holds 5.', facts: { balance: '5' } },
    )
    const error = (await answer) as WalletError
    expect(error.code).toBe('not-sent')
    expect(error.facts).toEqual({ id: 'mine', reason, transactions: hashOf(1) })
    expect(error.message).not.toContain('5')
    expect(data().at(-1)).toMatchObject({ status: 400 })
  })

  it('tells an approval that reverted as such', async () => {
    const answer = caught(stage.method(asker(), [ask]))
    await accept()
    stage.journal.go(
      id,
      [
        { kind: 'approve', state: 'reverted', hash: hashOf(1) },
        { kind: 'swap', state: 'waiting' },
      ],
      { status: 'failed', code: 'reverted', message: '', facts: {} },
    )
    expect(await answer).toMatchObject({ code: 'not-sent', facts: { reason: 'allowanceFailed' } })
  })

  it('tells a node that is not there as such', async () => {
    const answer = caught(stage.method(asker(), [ask]))
    await accept()
    stage.journal.go(id, [], { status: 'failed', code: 'node-unreachable', message: 'x', facts: {} })
    expect(await answer).toMatchObject({ code: 'node-unreachable' })
  })

  it('is refused when the user says no, and its id stays used', async () => {
    const answer = caught(stage.method(asker(), [ask]))
    await stage.approvals.reject((await stage.shown()).id)
    expect(await answer).toMatchObject({ code: 'rejected', facts: { reason: 'rejected' } })
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'refused' })
    expect(await caught(stage.method(asker(2), [ask]))).toMatchObject({ code: 'id-used' })
  })

  it('is over at its expiry', async () => {
    const answer = caught(stage.method(asker(), [{ ...ask, expiry: later }]))
    await stage.shown()
    stage.pass(60_001)
    await stage.approvals.expire()
    expect(await answer).toMatchObject({ code: 'rejected', facts: { reason: 'expired' } })
  })

  it('joins the same request of another document, while it is open and while it is pending', async () => {
    const first = stage.method(asker(), [ask])
    await stage.shown()
    const second = stage.method(asker(9, 'OTHER'), [ask])
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await stage.approvals.list()).toHaveLength(1)
    await accept()
    stage.journal.go(id, [...signed('sent')])
    const third = stage.method(asker(2), [ask])
    stage.receipts.set(hashOf(2), () => ({ status: '0x1' }))
    await until(async () => (stage.told.length >= 4 ? true : undefined), 'all three to listen')
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    const [one, two, three] = await Promise.all([first, second, third])
    expect(two).toEqual(one)
    expect(three).toEqual(one)
    expect(stage.journal.stored.size).toBe(1)
    // Over is over, except for whoever asked first and did not hear of it.
    expect(await caught(stage.method(asker(5), [ask]))).toMatchObject({ code: 'id-used' })
    expect(await stage.method(asker(), [ask])).toEqual(one)
  })

  it('knows another request by the same id', async () => {
    const first = caught(stage.method(asker(), [ask]))
    await stage.shown()
    expect(await caught(stage.method(asker(2), [{ ...ask, amount: '2' }]))).toMatchObject({ code: 'id-used' })
    await stage.approvals.rejectAll()
    await first
  })

  it('frees an id after a day', async () => {
    const first = caught(stage.method(asker(), [ask]))
    await stage.approvals.reject((await stage.shown()).id)
    await first
    stage.pass(24 * 60 * 60_000 + 1)
    const again = caught(stage.method(asker(2), [{ ...ask, amount: '2' }]))
    await stage.shown()
    await stage.approvals.rejectAll()
    expect(await again).toMatchObject({ code: 'rejected' })
  })

  it('goes on after the worker was stopped, with and without an id of its own', async () => {
    for (const params of [[ask], [{ token: weth, pairToken: usdc }]]) {
      const disk = newDisk()
      stage = await createSwapStage(disk)
      await stage.connect()
      caught(stage.method(asker(), params))
      const before = await stage.shown()
      stage = await createSwapStage(disk)
      const answer = stage.method(asker(), params)
      const after = await stage.shown()
      expect(after).toEqual(before)
      await accept()
      stage = await createSwapStage(disk)
      const again = stage.method(asker(), params)
      caught(answer)
      stage.receipts.set(hashOf(2), () => ({ status: '0x1' }))
      stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
      expect(await again).toMatchObject({ receipt: { status: '0x1' }, id: after.ask.request.id })
      expect(await stage.approvals.list()).toEqual([])
    }
  })

  it('is heard again past its expiry, once it was accepted', async () => {
    const params = [{ ...ask, expiry: later }]
    caught(stage.method(asker(), params))
    await accept()
    stage.pass(120_000)
    const again = stage.method(asker(), params)
    stage.receipts.set(hashOf(2), () => ({ status: '0x1' }))
    stage.journal.go(id, [...signed('mined')], { status: 'done', received: 1n })
    expect(await again).toMatchObject({ id: 'mine' })
  })
})

describe('carrying it out', () => {
  const ask = {
    token: weth,
    pairToken: usdc,
    amount: '1.5',
    slippage: 0.005,
    minReceived: '2990',
    id: 'mine',
  }
  const { id, trade } = newIntent()

  async function open() {
    caught(stage.method(asker(), [ask]))
    return stage.shown()
  }

  const wrong: [string, Parameters<typeof newIntent>[0], ErrorCode][] = [
    ['another account', { account: stranger }, 'invalid-input'],
    ['another chain', { trade: { ...trade, chainId: 31337 } }, 'invalid-input'],
    ['more slippage', { slippageBps: 51 }, 'invalid-input'],
    ['a lower floor', { floor: 2_989_999_999n }, 'below-floor'],
    ['an intent that is none', { id: 'x' }, 'invalid-input'],
  ]
  it.each(wrong)('refuses %s, and the request stays open', async (_name, changes, code) => {
    const approval = await open()
    const decision = { kind: 'swap', intent: newIntent(changes) } as const
    expect(await caught(stage.approvals.approve(approval.id, decision))).toMatchObject({ code })
    expect(stage.journal.stored.size).toBe(0)
    expect(await stage.approvals.list()).toHaveLength(1)
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'open' })
  })

  it('holds to the floor only while the pair and the amount are the page’s', async () => {
    for (const changed of [
      { ...trade, amount: 1n },
      { ...trade, buy: native },
      { ...trade, sell: loner },
    ]) {
      stage = await createSwapStage()
      await stage.connect()
      const approval = await open()
      await stage.approvals.approve(approval.id, {
        kind: 'swap',
        intent: newIntent({ trade: changed, floor: 1n }),
      })
      expect(stage.journal.stored.size).toBe(1)
    }
  })

  it('holds to the floor for any amount when the page named none', async () => {
    caught(stage.method(asker(), [{ token: weth, pairToken: usdc, minReceived: '2990' }]))
    const approval = await stage.shown()
    const answer = (changes: Parameters<typeof newIntent>[0]) =>
      caught(stage.approvals.approve(approval.id, { kind: 'swap', intent: newIntent(changes) }))
    expect(await answer({ trade: { ...trade, amount: 1n }, floor: 2_989_999_999n })).toMatchObject({
      code: 'below-floor',
    })
    expect(await answer({ trade: { ...trade, amount: 1n }, floor: 2_990_000_000n })).toBeUndefined()
  })

  it('holds to an amount to buy while the user sells what the form was filled with', async () => {
    const purchase = { type: 'buy', token: usdc, pairToken: weth, amount: '3000' }
    for (const [filled, floor, code] of [
      [trade.amount, 2_999_999_999n, 'below-floor'],
      [trade.amount, 3_000_000_000n, undefined],
      // Another amount than the form's is the user's own.
      [trade.amount + 1n, 1n, undefined],
      [undefined, 1n, undefined],
    ] as const) {
      stage = await createSwapStage()
      await stage.connect()
      caught(stage.method(asker(), [purchase]))
      const approval = await stage.shown()
      const decision = {
        kind: 'swap',
        intent: newIntent({ floor }),
        ...(filled === undefined ? {} : { filled }),
      } as const
      const error = await caught(stage.approvals.approve(approval.id, decision))
      expect((error as WalletError | undefined)?.code).toBe(code)
      expect(stage.journal.stored.size).toBe(code === undefined ? 1 : 0)
    }
  })

  it('is done once, however often it is asked for', async () => {
    const approval = await open()
    const decision = { kind: 'swap', intent: newIntent() } as const
    expect(await stage.carryOut(approval, decision)).toEqual({ intentId: id })
    expect(await stage.carryOut(approval, decision)).toEqual({ intentId: id })
    const other = { kind: 'swap', intent: newIntent({ id: 'f'.repeat(32) }) } as const
    expect(await stage.carryOut(approval, other)).toEqual({ intentId: id })
    expect([...stage.journal.stored.keys()]).toEqual([id])
  })

  it('takes the mark back when the journal does not take the intent', async () => {
    const approval = await open()
    stage.journal.refuse(new WalletError('locked', 'Locked.'))
    const decision = { kind: 'swap', intent: newIntent() } as const
    expect(await caught(stage.approvals.approve(approval.id, decision))).toMatchObject({ code: 'locked' })
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'open' })
    stage.journal.refuse(undefined)
    await stage.approvals.approve(approval.id, decision)
    expect(await stage.ids.get(origin, 'mine')).toMatchObject({ state: 'sent', intentId: id })
  })
})
