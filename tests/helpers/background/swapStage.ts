import { createApprovals } from '../../../src/background/approvals/approvals.ts'
import { createConnectedSites } from '../../../src/background/dapp/connectedSites.ts'
import { createCallIds } from '../../../src/background/dapp/methods/callIds.ts'
import { createSwapExecutor } from '../../../src/background/dapp/swap/execute.ts'
import { createSwapMethod } from '../../../src/background/dapp/swap/method.ts'
import { createSettings } from '../../../src/background/settings.ts'
import type { TransactionQueue } from '../../../src/background/transactions/queue.ts'
import { defaultSettings } from '../../../src/config.ts'
import type { Approval } from '../../../src/domain/dapp/approval.ts'
import type { SwapRequest } from '../../../src/domain/dapp/swapRequest.ts'
import type { Step, Swap, SwapIntent } from '../../../src/domain/swap/swap.ts'
import { type Address, type Hex, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import type { ProviderEvent } from '../../../src/protocol.ts'
import { memoryArea } from './memoryArea.ts'
import { until } from './worker.ts'

export const origin = 'https://shop.example'
export const account: Address = '0xa11ce00000000000000000000000000000000001'
export const stranger: Address = '0xbad0000000000000000000000000000000000002'
export const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
export const usdc: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
/** Unlisted; two decimals by its contract. */
export const loner: Address = '0x1010101010101010101010101010101010101010'
export const nobody: Address = '0x2020202020202020202020202020202020202020'
export const router: Address = '0x1111111254eeb25477b68fb85ed929f73a960582'

export const asker = (requestId = 1, documentId = 'DOC') => ({ origin, documentId, tabId: 3, requestId })
export const pageAsk = {
  token: weth,
  pairToken: usdc,
  amount: '1.5',
  slippage: 0.005,
  minReceived: '2990',
  id: 'mine',
}

export const caught = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

export const hashOf = (digit: number): Hex => `0x${String(digit).repeat(64)}`

const newToken = (address: Address, symbol: string, decimals: number): Token => ({
  address,
  symbol,
  name: symbol,
  decimals,
  listed: true,
  eip2612: false,
  taxed: false,
  tags: [],
})

/** Survives the worker. */
export type Disk = { local: Map<string, string>; session: Map<string, string>; swaps: Map<string, Swap> }

export const newDisk = (): Disk => ({ local: new Map(), session: new Map(), swaps: new Map() })

/** Network, journal and vault are fake. */
export async function createSwapStage(disk = newDisk()) {
  const local = memoryArea(disk.local)
  let time = 1_800_000_000_000
  const now = () => time
  const settings = createSettings(local)
  const sites = createConnectedSites({
    vault: { status: async () => 'unlocked', accounts: async () => [{ address: account, name: 'One' }] },
    settings,
    local,
    onChange: async () => undefined,
  })
  const ids = createCallIds(local, now)
  const journal = createJournalStandIn(disk.swaps)
  const carryOut = createSwapExecutor({ ids, swaps: journal.swaps })
  let opened = 0
  const approvals = createApprovals({
    session: memoryArea(disk.session),
    window: { open: async () => void opened++, count: () => undefined, onClosed: () => undefined },
    check: async () => undefined,
    perform: carryOut,
    onChange: () => undefined,
    isThere: () => true,
    now,
  })
  const reads: string[] = []
  const told: (ProviderEvent & { documentId: string })[] = []
  const receipts = new Map<Hex, () => unknown>()
  const chain = {
    async token(address: Address) {
      reads.push(`token ${address}`)
      if (address === loner) return newToken(loner, 'LONE', 2)
      throw new WalletError('unknown-token', 'No token.')
    },
  } as unknown as Chain
  const method = createSwapMethod({
    approvals,
    sites,
    settings,
    networks: { chain: async () => chain },
    tokens: async () => [
      newToken(nativeTokenAddress, 'ETH', 18),
      newToken(weth, 'WETH', 18),
      newToken(usdc, 'USDC', 6),
    ],
    ids,
    swaps: journal.swaps,
    receipt: async (_chainId, hash) => receipts.get(hash)?.() ?? null,
    tell: (documentId, event) => void told.push({ ...event, documentId }),
    now,
    wait: async () => undefined,
  })
  const defaults = defaultSettings()
  const networks = defaults.networks.map((each) =>
    each.chainId === 1
      ? { ...each, serviceUrl: 'https://service.example', rpcUrl: 'https://node.example' }
      : each,
  )
  await settings.update(() => ({ ...defaults, networks }))
  return {
    method,
    approvals,
    sites,
    settings,
    ids,
    journal,
    carryOut,
    receipts,
    told,
    reads,
    opened: () => opened,
    pass: (ms: number) => {
      time += ms
    },
    async connect() {
      await sites.save({ origin, accounts: [account], chainId: 1, connectedAt: 1 })
    },
    async shown(): Promise<Approval & { ask: { kind: 'swap'; request: SwapRequest } }> {
      const open = await until(async () => (await approvals.list())[0], 'the request')
      return open as Approval & { ask: { kind: 'swap'; request: SwapRequest } }
    },
  }
}

export function newIntent(changes: Partial<SwapIntent> = {}): SwapIntent {
  return {
    id: `${'0'.repeat(31)}1`,
    account,
    trade: { chainId: 1, sell: weth, buy: usdc, amount: 15n * 10n ** 17n },
    slippageBps: 30,
    floor: 3_000_000_000n,
    router,
    feeCap: 10n ** 16n,
    ...changes,
  }
}

function createJournalStandIn(stored: Map<string, Swap>) {
  const listeners = new Set<() => void>()
  let refusal: WalletError | undefined
  const swaps: Pick<TransactionQueue, 'swap' | 'find' | 'until'> = {
    async swap(intent) {
      if (refusal !== undefined) throw refusal
      const known = stored.get(intent.id)
      if (known !== undefined) return known
      const swap: Swap = { intent, createdAt: 0, steps: [], paid: 0n, outcome: { status: 'working' } }
      stored.set(intent.id, swap)
      return swap
    },
    find: async (id) => stored.get(id),
    until: (id, is) =>
      new Promise((resolve) => {
        const look = () => {
          const one = stored.get(id)
          if (one === undefined || !is(one)) return
          listeners.delete(look)
          resolve(one)
        }
        listeners.add(look)
        look()
      }),
  }
  return {
    swaps,
    stored,
    refuse: (error: WalletError | undefined) => {
      refusal = error
    },
    go(id: string, steps: Step[], outcome: Swap['outcome'] = { status: 'working' }) {
      const known = stored.get(id)
      if (known === undefined) throw new Error(`No swap ${id}.`)
      stored.set(id, { ...known, steps, outcome })
      for (const look of [...listeners]) look()
    },
  }
}
