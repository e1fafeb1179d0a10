import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Hex } from '../../../src/domain/token/token.ts'
import type { WalletError } from '../../../src/errors.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { cutOff, type Fault, hangUp, html, json, silent, text } from '../../helpers/node/faultServer.ts'
import { type MoodyNode, startMoodyNode } from '../../helpers/node/faultyRpc.ts'
import { createSlowTime } from '../../helpers/node/virtualTime.ts'
import { slow } from '../../helpers/slow.ts'
import { local } from '../../helpers/state/fakes.ts'

slow('A chain runs.')

const account = `0x${'ac'.repeat(20)}` as const
const hash: Hex = `0x${'12'.repeat(32)}`
const receipt = {
  transactionHash: hash,
  status: '0x1',
  blockNumber: '0x64',
  gasUsed: '0x1',
  effectiveGasPrice: '0x1',
  logs: [],
}
const minute = 60_000

let first: MoodyNode
let spare: MoodyNode
let clock: number

beforeEach(async () => {
  clock = 0
  first = await startMoodyNode({ eth_chainId: '0x7a69', eth_blockNumber: '0x64' })
  spare = await startMoodyNode({ eth_chainId: '0x7a69', eth_blockNumber: '0x65' })
})
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all([first.stop(), spare.stop()])
})

const parts = () => ({ now: () => clock, random: () => 0, sleep: async () => undefined })
const both = () => createChain({ ...local, rpcUrl: first.url, spareRpcUrl: spare.url }, parts())
const alone = () => createChain({ ...local, rpcUrl: first.url }, parts())

const error = (code: number, message: string, status = 200): Fault =>
  json({ jsonrpc: '2.0', id: 1, error: { code, message } }, status)
const limit = error(-32016, 'over rate limit')

const faults: [string, Fault, WalletError['code']][] = [
  ['hangs up', hangUp, 'node-unreachable'],
  ['hangs up in the middle', cutOff, 'node-unreachable'],
  ['is out of order', html(502), 'node-unreachable'],
  ['asks for a pause', text('', 429, { 'retry-after': '30' }), 'node-unreachable'],
  ['answers with a page', html(200), 'node-refused'],
  ['answers with nothing', text(''), 'node-refused'],
  ['answers null', json({ jsonrpc: '2.0', id: 1, result: null }), 'node-refused'],
  ['answers with another thing', json({ jsonrpc: '2.0', id: 1, result: { block: 5 } }), 'node-refused'],
  ['answers another question', json({ jsonrpc: '2.0', id: 7, result: '0x1' }), 'node-refused'],
  ['does not know the key', html(401), 'node-unreachable'],
  ['denies access', html(403), 'node-unreachable'],
  ['is at its limit', limit, 'node-unreachable'],
  ['has an internal error', error(-32603, 'Internal error'), 'node-unreachable'],
  ['lags', error(-32000, 'header not found'), 'node-unreachable'],
  ['is busy', error(-32000, 'server is too busy'), 'node-unreachable'],
  ['says nothing about the call', error(-32000, 'Dienst nicht erreichbar'), 'node-unreachable'],
  ['gives no words', json({ jsonrpc: '2.0', id: 1, error: {} }), 'node-unreachable'],
  ['is at its limit in another form', json({ code: 429, msg: 'rate limited' }), 'node-unreachable'],
  ['denies access in words', error(-32600, 'invalid project id', 403), 'node-unreachable'],
]

