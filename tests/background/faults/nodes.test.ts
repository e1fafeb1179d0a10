import { erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPreviewTransfer, transferIntent } from '../../../src/background/transfers/transfer.ts'
import type { CallBatch, CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { toWalletError, WalletError } from '../../../src/errors.ts'
import { formatError } from '../../../src/ui/messages/errors/errors.ts'
import {
  type Browser,
  createBrowser,
  createWorker,
  until,
  useStage,
} from '../../helpers/background/worker.ts'
import { deathAfter } from '../../helpers/background/workerDeath.ts'
import { type Fault, html, json, text } from '../../helpers/node/faultServer.ts'
import { type MoodyNode, startMoodyNode } from '../../helpers/node/faultyRpc.ts'
import { partOf } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

// Final after three blocks.
const stage = useStage(3)
let node: MoodyNode
let begun: number
let browser: Browser
/** New for each test: its balance shows what was sent. */
let friend: Address
let receivers = 0
let death: ReturnType<typeof deathAfter>

beforeAll(async () => {
  node = await startMoodyNode({}, stage.localnet.rpcUrl)
  browser = await createBrowser({ ...stage, network: { ...stage.network, rpcUrl: node.url } })
  begun = Date.now()
})
afterAll(() => node?.stop())
beforeEach(() => {
  friend = `0xf2${(++receivers).toString(16).padStart(38, '0')}`
})
afterEach(async () => {
  death.stop()
  node.mood = undefined
  node.moods = {}
  for (const method of Object.keys(node.answers)) delete node.answers[method]
  await stage.startMining()
})

/** Fixed clock: no timeout or auto-lock on slow machines. Short deadlines only for late answers. */
function start() {
  death = deathAfter(Number.POSITIVE_INFINITY)
  return createWorker(browser, {
    gate: death.gate,
    now: () => begun,
    wire: {
      timeout: () => AbortSignal.timeout(isLate() ? deadlineMs : 60_000),
      sleep: async () => undefined,
      random: () => 0,
    },
  })
}

const deadlineMs = 1_500

function isLate(): boolean {
  return Object.values(node.moods).includes(late)
}

function transfer(amount = 5n): CallsIntent {
  return transferIntent({
    id: crypto.randomUUID().replaceAll('-', ''),
    chainId: 31337,
    account: browser.account,
    token: stage.localnet.tokens.DAI,
    to: friend,
    amount,
    feeCap: 10n ** 18n,
  })
}

const arrived = () =>
  stage.localnet.client.readContract({
    address: stage.localnet.tokens.DAI,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [friend],
  })
const used = () => stage.localnet.client.getTransactionCount({ address: browser.account })

const late: Fault = (response) => {
  setTimeout(() => json({ jsonrpc: '2.0', id: 1, result: '0x1' })(response), deadlineMs + 200)
}
const result = (value: unknown) => json({ jsonrpc: '2.0', id: 1, result: value })

const faults: Record<string, Fault> = {
  'answers late': late,
  'answers null': result(null),
  'answers a number as text': result('a lot'),
  'answers a number': result(7),
  'answers an object': result({ hash: 7 }),
  'answers a list': result([]),
  'asks for a pause': text('', 429, { 'retry-after': '30' }),
  'asks for a pause inside a 200': json({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -32005, message: 'limit exceeded' },
  }),
  'is out of order': html(503),
  'answers a page': html(200),
}

/** Required before signing, optional, and after. */
const beforeSigning = ['eth_estimateGas', 'eth_getBalance', 'eth_chainId', 'eth_getTransactionCount']
const feeHints = ['eth_maxPriorityFeePerGas', 'eth_feeHistory']
const afterSigning = [
  'eth_sendRawTransaction',
  'eth_getTransactionReceipt',
  'eth_blockNumber',
  'eth_getTransactionByHash',
]

const cases = (methods: string[]) =>
  methods.flatMap((method) => Object.keys(faults).map((name) => ({ method, name })))

function isInWords({
  code,
  message,
  facts,
}: {
  code: string
  message: string
  facts: Record<string, string>
}) {
  expect(code).not.toBe('internal')
  expect(formatError(new WalletError(code as WalletError['code'], message, facts)).what).toMatch(/\w+.*\.$/)
}

async function asked(worker: ReturnType<typeof start>, id: string, method: string, times: number) {
  const count = () => node.methods.filter((one) => one === method).length
  const before = count()
  await until(async () => {
    const one = await worker.find(id)
    return one?.outcome.status === 'failed' || count() >= before + times || undefined
  }, `${method} to be asked`)
}

