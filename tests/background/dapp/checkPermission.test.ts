import { beforeEach, describe, expect, it } from 'vitest'
import { withPermissionCheck } from '../../../src/background/dapp/checkPermission.ts'
import { createConnectedSites, type Sites } from '../../../src/background/dapp/connectedSites.ts'
import { createSettings, type SettingsStore } from '../../../src/background/settings.ts'
import type { DappRequest, Decision } from '../../../src/domain/dapp/approval.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { newIntent } from '../../helpers/background/swapStage.ts'

const origin = 'https://site.example'
const account: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`

const questions: [string, DappRequest, Decision][] = [
  [
    'a message',
    { kind: 'sign-message', account, message: '0x12' },
    {
      kind: 'sign-message',
    },
  ],
  [
    'typed data',
    {
      kind: 'sign-typed-data',
      account,
      typedData: { domain: {}, types: {}, primaryType: 'Mail', message: {} },
    },
    { kind: 'sign-typed-data' },
  ],
  [
    'a transaction',
    { kind: 'send', account, calls: [{ data: '0xfe', value: 0n }] },
    { kind: 'send', feeCap: 1n, mayFail: false },
  ],
  [
    'a swap',
    { kind: 'swap', request: { id: 'x', type: 'sell', chainId: 1, from: account } },
    { kind: 'swap', intent: newIntent() },
  ],
]

let sites: Sites
let settings: SettingsStore
let journal: Set<string>
let done: string[]

beforeEach(async () => {
  const local = memoryArea()
  settings = createSettings(local)
  sites = createConnectedSites({
    vault: {
      status: async () => 'unlocked',
      accounts: async () => [account, other].map((address) => ({ address, name: '' })),
    },
    settings,
    local,
    onChange: async () => undefined,
  })
  await sites.save({ origin, accounts: [account], chainId: 1, connectedAt: 1 })
  journal = new Set()
  done = []
})

function carryOut(ask: DappRequest, decision: Decision): Promise<unknown> {
  const intents = { find: async (id: string) => (journal.has(id) ? ({} as never) : undefined) }
  const act = withPermissionCheck({ sites, settings, intents }, async ({ ask }, _decision, at) => {
    expect(at).toBe(7)
    done.push(ask.kind)
  })
  return act({ id: 'approval', origin, chainId: 1, createdAt: 0, expiresAt: 1, ask }, decision, 7)
}

describe('withPermissionCheck', () => {
  it.each(questions)(
    'executes an approved request for %s when the site has permission',
    async (_what, ask, decision) => {
      await carryOut(ask, decision)
      expect(done).toEqual([ask.kind])
    },
  )

  it.each(questions)(
    'rejects an approved request for %s when the site has lost its permission',
    async (_what, ask, decision) => {
      const late = { code: 'not-connected' }
      await sites.save({ origin, accounts: [other], chainId: 1, connectedAt: 1 })
      await expect(carryOut(ask, decision)).rejects.toMatchObject(late)
      await sites.disconnect(origin)
      await expect(carryOut(ask, decision)).rejects.toMatchObject(late)
      expect(done).toEqual([])
    },
  )

  it.each(questions.slice(2))(
    'resumes a request for %s in the journal after the site is disconnected',
    async (_what, ask, decision) => {
      await sites.disconnect(origin)
      await settings.update((before) => ({ ...before, pageSwaps: false }))
      journal.add(decision.kind === 'swap' ? decision.intent.id : 'approval')
      await carryOut(ask, decision)
      expect(done).toEqual([ask.kind])
    },
  )

  it('rejects an approved swap after the user turned page swaps off', async () => {
    await settings.update((before) => ({ ...before, pageSwaps: false }))
    for (const [, ask, decision] of questions) await carryOut(ask, decision).catch(() => undefined)
    expect(done).toEqual(['sign-message', 'sign-typed-data', 'send'])
  })

  it('executes requests that need no account for an unconnected site', async () => {
    await sites.disconnect(origin)
    await carryOut({ kind: 'connect', accounts: [] }, { kind: 'connect', accounts: [account], chainId: 1 })
    await carryOut({ kind: 'switch-chain', to: 5 }, { kind: 'switch-chain' })
    expect(done).toEqual(['connect', 'switch-chain'])
  })
})