describe('RPC without a backup', () => {
  it.each(faults)('throws a coded error when the RPC %s, and recovers later', async (_name, fault, code) => {
    const chain = alone()
    expect(await chain.blockNumber()).toBe(100n)
    first.mood = fault
    await expect(chain.blockNumber()).rejects.toMatchObject({ code })
    await expect(chain.nonces(account)).rejects.toMatchObject({ code })
    first.mood = undefined
    expect(await chain.blockNumber()).toBe(100n)
  })

  it('requests the chain ID once before other requests', async () => {
    const chain = alone()
    await chain.blockNumber()
    await chain.blockNumber()
    expect(first.methods).toEqual(['eth_chainId', 'eth_blockNumber', 'eth_blockNumber'])
    await chain.verify()
    expect(first.methods).toHaveLength(4)
  })

  it('never uses an RPC of another chain until it serves the right one', async () => {
    const chain = alone()
    first.answers.eth_chainId = '0x1'
    const facts = { expected: '31337', found: '1' }
    await expect(chain.blockNumber()).rejects.toMatchObject({ code: 'wrong-chain', facts })
    await expect(chain.send('0x02')).rejects.toMatchObject({ code: 'wrong-chain' })
    await expect(chain.proxyRequest('eth_blockNumber', [])).rejects.toMatchObject({ code: 'wrong-chain' })
    expect(new Set(first.methods)).toEqual(new Set(['eth_chainId']))
    first.answers.eth_chainId = '0x7a69'
    expect(await chain.blockNumber()).toBe(100n)
  })

  it('asks a known RPC while its chain is verified again, and believes it only if that succeeds', async () => {
    const chain = alone()
    await chain.blockNumber()
    let answer = () => {}
    first.moods.eth_chainId = (response) => {
      answer = () => json({ jsonrpc: '2.0', id: 1, result: '0x7a69' })(response)
    }
    const both = Promise.all([chain.verify(), chain.blockNumber()])
    await vi.waitFor(() =>
      expect(first.methods.slice(2).toSorted()).toEqual(['eth_blockNumber', 'eth_chainId']),
    )
    answer()
    expect((await both)[1]).toBe(100n)
    first.moods = {}
    first.answers.eth_chainId = '0x1'
    const refused = await Promise.allSettled([chain.verify(), chain.blockNumber()])
    expect(refused).toMatchObject([{ reason: { code: 'wrong-chain' } }, { reason: { code: 'wrong-chain' } }])
  })
})

