import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StorageArea } from '../../../src/background/storage.ts'
import { createJournal, isRecordOpen } from '../../../src/background/transactions/journal.ts'
import type { IntentRecord, SignedStep } from '../../../src/background/transactions/schemas.ts'
import { toView } from '../../../src/background/transactions/toView.ts'
import type { CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import { encode } from '../../../src/domain/json.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'

const id = (number: number) => number.toString(16).padStart(32, '0')

const signed: SignedStep = {
  kind: 'swap',
  state: 'signed',
  nonce: 7,
  raw: '0x02f8',
  hash: `0x${'ab'.repeat(32)}`,
  deadline: 600_000,
  fee: 21_000n,
}

function record(number: number, changes: Partial<IntentRecord> = {}): IntentRecord {
  return {
    intent: {
      id: id(number),
      account: '0xa11ce00000000000000000000000000000000001',
      trade: {
        chainId: 31337,
        sell: '0x6b175474e89094c44da98b954eedeac495271d0f',
        buy: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
        amount: 10n ** 21n,
      },
      slippageBps: 50,
      floor: 5n * 10n ** 17n,
      router: '0x1111111254eeb25477b68fb85ed929f73a960582',
      feeCap: 10n ** 16n,
    },
    createdAt: number,
    steps: [{ kind: 'approve', state: 'waiting' }, signed],
    outcome: { status: 'working' },
    ...changes,
  }
}

const account = '0xa11ce00000000000000000000000000000000001'

function callsRecord(number: number, changes: Partial<IntentRecord> = {}): IntentRecord {
  const calls = [
    { to: account, data: '0x1234', value: 5n, gas: 21_000n } as const,
    { data: '0x5678', value: 0n } as const,
  ]
  return {
    intent: { id: id(number), account, chainId: 31337, calls, feeCap: 10n ** 16n, mayFail: true },
    createdAt: number,
    steps: [
      { ...signed, kind: 'call' },
      { kind: 'call', state: 'waiting' },
    ],
    outcome: { status: 'working' },
    ...changes,
  }
}

const over: Partial<IntentRecord> = {
  steps: [{ ...signed, state: 'final' }],
  outcome: { status: 'done', received: 1n },
}

describe('createJournal', () => {
  it('stores the chosen terms, the figures shown and the amount spent', async () => {
    const area = memoryArea()
    const { intent } = record(1)
    const terms = {
      options: { excludedProtocols: ['SUSHI'], feeBps: 30, referrer: account },
      receiver: `0x${'f1'.repeat(20)}`,
      allowPartialFill: true,
      permission: { via: 'permit2', amount: 2n ** 256n - 1n },
      speed: { maxFeePerGas: 7n, maxPriorityFeePerGas: 3n },
      shown: {
        returns: 9n,
        networkFee: 8n,
        networkFeeWorth: 7n,
        impactBps: -1,
        market: 10n,
        prices: { buy: { usd: 3n, per: 2n } },
      },
    } as const
    const kept = record(1, {
      intent: { ...intent, ...terms } as IntentRecord['intent'],
      steps: [{ ...signed, kind: 'wrap', state: 'final' }],
      outcome: { status: 'done', received: 5n, spent: 4n },
    })
    await createJournal(area).put(kept)
    expect(await createJournal(area).get(id(1))).toEqual(kept)
  })

  it('returns stored records, also after a restart', async () => {
    const area = memoryArea()
    const outcomes: IntentRecord['outcome'][] = [
      { status: 'working' },
      { status: 'working', waitsForTurn: true },
      { status: 'needs-unlock' },
      { status: 'done', received: 2n ** 200n },
      { status: 'done', received: 2n, isLeast: true },
      { status: 'below-minimum', received: 1n, spent: 3n },
      { status: 'failed', code: 'reverted', message: 'It was reverted.', facts: { reason: 'no' } },
    ]
    const records = outcomes.map((outcome, index) => record(index + 1, { outcome }))
    const journal = createJournal(area)
    for (const each of records) await journal.put(each)
    expect(await journal.list()).toEqual(records.toReversed())
    const restarted = createJournal(area)
    expect(await restarted.list()).toEqual(records.toReversed())
    expect(await restarted.get(id(2))).toEqual(records[1])
    expect(await restarted.get(id(9))).toBeUndefined()
  })

  it('stores calls under a key of their own, apart from swaps', async () => {
    const area = memoryArea()
    const calls = callsRecord(1)
    await createJournal(area).put(calls)
    expect([...area.items.keys()]).toEqual([`calls.${id(1)}`])
    expect(await createJournal(area).get(id(1))).toEqual(calls)
    area.items.set(`swap.${id(1)}`, area.items.get(`calls.${id(1)}`)!)
    area.items.delete(`calls.${id(1)}`)
    expect((await createJournal(area).get(id(1)))?.outcome).toMatchObject({ code: 'record-damaged' })
  })

  it('shows damaged calls as failed', async () => {
    const area = memoryArea()
    await area.set({ [`calls.${id(1)}`]: { body: '{}', sum: `0x${'00'.repeat(32)}` } })
    const [shown] = await createJournal(area).list()
    expect(shown).toMatchObject({
      intent: { id: id(1), calls: [] },
      outcome: { status: 'failed', code: 'record-damaged', message: expect.stringContaining('these calls') },
    })
  })

  it('keeps calldata and signed bytes of calls until the calls are done', async () => {
    const journal = createJournal(memoryArea())
    await journal.put(callsRecord(1))
    expect(await journal.get(id(1))).toEqual(callsRecord(1))
    await journal.put(callsRecord(1, over))
    expect(await journal.get(id(1))).toMatchObject({
      intent: { calls: [{ to: account, data: '0x' }, { data: '0x' }] },
      steps: [{ raw: '0x', hash: signed.hash }],
    })
    const rival = { raw: '0x1234', hash: signed.hash } as const
    await journal.put(callsRecord(2, { ...over, steps: [{ ...signed, state: 'final', rivals: [rival] }] }))
    expect((await journal.get(id(2)))?.steps).toMatchObject([
      { raw: '0x', rivals: [{ ...rival, raw: '0x' }] },
    ])
  })

  it('reads records of the first version', async () => {
    const body =
      '{"intent":{"id":"00000000000000000000000000000001","account":"0xa11ce00000000000000000000000000000000001",' +
      '"trade":{"chainId":31337,"sell":"0x6b175474e89094c44da98b954eedeac495271d0f","buy":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",' +
      '"amount":{"#bigint":"1000000000000000000000"}},"slippageBps":50,"floor":{"#bigint":"500000000000000000"},' +
      '"router":"0x1111111254eeb25477b68fb85ed929f73a960582","feeCap":{"#bigint":"10000000000000000"}},"createdAt":1,' +
      '"steps":[{"kind":"approve","state":"waiting"},{"kind":"swap","state":"signed","nonce":7,"raw":"0x02f8","hash":' +
      `"0x${'ab'.repeat(32)}","deadline":600000,"fee":{"#bigint":"21000"}}],"outcome":{"status":"working"}}`
    const sum = `0x${createHash('sha256').update(body).digest('hex')}`
    const area = memoryArea()
    await area.set({ [`swap.${id(1)}`]: { body, sum } })
    expect(await createJournal(area).get(id(1))).toEqual(record(1))
  })

  it('stores replacements, blocks and the purpose of calls', async () => {
    const area = memoryArea()
    const { intent } = callsRecord(1)
    const rivals: SignedStep['rivals'] = [
      { raw: '0x02', hash: signed.hash },
      { raw: '0x03', hash: signed.hash, cancels: true },
    ]
    const purposes: CallsIntent['purpose'][] = [
      { kind: 'transfer', token: account, to: account, amount: 7n },
      { kind: 'revoke', token: account, spender: account, via: 'permit2' },
    ]
    for (const [index, purpose] of purposes.entries()) {
      const kept = callsRecord(index + 1, {
        intent: { ...(intent as CallsIntent), id: id(index + 1), speed: 'fast', ...(purpose && { purpose }) },
        steps: [{ ...signed, kind: 'call', state: 'cancelled', block: 5n, rivals }],
      })
      await createJournal(area).put(kept)
      expect(await createJournal(area).get(id(index + 1))).toEqual(kept)
    }
    const asked = callsRecord(3, {
      intent: { ...(intent as CallsIntent), id: id(3), origin: 'https://a.example' },
    })
    await createJournal(area).put(asked)
    expect(await createJournal(area).get(id(3))).toEqual(asked)
  })

  it('reads older calls without mayFail as calls that may not fail', async () => {
    const area = memoryArea()
    const { intent, ...rest } = callsRecord(1)
    const { mayFail: _new, ...old } = intent as CallsIntent
    const body = encode({ intent: old, ...rest })
    const sum = `0x${createHash('sha256').update(body).digest('hex')}`
    await area.set({ [`calls.${id(1)}`]: { body, sum } })
    expect(await createJournal(area).get(id(1))).toEqual({ intent: { ...old, mayFail: false }, ...rest })
  })

  it('stores a record in one write under its own key', async () => {
    const writes: Record<string, unknown>[] = []
    const area = memoryArea()
    const set: StorageArea['set'] = (items) => {
      writes.push(items)
      return area.set(items)
    }
    await createJournal({ ...area, set }).put(record(1))
    expect(writes.map(Object.keys)).toEqual([[`swap.${id(1)}`]])
  })

  it('keeps nothing of a failed write', async () => {
    const area = memoryArea()
    const journal = createJournal({
      ...area,
      set: () => Promise.reject(new Error('QUOTA_BYTES quota exceeded')),
    })
    await expect(journal.put(record(1))).rejects.toThrow('quota')
    expect(await journal.list()).toEqual([])
    expect(area.items.size).toBe(0)
  })

  it('reads again after a failed read', async () => {
    const area = memoryArea()
    await createJournal(area).put(record(1))
    let broken = true
    const all: StorageArea['all'] = () => (broken ? Promise.reject(new Error('io')) : area.all())
    const journal = createJournal({ ...area, all })
    await expect(journal.list()).rejects.toThrow('io')
    broken = false
    expect(await journal.list()).toEqual([record(1)])
  })

  it('shows a damaged record as failed, leaves it unchanged and reads the others', async () => {
    const whole = memoryArea()
    for (const number of [1, 2, 3]) await createJournal(whole).put(record(number))
    const key = `swap.${id(2)}`
    const text = whole.items.get(key)!
    const damage = fc.record({
      at: fc.integer({ min: 0, max: text.length - 1 }),
      to: fc.constantFrom('0', '7', 'f', '"', '}', ' ', '\\u0000'),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, to }) => {
        fc.pre(text[at] !== to)
        const area = memoryArea()
        for (const [name, stored] of whole.items) area.items.set(name, stored)
        const damaged = text.slice(0, at) + to + text.slice(at + 1)
        const isJson = canParse(damaged)
        fc.pre(!isJson || JSON.stringify(JSON.parse(damaged)) !== text)
        const stored = isJson ? damaged : JSON.stringify(damaged)
        area.items.set(key, stored)

        const journal = createJournal(area)
        const records = await journal.list()
        expect(records).toHaveLength(3)
        expect(await journal.get(id(1))).toEqual(record(1))
        expect(await journal.get(id(3))).toEqual(record(3))
        const shown = await journal.get(id(2))
        expect(shown?.outcome).toMatchObject({ status: 'failed', code: 'record-damaged' })
        expect(shown?.intent.id).toBe(id(2))
        expect(isRecordOpen(shown!)).toBe(false)
        await expect(journal.put(record(2))).rejects.toThrow()
        expect(area.items.get(key)).toBe(stored)
      }),
      { numRuns: 1_000 },
    )
  })

  it('rejects an intact record under the key of another', async () => {
    const area = memoryArea()
    await createJournal(area).put(record(1))
    area.items.set(`swap.${id(2)}`, area.items.get(`swap.${id(1)}`)!)
    expect((await createJournal(area).get(id(2)))?.outcome.status).toBe('failed')
  })

  it('ignores foreign keys', async () => {
    const area = memoryArea()
    await area.set({ settings: { swap: 1 }, 'vault.seed': 'sealed' })
    expect(await createJournal(area).list()).toEqual([])
  })

  it('keeps 500 records and drops the oldest closed ones, never an open one', async () => {
    const area = memoryArea()
    const journal = createJournal(area)
    for (let number = 1; number <= 505; number++) {
      await journal.put(record(number, number % 100 === 1 ? {} : over))
    }
    const kept = (await createJournal(area).list()).map(({ createdAt }) => createdAt)
    expect(kept).toHaveLength(500)
    expect(kept).toContain(1)
    expect([2, 3, 4, 5, 6].filter((number) => kept.includes(number))).toEqual([])
    expect(kept).toContain(7)
  })
})

