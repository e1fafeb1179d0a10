import fc from 'fast-check'
import { encodeFunctionData, erc20Abi } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { hasOutcome } from '../../../../src/domain/activity/intent.ts'
import type { Approval } from '../../../../src/domain/dapp/approval.ts'
import type { Address, Hex } from '../../../../src/domain/token/token.ts'
import { WalletError } from '../../../../src/errors.ts'
import { accepting, asker, createDesk, type Desk, origin } from '../../../helpers/background/sendStage.ts'
import { type Browser, createBrowser, until, useStage } from '../../../helpers/background/worker.ts'
import { figure } from '../../../helpers/figures.ts'
import { runs } from '../../../helpers/runs.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

const stage = useStage()
let browser: Browser
let desk: Desk

beforeEach(async () => {
  browser = await createBrowser(stage)
  desk = createDesk(browser)
  await desk.connect()
})

const friend: Address = `0x${'f1'.repeat(20)}`
const send = (transaction: object, by = asker()) => desk.call('eth_sendTransaction', [transaction], by)
const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })

function transfer(amount: bigint): { to: Address; data: Hex } {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, amount] })
  return { to: stage.localnet.tokens.DAI, data }
}

describe('eth_sendTransaction', () => {
  it('returns the hash of an approved transaction', async () => {
    const { client } = stage.localnet
    const before = await client.getBalance({ address: friend })
    const answer = send({ from: browser.account, to: friend, value: '0x5' })
    const approval = await desk.agree()
    expect(approval).toMatchObject({
      origin,
      chainId: 31337,
      ask: { kind: 'send', account: browser.account, calls: [{ to: friend, data: '0x', value: 5n }] },
    })
    const hash = (await answer) as Hex
    expect((await client.receiptOf(hash)).status).toBe('success')
    expect(await client.getBalance({ address: friend })).toBe(before + 5n)
  })

  it('accepts the fields of real clients and ignores their nonce and fees', async () => {
    const answer = send({
      from: browser.account.toUpperCase().replace('0X', '0x'),
      to: friend.toUpperCase().replace('0X', '0x'),
      value: '0x01',
      data: null,
      gasLimit: '0x30d40',
      chainId: '0x7a69',
      type: '0x2',
      nonce: '0x63',
      maxFeePerGas: '0x1',
      maxPriorityFeePerGas: '0x1',
      accessList: [],
      extra: { of: 'the client' },
    })
    await desk.agree()
    const sent = await stage.localnet.client.getTransaction({ hash: (await answer) as Hex })
    expect(sent).toMatchObject({ nonce: 0, gas: 200_000n, to: friend, value: 1n })
    expect(sent.maxFeePerGas).toBeGreaterThan(1n)
  })

  it('defaults to the first permitted account and accepts input for data', async () => {
    const { to, data } = transfer(1n)
    const answer = send({ to, input: data, data })
    expect((await desk.open()).ask).toMatchObject({
      account: browser.account,
      calls: [{ to, data, value: 0n }],
    })
    await desk.agree()
    expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
  })

  it('trims white space around addresses and numbers', async () => {
    const answer = send({
      from: ` ${browser.account}\n`,
      to: `\t${friend.toUpperCase().replace('0X', '0x')}\u00a0`,
      value: ' 0x7 ',
      gas: '0x30d40\n',
      chainId: ' 0x7a69',
      data: '',
    })
    expect((await desk.open()).ask).toEqual({
      kind: 'send',
      account: browser.account,
      calls: [{ to: friend, data: '0x', value: 7n, gas: 200_000n }],
    })
    await desk.agree()
    const sent = await stage.localnet.client.getTransaction({ hash: (await answer) as Hex })
    expect(sent).toMatchObject({ to: friend, value: 7n, gas: 200_000n })
  })

  it.each([null, undefined, '', '0x', '0X', ' '])('creates a contract when to is %j', async (to) => {
    // PUSH1 0, PUSH1 0, RETURN: a contract without code.
    const answer = send({ to, data: '0x60006000f3' })
    expect((await desk.open()).ask).toMatchObject({ calls: [{ data: '0x60006000f3', value: 0n }] })
    await desk.agree()
    const receipt = await stage.localnet.client.receiptOf((await answer) as Hex)
    expect(receipt.contractAddress).toMatch(/^0x/)
  })

  it.each<[string, object, string]>([
    ['no target and no data', {}, 'to:'],
    ['no address', { to: '0x12' }, 'to:'],
    ['an address with white space in it', { to: `${friend.slice(0, 20)} ${friend.slice(20)}` }, 'to:'],
    ['an empty target and no data', { to: '' }, 'to:'],
    ['a number for a target', { to: 0, data: '0x60006000f3' }, 'to:'],
    ['white space in a number', { to: friend, value: '0x1 0' }, 'value:'],
    ['a sender that is no address', { from: 'me', to: friend }, 'from:'],
    ['half a byte', { to: friend, data: '0x123' }, 'data:'],
    ['two different data', { to: friend, data: '0x12', input: '0x34' }, 'input:'],
    ['two different limits', { to: friend, gas: '0x5208', gasLimit: '0x5209' }, 'gasLimit:'],
    ['a number that is none', { to: friend, value: '5 ether' }, 'value:'],
    ['a negative number', { to: friend, value: '-0x1' }, 'value:'],
    ['more than a word', { to: friend, value: `0x1${'0'.repeat(64)}` }, 'value:'],
    ['more gas than a block has', { to: friend, gas: '0x3b9aca00' }, 'gas:'],
    ['another chain', { to: friend, chainId: '0x1' }, 'chainId:'],
    ['a nonce that is none', { to: friend, nonce: 'next' }, 'nonce:'],
    ['a fee that is none', { to: friend, maxFeePerGas: 'low' }, 'maxFeePerGas:'],
    ['an access list that is none', { to: friend, accessList: [{}] }, 'accessList.address:'],
    ['a type that nobody knows', { to: friend, type: '0x5' }, 'type:'],
    ['a type that is none', { to: friend, type: 'legacy' }, 'type:'],
  ])('rejects %s without a prompt', async (_name, transaction, field) => {
    const refusal = await send(transaction).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'invalid-params', message: expect.stringContaining(field) })
    expect(await desk.approvals.list()).toEqual([])
  })

  it.each<unknown>([[undefined], [[]], [['0x']], [{ to: friend }]])(
    'rejects params like %j',
    async (params) => {
      await expect(desk.call('eth_sendTransaction', params)).rejects.toMatchObject({ code: 'invalid-params' })
    },
  )

  it.each([
    { authorizationList: [] },
    { type: '0x4' },
    { type: 4 },
    { type: '0x3' },
    { blobVersionedHashes: [] },
    { maxFeePerBlobGas: '0x1' },
  ])('rejects the unsupported transaction fields %j without a prompt', async (more) => {
    await expect(send({ to: friend, ...more })).rejects.toMatchObject({ code: 'unsupported-method' })
    expect(await desk.approvals.list()).toEqual([])
  })

  it('rejects an unconnected site and an account without permission', async () => {
    const stranger = send({ to: friend }, asker(1, 'https://other.example'))
    await expect(stranger).rejects.toMatchObject({ code: 'not-connected' })
    await expect(send({ from: friend, to: friend })).rejects.toMatchObject({ code: 'not-connected' })
    expect(await desk.approvals.list()).toEqual([])
  })

  it('throws node-unreachable without a prompt on a chain without an RPC', async () => {
    await desk.settings.update((before) => ({
      ...before,
      networks: before.networks.map((one) => ({ ...one, rpcUrl: '' })),
    }))
    await expect(send({ to: friend })).rejects.toMatchObject({ code: 'node-unreachable' })
    expect(await desk.approvals.list()).toEqual([])
  })

  it('throws rejected when the user rejects', async () => {
    const answer = send({ to: friend })
    const refused = expect(answer).rejects.toMatchObject({ code: 'rejected' })
    await desk.approvals.reject((await desk.open()).id)
    await refused
    expect(await nonce()).toBe(0)
  })

  it('throws not-sent with the reason for an approved transaction that was not sent', async () => {
    const has = await stage.localnet.client.getBalance({ address: browser.account })
    const poor = send({ to: friend, value: `0x${has.toString(16)}` })
    const refused = expect(poor).rejects.toMatchObject({
      code: 'not-sent',
      facts: { id: expect.stringMatching(/^[0-9a-f]{32}$/), reason: 'insufficientFunds', transactions: '' },
    })
    await desk.agree()
    await refused
    const costly = expect(send({ to: friend }, asker(2))).rejects.toMatchObject({
      code: 'not-sent',
      facts: { reason: 'stale-review' },
    })
    await desk.agree({ feeCap: 1n })
    await costly
    const failing = expect(send(transfer(10n ** 30n), asker(3))).rejects.toMatchObject({
      code: 'not-sent',
      facts: { reason: 'reverted' },
    })
    await desk.agree()
    await failing
    expect(await nonce()).toBe(0)
  })

  it('throws would-fail for a failing call with a gas limit that the user has not accepted', async () => {
    const answer = send({ ...transfer(10n ** 30n), gas: '0x186a0' })
    const refused = expect(answer).rejects.toMatchObject({ code: 'rejected' })
    await expect(desk.agree({ mayFail: false })).rejects.toMatchObject({ code: 'would-fail' })
    await desk.approvals.reject((await desk.open()).id)
    await refused
    expect(await nonce()).toBe(0)
  })

  it('sends a failing call with a gas limit that the user has accepted, and returns its hash', async () => {
    const answer = send({ ...transfer(10n ** 30n), gas: '0x186a0' })
    await desk.agree()
    const receipt = await stage.localnet.client.receiptOf((await answer) as Hex)
    expect(receipt.status).toBe('reverted')
  })

  it('joins a repeated request after a worker restart and sends it once', async () => {
    void send({ to: friend, value: '0x1' }).catch(() => undefined)
    const { id } = await desk.open()

    desk = createDesk(browser)
    const again = send({ to: friend, value: '0x1' })
    expect((await desk.open()).id).toBe(id)
    await desk.agree()
    const hash = await again

    desk = createDesk(browser)
    await desk.worker.resume()
    expect(await send({ to: friend, value: '0x1' })).toBe(hash)
    await desk.worker.until(id, hasOutcome)
    expect(await nonce()).toBe(1)
  })

  it('finds a repeated request in the journal after its answer expired, without a prompt', async () => {
    const answer = send({ to: friend, value: '0x1' })
    const { id } = await desk.agree()
    const hash = await answer
    await desk.worker.until(id, hasOutcome)

    desk = createDesk(browser, { now: () => Date.now() + 11 * 60_000 })
    // The next write drops expired records.
    const other = send({ to: friend }, asker(2)).catch(() => undefined)
    await desk.approvals.reject((await desk.open()).id)
    await other
    await desk.sites.disconnect(origin)
    expect(await send({ to: friend, value: '0x1' })).toBe(hash)
    expect(await desk.approvals.list()).toEqual([])
    expect(await nonce()).toBe(1)
  })

  it('throws record-damaged when its journal record is damaged', async () => {
    const answer = send({ to: friend, value: '0x1' })
    await desk.agree()
    await answer
    for (const key of browser.local.keys()) if (key.startsWith('calls.')) browser.local.set(key, '"damaged"')
    desk = createDesk(browser)
    await expect(send({ to: friend, value: '0x1' })).rejects.toMatchObject({
      code: 'record-damaged',
      message: 'What the wallet kept of it was damaged. It may have been sent.',
    })
  })

  it('sends the transaction once when the worker stops at random operations', async () => {
    const deaths = fc.array(fc.integer({ min: 1, max: 35 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(deaths, async (moments) => {
        browser = await createBrowser(stage)
        await createDesk(browser).connect()
        let agreed: Parameters<Desk['approvals']['approve']> | undefined
        const decide = async (approval: Approval): Promise<NonNullable<typeof agreed>> => [
          approval.id,
          accepting(await createDesk(browser).preview(approval)),
        ]
        /** Approves again on each worker, like state/approvals.ts. */
        const live = async (life: Desk) => {
          await life.worker.resume()
          const answer = life.call('eth_sendTransaction', [{ to: friend, value: '0x1' }])
          answer.catch(() => undefined)
          agreed ??= await decide(await life.open())
          life.approvals.approve(...agreed).catch(() => undefined)
          return answer
        }
        for (const at of moments) {
          let count = 0
          let ended = false
          const never = new Promise<never>(() => {})
          const doomed = createDesk(browser, {
            gate: async (_operation, perform) => {
              const mine = ++count
              ended ||= mine > at
              if (mine > at) return never
              const result = await perform()
              return mine < at ? result : never
            },
          })
          live(doomed).then(
            () => (ended = true),
            () => (ended = true),
          )
          await until(async () => count >= at || ended || undefined, `death after ${at} operations`)
        }
        desk = createDesk(browser)
        const hash = (await live(desk)) as Hex
        await stage.localnet.client.receiptOf(hash)
        expect([moments, await nonce()]).toEqual([moments, 1])
      }),
      { numRuns: runs(6, 12), endOnFailure: true },
    )
    figure(
      '63, 64',
      `${runs(6, 12)} transactions of a page, the worker stopped up to four times on the way: each sent once`,
    )
  })

  it('sends the transaction once the RPC is reachable again', async () => {
    let down = 3
    desk = createDesk(browser, {
      chain: (chain) => ({
        ...chain,
        send(raw) {
          if (down-- > 0) throw new WalletError('node-unreachable', 'The node cannot be reached.')
          return chain.send(raw)
        },
      }),
    })
    const answer = send({ to: friend })
    await desk.agree()
    const receipt = await stage.localnet.client.receiptOf((await answer) as Hex)
    expect(receipt.status).toBe('success')
  })

  it('returns the hash when sending times out and the nonce is already used', async () => {
    const { client } = stage.localnet
    desk = createDesk(browser, {
      chain: (chain) => ({
        ...chain,
        async send() {
          await client.setNonce({ address: browser.account, nonce: 1 })
          throw new WalletError('node-timeout', 'The node did not answer.')
        },
      }),
    })
    const answer = send({ to: friend })
    await desk.agree()
    expect(await answer).toMatch(/^0x[0-9a-f]{64}$/)
  })
})