describe('backup RPC', () => {
  it.each(faults)('serves requests when the first RPC %s', async (_name, fault) => {
    first.mood = fault
    const chain = both()
    expect(await chain.blockNumber()).toBe(101n)
    expect(await chain.proxyRequest('eth_blockNumber', [])).toBe('0x65')
  })

  it.each(faults)(
    'serves requests when the first RPC %s after it reported its chain',
    async (_name, fault) => {
      const chain = both()
      await chain.verify()
      first.mood = fault
      expect(await chain.blockNumber()).toBe(101n)
    },
  )

  it('serves dapp requests at the first RPC’s limit; a dapp sees the first RPC’s error if both fail', async () => {
    const chain = both()
    await chain.verify()
    first.mood = error(-32005, 'daily request count exceeded')
    expect(await chain.proxyRequest('eth_blockNumber', [])).toBe('0x65')
    spare.answers.eth_sendRawTransaction = hash
    expect(await chain.send('0x02')).toBe('sent')
    spare.mood = limit
    const facts = { rpcCode: '-32005', rpcMessage: 'daily request count exceeded' }
    clock += 60_000
    await expect(chain.proxyRequest('eth_getLogs', [])).rejects.toMatchObject({
      code: 'node-answered',
      facts,
    })
  })

  it('receives only the chain ID request when the first RPC rejects a call in unusual words', async () => {
    const chain = both()
    await chain.verify()
    first.mood = error(-32015, 'VM execution error.')
    await expect(chain.needsReset(account, account, account, 1n)).resolves.toBe(false)
    first.mood = error(-32001, 'rpc method is not whitelisted', 403)
    await expect(chain.blockNumber()).rejects.toMatchObject({ code: 'node-refused' })
    expect(new Set(spare.methods)).toEqual(new Set(['eth_chainId']))
  })

  it('takes no longer than a single RPC when both RPCs are silent', async () => {
    first.mood = silent
    spare.mood = silent
    const waits: number[] = []
    const timeout = (ms: number) => {
      waits.push(ms)
      clock += ms
      return AbortSignal.timeout(1)
    }
    const chain = createChain(
      { ...local, rpcUrl: first.url, spareRpcUrl: spare.url },
      { ...parts(), timeout },
    )
    const waited = async (ask: () => Promise<unknown>) => {
      waits.length = 0
      await expect(ask()).rejects.toMatchObject({ code: 'node-timeout' })
      return waits.reduce((sum, ms) => sum + ms, 0)
    }
    expect(await waited(() => chain.blockNumber())).toBe(5_000)
    expect(await waited(() => chain.proxyRequest('eth_call', []))).toBe(5_000)
    expect(await waited(() => chain.proxyRequest('eth_getLogs', []))).toBe(15_000)
  })

  it('serves requests when the first RPC is silent', async () => {
    first.mood = silent
    expect(await both().blockNumber()).toBe(101n)
  })

  it('receives no request while the first RPC responds, even with a revert', async () => {
    const chain = both()
    await chain.blockNumber()
    first.mood = json({ jsonrpc: '2.0', id: 1, error: { code: 3, message: 'execution reverted' } })
    const call = { from: account, to: account, data: '0x', value: 0n } as const
    await expect(chain.estimateGas(call)).rejects.toMatchObject({ code: 'reverted' })
    expect(spare.methods).toEqual([])
  })

  it('serves requests for a minute before the first RPC is retried', async () => {
    const chain = both()
    first.mood = hangUp
    await chain.blockNumber()
    first.mood = undefined
    first.methods.length = 0
    clock = minute - 1
    expect(await chain.blockNumber()).toBe(101n)
    expect(first.methods).toEqual([])
    clock = minute
    expect(await chain.blockNumber()).toBe(100n)
  })

  it('returns to the first RPC when the backup RPC fails as well', async () => {
    const chain = both()
    first.mood = hangUp
    await chain.blockNumber()
    first.mood = undefined
    spare.mood = hangUp
    expect(await chain.blockNumber()).toBe(100n)
    spare.methods.length = 0
    expect(await chain.blockNumber()).toBe(100n)
    expect(spare.methods).toEqual([])
  })

  it('is never used on another chain, so that the first RPC’s error is reported', async () => {
    spare.answers.eth_chainId = '0x1'
    first.mood = hangUp
    await expect(both().blockNumber()).rejects.toMatchObject({ code: 'node-unreachable' })
    expect(spare.methods).not.toContain('eth_blockNumber')
  })

  it('replaces a first RPC that moved to another chain once this is detected', async () => {
    const chain = both()
    expect(await chain.blockNumber()).toBe(100n)
    first.answers.eth_chainId = '0x1'
    await chain.verify()
    expect(await chain.blockNumber()).toBe(101n)
    clock = minute
    expect(await chain.blockNumber()).toBe(101n)
  })

  it('receives a transaction only when the first RPC does not accept it', async () => {
    for (const node of [first, spare]) node.answers.eth_sendRawTransaction = hash
    const chain = both()
    expect(await chain.send('0x02')).toBe('sent')
    expect(spare.methods).toEqual([])
    first.mood = hangUp
    expect(await chain.send('0x02')).toBe('sent')
    expect(spare.methods).toContain('eth_sendRawTransaction')
    // The first RPC accepted it and lost the connection.
    spare.mood = json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'already known' } })
    expect(await chain.send('0x02')).toBe('known')
  })
})