function canParse(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('isRecordOpen', () => {
  it.each([
    ['a swap that waits for a signature', record(1, { steps: [] }), true],
    [
      'a swap that waits for the wallet to be unlocked',
      record(1, { outcome: { status: 'needs-unlock' } }),
      true,
    ],
    [
      'a swap that is mined but not final',
      record(1, { ...over, steps: [{ ...signed, state: 'mined' }] }),
      true,
    ],
    ['a swap that is final', record(1, over), false],
    [
      'a dropped transaction whose nonce is free',
      record(1, { outcome: failed, steps: [{ ...signed, state: 'dropped' }] }),
      true,
    ],
    [
      'a replaced transaction',
      record(1, { outcome: failed, steps: [{ ...signed, state: 'replaced' }] }),
      true,
    ],
    [
      'a reverted transaction',
      record(1, { outcome: failed, steps: [{ ...signed, state: 'reverted' }] }),
      true,
    ],
    [
      'a reverted transaction deep in the chain',
      record(1, { outcome: failed, steps: [{ ...signed, state: 'reverted', settled: true }] }),
      false,
    ],
    ['a failure before anything was signed', record(1, { outcome: failed, steps: [] }), false],
  ])('decides whether %s is open', (_name, each, open) => {
    expect(isRecordOpen(each)).toBe(open)
  })
})

const failed: IntentRecord['outcome'] = {
  status: 'failed',
  code: 'dropped',
  message: 'It was dropped.',
  facts: {},
}

describe('toView', () => {
  it('sums the network fees of all transactions in a block', () => {
    const states = ['final', 'mined', 'reverted', 'sent', 'dropped', 'cancelled'] as const
    const steps = states.map((state, index): SignedStep => ({ ...signed, state, fee: 10n ** BigInt(index) }))
    expect(toView(record(1, { steps })).paid).toBe(100_111n)
    expect(toView(record(1, { steps: [] })).paid).toBe(0n)
  })

  it('lists the replacements of a step', () => {
    const hashes = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`] as const
    const rivals: SignedStep['rivals'] = [
      { raw: '0x02', hash: hashes[0] },
      { raw: '0x03', hash: hashes[1], cancels: true },
    ]
    const steps: SignedStep[] = [{ ...signed, state: 'cancelled', hash: hashes[1], rivals, block: 9n }]
    expect(toView(record(1, { steps })).steps).toEqual([
      {
        kind: 'swap',
        state: 'cancelled',
        nonce: 7,
        hash: hashes[1],
        fee: 21_000n,
        block: 9n,
        rivals: [{ hash: hashes[0] }, { hash: hashes[1], cancels: true }],
      },
    ])
  })

  it('omits the signed bytes', () => {
    expect(toView(record(1)).steps).toEqual([
      { kind: 'approve', state: 'waiting' },
      { kind: 'swap', state: 'signed', nonce: 7, hash: signed.hash, fee: 21_000n },
    ])
  })
})