describe('preview of eth_sendTransaction and wallet_sendCalls', () => {
  it('returns the simulation, the network fee and the fee cap', async () => {
    void send(transfer(5n)).catch(() => undefined)
    const preview = await desk.preview(await desk.open())
    expect(preview.simulation).toMatchObject({ status: 'succeeds', changes: [{ amount: -5n }] })
    expect(preview.networkFee).toBeGreaterThan(0n)
    expect(preview.feeCap).toBe((preview.networkFee * 3n) / 2n)
    expect(preview.expectedFee).toBeGreaterThan(0n)
    expect(preview.expectedFee).toBeLessThanOrEqual(preview.networkFee)
  })

  it('returns a fee cap that covers several calls', async () => {
    const calls = [transfer(5n), { to: friend, value: '0x1' }, transfer(6n)]
    const answer = desk.call('wallet_sendCalls', [{ version: '2.0.0', chainId: '0x7a69', calls }])
    const approval = await desk.open()
    const { simulation, feeCap } = await desk.preview(approval)
    expect(simulation).toMatchObject({
      status: 'succeeds',
      changes: [{ amount: -1n }, { token: { symbol: 'DAI' }, amount: -11n }],
    })
    await desk.agree({ feeCap })
    await answer
    expect((await desk.worker.until(approval.id, hasOutcome)).outcome.status).toBe('done')
  })

  it('includes the L1 fee of a rollup in a fee cap that suffices for signing', async () => {
    const l1Fee = 10n ** 17n
    desk = createDesk(browser, { chain: (chain) => ({ ...chain, l1Fee: async () => l1Fee }) })
    const answer = send(transfer(5n))
    const { networkFee, feeCap } = await desk.preview(await desk.open())
    expect(networkFee > l1Fee && networkFee < 2n * l1Fee).toBe(true)
    await desk.agree({ feeCap })
    expect(await answer).toMatch(/^0x/)
  })

  it('returns a fee for a failing call', async () => {
    void send(transfer(10n ** 30n)).catch(() => undefined)
    const preview = await desk.preview(await desk.open())
    expect(preview.simulation).toMatchObject({ status: 'reverts' })
    expect(preview.networkFee).toBeGreaterThan(0n)
  })

  it('rejects a request that sends nothing', async () => {
    const approval = { id: '', origin, chainId: 31337, createdAt: 0, expiresAt: 0 }
    const other = desk.preview({ ...approval, ask: { kind: 'switch-chain', to: 1 } })
    await expect(other).rejects.toMatchObject({ code: 'invalid-input' })
  })
})