describe('one of two RPCs failing for a minute', () => {
  const troubles: [trouble: string, mood: Fault][] = [
    // Worth waiting for, without a backup RPC.
    ['asks for a pause', text('', 429, { 'retry-after': '4' })],
    ['hangs up', hangUp],
    ['says nothing', silent],
  ]
  const cases = troubles.flatMap(([trouble, mood]) => [
    { which: 'the first', trouble, mood, answer: 101n },
    { which: 'the spare', trouble, mood, answer: 100n },
  ])

  it.each(cases)('answers every request within five seconds when $which $trouble', async (one) => {
    const { which, mood, answer } = one
    const busy = which === 'the first' ? first : spare
    for (const { answers } of [first, spare])
      Object.assign(answers, {
        eth_sendRawTransaction: hash,
        eth_getTransactionReceipt: receipt,
        eth_getTransactionCount: '0x5',
      })
    vi.useFakeTimers({ toFake: ['performance'] })
    const wait = (ms: number) => vi.advanceTimersByTime(ms)
    const parts = { random: () => 0, sleep: async (ms: number) => void wait(ms), ...patient(wait) }
    const chain = createChain({ ...local, rpcUrl: first.url, spareRpcUrl: spare.url }, parts)
    const took: number[] = []
    const timed = async <Said>(ask: () => Promise<Said>): Promise<Said> => {
      const begun = performance.now()
      const said = await ask()
      took.push(performance.now() - begun)
      return said
    }
    await chain.verify()
    const begun = performance.now()
    busy.mood = mood
    for (let round = 0; round < 15; round++) {
      wait(4_000)
      expect(await timed(chain.blockNumber)).toBe(answer)
      expect(await timed(() => chain.proxyRequest('eth_blockNumber', []))).toBe(`0x${answer.toString(16)}`)
      expect(await timed(() => chain.send('0x02'))).toBe('sent')
      expect(await timed(() => chain.receipt(hash))).toMatchObject({ status: 'success' })
      expect(await timed(() => chain.nonces(account))).toEqual({ mined: 5, pending: 5 })
    }
    await timed(chain.verify)
    expect(took).toHaveLength(76)
    expect(Math.max(...took)).toBeLessThanOrEqual(5_000)
    // At most one retry per minute.
    const minutes = Math.ceil((performance.now() - begun) / minute)
    const again = busy.methods.filter((method) => method === 'eth_blockNumber').length
    expect(again).toBeLessThanOrEqual(which === 'the first' ? minutes : 0)
    busy.mood = undefined
    wait(minute)
    expect(await chain.blockNumber()).toBe(100n)
  })

  /** Silent RPCs reach their deadline without real time. */
  function patient(wait: (ms: number) => void) {
    const giveUp = new WeakMap<AbortSignal, () => void>()
    return {
      timeout(ms: number) {
        const over = new AbortController()
        const at = performance.now() + ms
        giveUp.set(over.signal, () => {
          wait(Math.max(0, at - performance.now()))
          over.abort()
        })
        return over.signal
      },
      fetch(url: RequestInfo | URL, init?: RequestInit) {
        const node = [first, spare].find((one) => one.url === url)
        // Lets concurrent requests go first.
        const over = init?.signal ? giveUp.get(init.signal) : undefined
        if (node?.mood === silent && over) setImmediate(over)
        return fetch(url, init)
      },
    }
  }
})