function previewer({ networks }: ReturnType<typeof start>) {
  const tokenOf = async (chainId: number, one: Address) => (await networks.chain(chainId)).token(one)
  return createPreviewTransfer({ networks, tokenOf })
}

async function over(worker: ReturnType<typeof start>, { id }: CallsIntent): Promise<CallBatch> {
  await worker.resume()
  return worker.over<CallBatch>(id)
}

describe('RPC errors before a transfer is signed', () => {
  it.each(partOf(cases(beforeSigning), 13))(
    'sends nothing while the RPC $name to $method, and sends once it recovers',
    async ({ method, name }) => {
      const nonce = await used()
      const worker = start()
      const first = transfer()
      node.moods[method] = faults[name]!
      await worker.send(first)
      await asked(worker, first.id, method, 3)
      expect([await arrived(), await used()]).toEqual([0n, nonce])
      const { outcome, steps } = (await worker.find(first.id))!
      expect(steps.every(({ state }) => state === 'waiting')).toBe(true)
      node.moods = {}
      if (outcome.status === 'failed') {
        isInWords(outcome)
        // The user sends again.
        const next = transfer()
        await worker.send(next)
        expect((await over(worker, next)).outcome.status).toBe('done')
      } else expect((await over(worker, first)).outcome.status).toBe('done')
      expect([await arrived(), await used()]).toEqual([5n, nonce + 1])
    },
  )
})

describe('RPC errors in fee hints', () => {
  it.each(partOf(cases(feeHints), 7))(
    'previews and sends the transfer without the hint when the RPC $name to $method',
    async ({ method, name }) => {
      const nonce = await used()
      const worker = start()
      const intent = transfer()
      const count = () => node.methods.filter((one) => one === method).length
      const before = count()
      node.moods[method] = faults[name]!
      const { chainId, account, purpose } = intent
      const { token, amount } = purpose as { token: Address; amount: bigint }
      const ask = { chainId, account, token, to: friend, amount }
      expect(await previewer(worker)(ask)).toMatchObject({ simulation: { status: 'succeeds' } })
      await worker.send(intent)
      expect((await over(worker, intent)).outcome.status).toBe('done')
      expect(count()).toBeGreaterThan(before)
      expect([await arrived(), await used()]).toEqual([5n, nonce + 1])
    },
  )
})

describe('RPC errors while a transfer is simulated', () => {
  const methods = ['eth_call', 'eth_estimateGas', 'eth_simulateV1', 'eth_chainId']

  it.each(partOf(cases(methods), 13))(
    'reports an error or a limited simulation, and stores nothing, when the RPC $name to $method',
    async ({ method, name }) => {
      const worker = start()
      const { chainId, account, purpose } = transfer()
      const { token, amount } = purpose as { token: Address; amount: bigint }
      const preview = previewer(worker)
      const before = [...browser.local.keys()]
      const ask = { chainId, account, token, to: friend, amount }
      node.moods[method] = faults[name]!
      const found = await preview(ask).catch(toWalletError)
      if (found instanceof WalletError) isInWords(found)
      else {
        const { simulation } = found
        expect([method, simulation.status === 'unknown' || simulation.isNarrow]).toEqual([
          'eth_simulateV1',
          true,
        ])
      }
      node.moods = {}
      expect(await preview(ask)).toMatchObject({ simulation: { status: 'succeeds' }, arrives: amount })
      expect([...browser.local.keys()]).toEqual(before)
    },
  )
})

describe('RPC errors after a transfer is signed', () => {
  it.each(partOf(cases(afterSigning), 13))(
    'neither loses, duplicates nor fails the transfer when the RPC $name to $method',
    async ({ method, name }) => {
      const nonce = await used()
      const worker = start()
      const intent = transfer()
      // Only queried while pending.
      if (method === 'eth_getTransactionByHash') await stage.stopMining()
      node.moods[method] = faults[name]!
      await worker.send(intent)
      await asked(worker, intent.id, method, 5)
      expect((await worker.find(intent.id))?.outcome.status).toBe('working')
      node.moods = {}
      await stage.startMining()
      expect((await over(worker, intent)).outcome.status).toBe('done')
      expect([await arrived(), await used()]).toEqual([5n, nonce + 1])
    },
  )
})

