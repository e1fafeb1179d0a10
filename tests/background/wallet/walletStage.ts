import { expect } from 'vitest'
import { createWalletApi } from '../../../src/background/api/walletApi.ts'
import { createNetworks } from '../../../src/background/networks/networks.ts'
import { createPermittedChanges } from '../../../src/background/permittedChanges.ts'
import { createPriceLists } from '../../../src/background/prices/priceLists.ts'
import type { Quotes } from '../../../src/background/quotes/quotes.ts'
import { createSettings } from '../../../src/background/settings.ts'
import { createSnapshotStore } from '../../../src/background/snapshots.ts'
import { createDrafts } from '../../../src/background/swap/draft.ts'
import { createCustomTokens } from '../../../src/background/tokens/customTokens.ts'
import { createTokenPreferenceStore } from '../../../src/background/tokens/favourites.ts'
import { createTokens } from '../../../src/background/tokens/tokens.ts'
import type { CallBatch, CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import type { Approval } from '../../../src/domain/dapp/approval.ts'
import type { Site } from '../../../src/domain/dapp/site.ts'
import type { Address, Token } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import type { Status } from '../../../src/protocol.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { key } from '../../helpers/background/worker.ts'
import { dai, reviewOf } from '../../helpers/state/fakes.ts'

// Everything remote is fake.

export const stranger: Address = `0x${'22'.repeat(20)}`

export const open: Approval = {
  id: 'ab'.repeat(16),
  origin: 'https://a.example',
  chainId: 1,
  createdAt: 1,
  expiresAt: 2,
  ask: { kind: 'send', account: stranger, calls: [] },
}

export function site(accounts: Address[]): Site {
  return { origin: 'https://a.example', accounts, chainId: 1, connectedAt: 5 }
}

export const sent: CallsIntent = {
  id: 'cd'.repeat(16),
  account: stranger,
  chainId: 1,
  calls: [],
  feeCap: 1n,
  mayFail: false,
}

export const sendingOf = (intent: CallsIntent): CallBatch => ({
  intent,
  createdAt: 1,
  steps: [],
  paid: 0n,
  outcome: { status: 'working' },
})

export type WalletStage = Awaited<ReturnType<typeof createWalletStage>>

/** `calls`: calls to fakes; `told`: events to views. */
export async function createWalletStage() {
  const calls: unknown[][] = []
  const told: Status[] = []
  const stage = { clock: 1_000_000, found: dai as Token, busy: [] as number[], isDiskBroken: false }
  const [memory, session] = [memoryArea(), memoryArea()]
  const local = {
    ...memory,
    async get(key: string) {
      if (stage.isDiskBroken) throw new WalletError('storage-failed', 'The disk is broken.')
      return memory.get(key)
    },
  }
  const call =
    (name: string) =>
    async (...args: unknown[]) => {
      calls.push([name, ...args])
    }
  const backup = { read: async () => undefined, write: async () => undefined, clear: async () => undefined }
  const vault = createVault({
    local,
    session,
    backup,
    now: () => stage.clock,
    async autoLockMinutes() {
      await local.get('settings')
      return 15
    },
  })
  const settings = createSettings(local)
  const never = () => expect.unreachable('asked the outside')
  const askable = {
    verify: async () => void calls.push(['verify']),
    proxyRequest: async (...args: unknown[]) => {
      calls.push(['proxyRequest', ...args])
      return '0x07'
    },
  }
  const neverChain = () => askable as unknown as Chain
  const networks = createNetworks(settings, { createChain: neverChain, createApi: never })
  const wallet = createWalletApi({
    vault,
    settings,
    drafts: createDrafts({ session, local }),
    snapshots: createSnapshotStore(local, () => stage.clock),
    changes: createPermittedChanges({
      session,
      settings,
      picks: createTokenPreferenceStore(local),
      chainAt: never,
      hasPermissions: async () => true,
      now: () => stage.clock,
    }),
    networks,
    prices: createPriceLists({ networks, settings, session, tokens: async () => [] }),
    tokens: createTokens(local, networks),
    listedAt: async () => 5,
    assets: createCustomTokens(local),
    picks: createTokenPreferenceStore(local),
    tokenOf: async () => stage.found,
    quote: Object.assign(
      async (...args: Parameters<Quotes>) => {
        calls.push(['quote', ...args])
        return { trade: args[0].trade, returns: 1n, gas: 1n, route: [] }
      },
      { drop: (view: string) => void calls.push(['dropQuote', view]) },
    ),
    impact: async (...args) => {
      calls.push(['impact', ...args])
      return 7
    },
    sellFor: async (...args) => {
      calls.push(['sellFor', ...args])
      return args[0].returns * 2n
    },
    sources: async (id) => [{ id: `SOURCE_${id}`, title: 'Source' }],
    reviews: {
      async review(ask) {
        calls.push(['review', ask])
        return reviewOf(ask.trade)
      },
      recheck: async () => ({ status: 'unknown', reason: 'No node.' }),
    },
    previewTransfer: async (ask) => {
      calls.push(['previewTransfer', ask])
      throw new WalletError('not-enough-gas', 'No coins.')
    },
    allowances: async () => [],
    heads: new Map(),
    incoming: { list: async () => [], observe: async () => undefined },
    intents: {
      swap: async (wanted) => {
        calls.push(['swap', wanted])
        return { intent: wanted, createdAt: 1, steps: [], paid: 0n, outcome: { status: 'working' } }
      },
      send: async (wanted) => {
        calls.push(['send', wanted])
        return sendingOf(wanted)
      },
      find: async (id) => (id === sent.id ? sendingOf(sent) : undefined),
      list: async () => [],
      sendings: async () => [sendingOf(sent)],
      replacement: async (...args) => {
        calls.push(['replacement', ...args])
        const speed = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
        const speeds = { slow: speed, normal: speed, fast: speed }
        return {
          replaces: '0x',
          gas: 1n,
          expectedGas: 1n,
          l1Fee: 0n,
          baseFeePerGas: 1n,
          least: speed,
          speeds,
        }
      },
      replace: async (ask) => {
        calls.push(['replace', ask])
        return sendingOf(sent)
      },
      openChains: async () => stage.busy,
      resume: async () => undefined,
    },
    approvals: {
      ask: never,
      checkFree: never,
      list: async () => [open],
      find: async (id) => (id === open.id ? open : undefined),
      approve: call('approve'),
      reject: call('reject'),
      rejectAll: call('rejectAll'),
      withdraw: never,
      withdrawSite: call('withdrawSite'),
      show: call('show'),
    },
    reset: vault.reset,
    sites: {
      forget: never,
      list: async () => [],
      get: never,
      view: never,
      chain: never,
      permitted: never,
      requireConnection: never,
      save: never,
      change: call('change'),
      setChain: never,
      disconnect: call('disconnect'),
    },
    preview: async ({ id }) => ({
      simulation: { status: 'unknown', reason: id },
      networkFee: 1n,
      expectedFee: 1n,
      feeCap: 2n,
      risks: [],
    }),
    signRisks: async () => [],
    recipientRisks: async () => [],
    events: { status: (status) => told.push(status) },
  })
  await wallet.create(key, await newSecret(12))
  const account = (await vault.accounts())[0]!.address
  return Object.assign(stage, { wallet, vault, account, calls, told, items: memory.items })
}