describe('one of two RPCs silent at worker start', () => {
  type Times = { first: number; spare: number }
  const cases: [question: string, ask: (chain: Chain) => Promise<unknown>, times: Times][] = [
    ['a read', (chain) => chain.blockNumber(), { first: 2_500, spare: 0 }],
    ['the chain', (chain) => chain.verify(), { first: 2_500, spare: 0 }],
    ['a receipt', (chain) => chain.receipt(hash), { first: 2_500, spare: 2_500 }],
    ['a number', (chain) => chain.nonces(account), { first: 2_500, spare: 2_500 }],
    ['a page’s read', (chain) => chain.proxyRequest('eth_blockNumber', []), { first: 2_500, spare: 0 }],
    ['a page’s logs', (chain) => chain.proxyRequest('eth_getLogs', []), { first: 7_500, spare: 0 }],
    ['a transaction', (chain) => chain.send('0x02'), { first: 5_000, spare: 0 }],
    [
      'a page’s one',
      (chain) => chain.proxyRequest('eth_sendRawTransaction', ['0x02']),
      { first: 5_000, spare: 0 },
    ],
  ]
  const silences = cases.flatMap(([question, ask, times]) => [
    { which: 'first', question, ask, ms: times.first },
    { which: 'spare', question, ask, ms: times.spare },
  ])

  function during(delayOf: (url: string, method: string) => number) {
    for (const { answers } of [first, spare])
      Object.assign(answers, {
        eth_sendRawTransaction: hash,
        eth_getTransactionReceipt: receipt,
        eth_getTransactionByHash: { hash, blockNumber: null },
        eth_getTransactionCount: '0x5',
        eth_getLogs: [],
      })
    const time = createSlowTime(delayOf)
    const chain = createChain({ ...local, rpcUrl: first.url, spareRpcUrl: spare.url }, time.wire)
    return { time, chain }
  }

  it.each(silences)(
    'takes $ms ms when the $which RPC is silent and the first request is $question',
    async (one) => {
      const dumb = one.which === 'first' ? first : spare
      const { time, chain } = during((url) => (url === dumb.url ? Number.POSITIVE_INFINITY : 0))
      await one.ask(chain)
      expect(time.now()).toBe(one.ms)
      await chain.verify()
      await chain.nonces(account)
      const known = time.now()
      // A slow dapp request does not mark an RPC as silent.
      expect(known).toBeLessThanOrEqual(
        one.question.startsWith('a page') ? one.ms + 2_500 : Math.max(one.ms, 2_500),
      )
      const missing = await chain.missedAnswers()
      await chain.send('0x02')
      await chain.receipt(hash)
      await chain.transaction(hash)
      expect(await chain.blockNumber()).toBe(one.which === 'first' ? 101n : 100n)
      expect(time.now()).toBe(known)
      expect(await chain.missedAnswers()).toBe(missing + 2)
      time.stop()
    },
  )

  it('does not mark an RPC as silent for being slow on a dapp request', async () => {
    const { time, chain } = during((url, method) =>
      url !== first.url ? 0 : method === 'eth_getLogs' ? Number.POSITIVE_INFINITY : 1_000,
    )
    first.answers.eth_getTransactionCount = '0x7'
    await chain.proxyRequest('eth_getLogs', [])
    expect(await chain.nonces(account)).toEqual({ mined: 7, pending: 7 })
    expect(await chain.missedAnswers()).toBe(0)
    time.stop()
  })

  it('waits again for a silent RPC once it has responded', async () => {
    let ms = Number.POSITIVE_INFINITY
    const { time, chain } = during((url) => (url === spare.url ? ms : 0))
    await chain.receipt(hash)
    expect(await chain.missedAnswers()).toBe(1)
    ms = 1
    await chain.receipt(hash)
    const spoken = { url: spare.url, method: 'eth_getTransactionReceipt' }
    await vi.waitFor(() => expect(time.answered).toContainEqual(spoken), 100_000)
    await vi.waitFor(async () => expect(await chain.receipt(hash)).toMatchObject({ isAgreed: true }), 100_000)
    time.stop()
  })

  it('leaves half of the time to the backup RPC when the first RPC has just reported its chain', async () => {
    const { time, chain } = during((url, method) =>
      url === spare.url ? 1_000 : method === 'eth_chainId' ? 2_400 : Number.POSITIVE_INFINITY,
    )
    expect(await chain.blockNumber()).toBe(101n)
    expect(time.now()).toBe(4_500)
    time.stop()
  })

  it('answers a read within its own deadline while a longer dapp request is pending', async () => {
    const { time, chain } = during((url) => (url === first.url ? Number.POSITIVE_INFINITY : 0))
    const logs = chain.proxyRequest('eth_getLogs', [])
    expect(await chain.blockNumber()).toBe(101n)
    expect(time.now()).toBe(2_500)
    await logs
    time.stop()
  })
})

