import fc from 'fast-check'
import { parseTransaction } from 'viem'
import { expect, it } from 'vitest'
import type { Networks } from '../../../src/background/networks/networks.ts'
import type { Journal } from '../../../src/background/transactions/journal.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import type { IntentRecord } from '../../../src/background/transactions/schemas.ts'
import { createSigner } from '../../../src/background/transactions/signer.ts'
import { builtInFeeLimits } from '../../../src/domain/network/feeLimits.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import type { Chain } from '../../../src/evm/client.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

// Answers may be late, and another signer has the same key.

const account: Address = '0x1a642f0e3c3af545e7acbd38b07251b3990914f1'
const privateKey: Hex = `0x${'01'.repeat(32)}`
type Act = 'sign' | 'send' | 'foreign' | 'mine'
const acts = fc.array(fc.constantFrom<Act>('sign', 'sign', 'send', 'foreign', 'mine'), {
  minLength: 5,
  maxLength: 30,
})

it('assigns unique nonces without gaps despite a foreign signer and late responses', async () => {
  const seen = { signed: 0, foreign: 0, lost: 0 }
  await fc.assert(
    fc.asyncProperty(acts, fc.scheduler(), async (order, scheduler) => {
      const late = <Value>(value: () => Value, name: string): Promise<Value> =>
        scheduler.schedule(Promise.resolve(), name).then(value)
      /** Holder by nonce. */
      const held = new Map<number, string>()
      let mined = 0
      const pending = () => {
        let next = mined
        while (held.has(next)) next++
        return next
      }
      const records = new Map<string, IntentRecord>()
      const chain = {
        verify: () => late(() => undefined, 'verify'),
        nonces: () => late(() => ({ mined, pending: pending() }), 'nonces'),
        fees: async () => ({ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }),
        feeLimits: builtInFeeLimits(1),
        nativeBalance: async () => 10n ** 18n,
        estimateGas: async () => 21_000n,
        blockGasLimit: async () => 30_000_000n,
        l1Fee: async () => 0n,
      } as unknown as Chain
      const sign = createSigner({
        vault: { withKey: async (_account, use) => use(privateKey) },
        networks: { chain: async () => chain, network: async () => ({}) } as unknown as Networks,
        settings: { get: async () => ({}) as never },
        journal: { list: () => late(() => [...records.values()], 'list') } as Pick<Journal, 'list'>,
        save: (record) => late(() => void records.set(record.intent.id, record), 'save'),
        now: () => 0,
      })
      const own = () =>
        [...records.values()].flatMap(({ intent, steps }) =>
          steps.filter(isSigned).map((step) => ({ id: intent.id, step })),
        )
      const send = (id: string) => {
        const record = records.get(id)!
        const [step] = record.steps.filter(isSigned)
        if (step?.state !== 'signed') return
        const { nonce } = parseTransaction(step.raw)
        expect(nonce).toBe(step.nonce)
        const owner = held.get(step.nonce)
        if (records.has(owner ?? '')) expect(owner).toBe(id)
        const isLost = step.nonce < mined ? owner !== id : owner !== undefined && owner !== id
        if (isLost) seen.lost++
        else held.set(step.nonce, id)
        records.set(id, { ...record, steps: [{ ...step, state: isLost ? 'replaced' : 'sent' } as never] })
      }
      const running: Promise<unknown>[] = []
      for (const [index, act] of order.entries()) {
        if (act === 'sign') {
          const record = waiting(`${index}`)
          records.set(record.intent.id, record)
          running.push(sign(record, 0))
        } else if (act === 'send') {
          for (const { id } of own()) send(id)
        } else if (act === 'foreign') {
          seen.foreign++
          held.set(pending(), `foreign ${index}`)
        } else mined = pending()
        for (let waits = (index * 5) % 8; waits > 0; waits--) {
          if (scheduler.count() > 0) await scheduler.waitOne()
          await new Promise((resolve) => setImmediate(resolve))
        }
      }
      let isOver = false
      const all = Promise.all(running).finally(() => {
        isOver = true
      })
      while (!isOver) {
        if (scheduler.count() > 0) await scheduler.waitOne()
        await new Promise((resolve) => setImmediate(resolve))
      }
      await all
      for (const { id } of own()) send(id)
      const kept = own().filter(({ step }) => step.state !== 'replaced')
      seen.signed += own().length
      const numbers = kept.map(({ step }) => step.nonce)
      expect(new Set(numbers).size).toBe(numbers.length)
      expect([...held.keys()].sort((one, other) => one - other)).toEqual([...held.keys()].map((_, at) => at))
      for (const { id, step } of kept) expect(held.get(step.nonce)).toBe(id)
    }),
    { numRuns: runs(200, 1_000) },
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(runs(20, 1_000))
  figure(
    '65',
    `${runs(200, 1_000)} interleavings with a foreign signer, ${seen.signed} signatures: 0 clashes, 0 gaps`,
  )
})

function waiting(id: string): IntentRecord {
  const intent = {
    id: id.padStart(32, '0'),
    account,
    chainId: 31337,
    calls: [{ to: account, data: '0x', value: 0n }],
    feeCap: 10n ** 18n,
    mayFail: false,
  }
  return {
    intent,
    createdAt: 0,
    steps: [{ kind: 'call', state: 'waiting' }],
    outcome: { status: 'working' },
  } as never
}