describe('RPC that lies about a transfer', () => {
  const answers: [string, Record<string, unknown>][] = [
    ['with the receipt of another', { eth_getTransactionReceipt: receiptOf(`0x${'12'.repeat(32)}`) }],
    ['of a receipt that says nothing', { eth_getTransactionReceipt: {} }],
    ['that it knows nothing of it', { eth_getTransactionReceipt: null, eth_getTransactionByHash: null }],
    [
      'that another took its number',
      { eth_getTransactionReceipt: null, eth_getTransactionByHash: null, eth_getTransactionCount: '0xffff' },
    ],
  ]

  it.each(answers.slice(0, 3))(
    'keeps the transfer pending while the RPC lies %s, and completes it afterwards',
    async (_name, lies) => {
      const nonce = await used()
      const worker = start()
      const intent = transfer()
      // Pending, since a used nonce is another case.
      await stage.stopMining()
      Object.assign(node.answers, lies)
      await worker.send(intent)
      await asked(worker, intent.id, 'eth_getTransactionReceipt', 8)
      expect((await worker.find(intent.id))?.outcome.status).toBe('working')
      for (const method of Object.keys(lies)) delete node.answers[method]
      await stage.startMining()
      expect((await over(worker, intent)).outcome.status).toBe('done')
      expect([await arrived(), await used()]).toEqual([5n, nonce + 1])
    },
  )

  it('reports a transfer as replaced while the RPC hides its block, and as done once the RPC shows it', async () => {
    const nonce = await used()
    const worker = start()
    const intent = transfer()
    Object.assign(node.answers, { eth_getTransactionReceipt: null, eth_getTransactionByHash: null })
    await worker.send(intent)
    expect((await worker.over<CallBatch>(intent.id)).outcome).toMatchObject({ code: 'replaced' })
    for (const method of Object.keys(node.answers)) delete node.answers[method]
    await until(
      async () => ((await worker.find(intent.id))?.outcome.status === 'done' ? true : undefined),
      'it to be done after all',
    )
    expect([await arrived(), await used()]).toEqual([5n, nonce + 1])
  })

  it('signs nothing for an RPC of another chain, and keeps a sent transfer pending when the RPC changes chains', async () => {
    const nonce = await used()
    const worker = start()
    const unsigned = transfer()
    node.answers.eth_chainId = '0x1'
    await worker.send(unsigned)
    const { outcome } = await worker.over<CallBatch>(unsigned.id)
    expect(outcome).toMatchObject({ code: 'wrong-chain', facts: { expected: '31337', found: '1' } })
    delete node.answers.eth_chainId

    await stage.stopMining()
    const signed = transfer()
    await worker.send(signed)
    await until(
      async () => (await worker.find(signed.id))?.steps[0]?.state === 'sent' || undefined,
      'it to be sent',
    )
    Object.assign(node.answers, { ...answers[3]![1], eth_chainId: '0x1' })
    await asked(worker, signed.id, 'eth_chainId', 6)
    expect((await worker.find(signed.id))?.outcome.status).toBe('working')
    for (const method of Object.keys(node.answers)) delete node.answers[method]
    await stage.startMining()
    expect((await over(worker, signed)).outcome.status).toBe('done')
    expect([await arrived(), await used()]).toEqual([5n, nonce + 1])
  })

  it('keeps a confirmed transfer confirmed, not final, while the RPC reports block numbers out of order', async () => {
    const worker = start()
    const intent = transfer()
    // The receipt precedes the transaction.
    node.answers.eth_getTransactionByHash = null
    await worker.send(intent)
    expect((await over(worker, intent)).outcome.status).toBe('done')
    const state = async () => (await worker.find(intent.id))?.steps[0]?.state
    for (const head of ['0x1', '0x0', `0x${(await stage.localnet.client.getBlockNumber()).toString(16)}`]) {
      node.answers.eth_blockNumber = head
      await asked(worker, intent.id, 'eth_blockNumber', 3)
      expect(await state()).toBe('mined')
    }
    delete node.answers.eth_blockNumber
    delete node.answers.eth_getTransactionByHash
    await stage.localnet.client.mine({ blocks: 3 })
    await until(async () => ((await state()) === 'final' ? true : undefined), 'it to be final')
    expect(await arrived()).toBe(5n)
  })
})

function receiptOf(transactionHash: string) {
  const gas = { gasUsed: '0x1', effectiveGasPrice: '0x1' }
  return { transactionHash, status: '0x0', blockNumber: '0x1', ...gas, logs: [] }
}