describe('lagging RPCs', () => {
  beforeEach(() => {
    Object.assign(first.answers, {
      eth_getTransactionReceipt: receipt,
      eth_getTransactionByHash: { hash, blockNumber: '0x64' },
      eth_getTransactionCount: '0x6',
    })
    Object.assign(spare.answers, {
      eth_getTransactionReceipt: null,
      eth_getTransactionByHash: { hash, blockNumber: null },
      eth_getTransactionCount: '0x5',
    })
  })

  it('combines the knowledge of both RPCs, whichever is in use', async () => {
    const chain = both()
    first.mood = hangUp
    await chain.blockNumber()
    first.mood = undefined
    expect(await chain.receipt(hash)).toMatchObject({ status: 'success', blockNumber: 100n })
    expect(await chain.transaction(hash)).toBe('mined')
    expect(await chain.nonces(account)).toEqual({ mined: 6, pending: 6 })
    expect(await chain.missedAnswers()).toBe(0)
  })

  it('counts missed answers while the more recent RPC is unreachable', async () => {
    const chain = both()
    first.mood = hangUp
    expect(await chain.receipt(hash)).toBeUndefined()
    expect(await chain.transaction(hash)).toBe('pending')
    expect(await chain.nonces(account)).toEqual({ mined: 5, pending: 5 })
    expect(await chain.missedAnswers()).toBe(4)
    first.mood = undefined
    expect(await chain.receipt(hash)).toBeDefined()
    expect(await chain.missedAnswers()).toBe(4)
  })

  it('does not agree on a receipt when the RPC in use did not answer', async () => {
    const chain = both()
    await chain.blockNumber()
    first.moods.eth_getTransactionReceipt = hangUp
    spare.answers.eth_getTransactionReceipt = first.answers.eth_getTransactionReceipt
    expect(await chain.receipt(hash)).toMatchObject({ isAgreed: false })
  })

  it.each<[string, { mood?: Fault; receipt?: null; change?: object }, boolean]>([
    ['has none', { receipt: null }, false],
    ['tells another end of it', { change: { status: '0x0' } }, false],
    ['has it in another block', { change: { blockNumber: '0x65' } }, false],
    ['has another transaction’s', { change: { transactionHash: `0x${'77'.repeat(32)}` } }, false],
    ['is silent', { mood: hangUp }, false],
    ['says the same', {}, true],
  ])('compares receipts when the backup RPC %s', async (_, { mood, receipt, change }, isAgreed) => {
    const said = first.answers.eth_getTransactionReceipt as object
    spare.answers.eth_getTransactionReceipt = receipt === null ? null : { ...said, ...change }
    if (mood !== undefined) spare.moods.eth_getTransactionReceipt = mood
    expect(await both().receipt(hash)).toMatchObject({ status: 'success', isAgreed })
  })

  it('does not wait for an RPC of another chain', async () => {
    const chain = both()
    first.answers.eth_chainId = '0x1'
    expect(await chain.nonces(account)).toEqual({ mined: 5, pending: 5 })
    expect(await chain.missedAnswers()).toBe(0)
  })

  it('throws when neither RPC answers', async () => {
    first.mood = hangUp
    spare.mood = html(200)
    await expect(both().receipt(hash)).rejects.toMatchObject({ code: 'node-unreachable' })
  })
})

describe('health', () => {
  const block = (number: string) => ({ number, timestamp: '0x5f5e100', hash })

  it('reports the latest block of each RPC, its time and the RPC in use', async () => {
    first.answers.eth_getBlockByNumber = block('0x64')
    spare.answers.eth_getBlockByNumber = block('0x60')
    const [own, other] = [
      { number: 100n, timestamp: 100_000_000 },
      { number: 96n, timestamp: 100_000_000 },
    ]
    const chain = both()
    expect(await chain.health()).toEqual([
      { isInUse: true, ...own },
      { isInUse: false, ...other },
    ])
    first.mood = html(503)
    await chain.blockNumber()
    expect(await chain.health()).toEqual([
      { isInUse: false, fault: 'node-unreachable' },
      { isInUse: true, ...other },
    ])
    spare.answers.eth_chainId = '0x1'
    expect((await both().health())[1]).toEqual({ isInUse: false, fault: 'wrong-chain' })
  })
})
