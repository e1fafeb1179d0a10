import { afterAll, beforeAll } from 'vitest'
import { createLocalnet, type Localnet, type LocalnetOptions } from '../../../dev/localnet.ts'
import type { RunningService } from '../../../service/server.ts'
import type { SwapApi } from '../../../src/api/client.ts'
import { createHttp } from '../../../src/api/http.ts'
import { v6 } from '../../../src/api/v6.ts'
import { createNetworks } from '../../../src/background/networks/networks.ts'
import type { PriceImpact } from '../../../src/background/quotes/priceImpact.ts'
import { createFetchQuote } from '../../../src/background/quotes/rateLimitedQuotes.ts'
import type { RecentQuote } from '../../../src/background/quotes/recentQuotes.ts'
import { createSettings } from '../../../src/background/settings.ts'
import { createReviews } from '../../../src/background/swap/reviewStore.ts'
import type { Tokens } from '../../../src/background/tokens/tokens.ts'
import { createJournal } from '../../../src/background/transactions/journal.ts'
import { createTransactionQueue } from '../../../src/background/transactions/queue.ts'
import { defaultSettings } from '../../../src/config.ts'
import type { Call, CallBatch, CallsIntent } from '../../../src/domain/activity/callBatch.ts'
import { encode } from '../../../src/domain/json.ts'
import type { Network, Settings } from '../../../src/domain/network/network.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { Review, Swap, SwapIntent, SwapTerms } from '../../../src/domain/swap/swap.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import type { FallbackDeps } from '../../../src/evm/rpc/fallback.ts'
import type { ReviewRequest } from '../../../src/protocol.ts'
import { toIntent } from '../../../src/state/swap/swapFlow.ts'
import type { Backup } from '../../../src/vault/storage/store.ts'
import { createVault } from '../../../src/vault/vault.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { startUnhurried } from '../service/unhurriedService.ts'
import { memoryArea } from './memoryArea.ts'

/** A real node and swap service. */
export type Stage = {
  localnet: Localnet
  service: RunningService
  network: Network
  stopMining(): Promise<void>
  startMining(): Promise<void>
  stop(): Promise<void>
}

/** Lives as long as the test file. */
export function useStage(confirmations?: number, options?: LocalnetOptions): Stage {
  const stage = {} as Stage
  beforeAll(async () => {
    Object.assign(stage, await createStage(confirmations, options))
  })
  afterAll(() => stage.stop?.())
  return stage
}

async function createStage(confirmations = 1, options?: LocalnetOptions): Promise<Stage> {
  const localnet = await createLocalnet(options)
  const { client } = localnet
  const service = await startUnhurried({ config: localnet.config, rpcUrl: localnet.rpcUrl })
  const [local] = defaultSettings().networks
  return {
    localnet,
    service,
    network: {
      ...local!,
      serviceUrl: service.url,
      rpcUrl: localnet.rpcUrl,
      wrapped: localnet.tokens.WETH,
      confirmations,
    },
    async stopMining() {
      await client.setAutomine(false)
      await stillness(client)
    },
    async startMining() {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
    },
    async stop() {
      play.isOver = true
      play = { isOver: false }
      await service.stop()
      await localnet.stop()
    },
  }
}

/** Workers must not outlive their stage and keep polling. */
let play = { isOver: false }

/** Several reads in a row must agree. */
async function stillness(client: Localnet['client']): Promise<void> {
  let seen = ''
  for (let same = 0; same < 5; ) {
    await pause(10)
    const found = encode(await Promise.all([client.getBlockNumber(), client.getTxpoolStatus()]))
    same = found === seen ? same + 1 : 0
    seen = found
  }
}

/** Everything that survives a worker. */
export type Browser = {
  local: Map<string, string>
  session: Map<string, string>
  backup: Backup
  account: Address
}

/** No test types a password. */
export const key = {
  dataKey: Buffer.alloc(32, 7).toString('base64'),
  wrap: {
    version: 1,
    vaultId: `0x${'01'.repeat(16)}`,
    kdf: { name: 'argon2id', memoryKiB: 65_536, passes: 3, lanes: 1, salt: `0x${'02'.repeat(32)}` },
    iv: `0x${'03'.repeat(12)}`,
    sealed: `0x${'04'.repeat(48)}`,
  },
} as const

export const { dataKey } = key

export async function createBrowser(
  { localnet, service, network }: Pick<Stage, 'localnet' | 'service' | 'network'>,
  settings: Partial<Settings> = {},
): Promise<Browser> {
  const local = new Map<string, string>()
  const session = new Map<string, string>()
  let stored: unknown
  const backup: Backup = {
    read: async () => stored,
    write: async (records) => {
      stored = structuredClone(records)
    },
    clear: async () => {
      stored = undefined
    },
  }
  const areas = { local: memoryArea(local), session: memoryArea(session) }
  await createSettings(areas.local).update(() => ({ ...defaultSettings(), networks: [network], ...settings }))
  const vault = createVault({ ...areas, backup, now: Date.now, autoLockMinutes })
  await vault.importPhrase(key, await newSecret(12))
  const account = (await vault.accounts())[0]!.address
  await localnet.fund(account)
  await service.engine.refresh()
  return { local, session, backup, account }
}

export type WorkerOptions = {
  /** Called for each operation; may perform, fail or hang. */
  gate?: Gate
  now?: () => number
  api?: (api: SwapApi) => SwapApi
  chain?: (chain: Chain) => Chain
  /** Between polls; 5 ms by default. */
  wait?: () => Promise<void>
  impact?: PriceImpact
  recent?: RecentQuote
  /** Timeout for optional data; 60 s by default. */
  softlyMs?: number
  cached?: Tokens
  /** Without timeouts by default. */
  wire?: FallbackDeps
}

export type Gate = <T>(operation: string, perform: () => Promise<T>) => Promise<T>

const autoLockMinutes = async () => 15

const open: Gate = (_operation, perform) => perform()

/** Idle until `resume` or `swap`. */
export function createWorker(browser: Browser, options: WorkerOptions = {}) {
  const { gate = open, now = Date.now, wait = () => pause(5) } = options
  const own = play
  const nextLook = () => (own.isOver ? new Promise<never>(() => {}) : wait())
  const local = gated('local', memoryArea(browser.local), gate)
  const session = gated('session', memoryArea(browser.session), gate)
  const vault = createVault({ local, session, backup: browser.backup, now, autoLockMinutes })
  const settings = createSettings(local)
  const networks = createNetworks(settings, {
    createChain: (network) =>
      gated(
        'chain',
        (options.chain ?? same)(createChain(network, options.wire ?? { fetch: patientFetch })),
        gate,
      ),
    createApi: ({ serviceUrl, chainId }) =>
      gated(
        'api',
        (options.api ?? same)(v6(createHttp({ baseUrl: serviceUrl, deadlineMs: 600_000 }), chainId)),
        gate,
      ),
  })
  const journal = createJournal(local)
  const heard: Swap[] = []
  const heardSendings: CallBatch[] = []
  const intents = createTransactionQueue({
    vault,
    journal,
    networks,
    settings,
    onChange: (swap) => void heard.push(swap),
    onSending: (sending) => void heardSendings.push(sending),
    now,
    wait: nextLook,
  })
  const reviews = createReviews({
    networks,
    settings,
    tokens: async ({ chainId }) => (await networks.api(chainId)).tokens(),
    cached: options.cached ?? (async () => []),
    impact: options.impact ?? (async () => undefined),
    price: createFetchQuote({ networks }),
    recent: options.recent ?? (async () => undefined),
    softlyMs: options.softlyMs ?? 60_000,
    now,
  })
  return {
    ...intents,
    vault,
    journal,
    networks,
    local,
    /** Events to views, in order. */
    heard,
    heardSendings,
    recheck: reviews.recheck,
    review(trade: Trade, wanted: Wanted = {}): Promise<Review> {
      return reviews.review({ id: newId(), account: browser.account, trade, ...termsOf(wanted) })
    },
    async over<Kind extends Swap | CallBatch = Swap>(id: string): Promise<Kind> {
      return until(async () => {
        const one = await intents.find(id)
        return one !== undefined && one.outcome.status !== 'working' ? (one as Kind) : undefined
      }, `${id} to be over`)
    },
  }
}

/** No timeout, for busy machines. */
const patientFetch: typeof fetch = (url, init) => fetch(url, { ...init, signal: null })

export type Worker = ReturnType<typeof createWorker>

export type Wanted = number | Partial<Omit<ReviewRequest, 'trade' | 'account'>>

function termsOf(wanted: Wanted): SwapTerms & Partial<ReviewRequest> {
  return typeof wanted === 'number' ? { slippageBps: wanted } : { slippageBps: 50, ...wanted }
}

let made = 0

function newId(): string {
  return (++made).toString(16).padStart(32, '0')
}

export function accept(account: Address, trade: Trade, review: Review, wanted: Wanted = {}): SwapIntent {
  return toIntent(newId(), { account, trade, ...termsOf(wanted) }, review)
}

export function agree(account: Address, calls: Call[], feeCap = 10n ** 18n, mayFail = false): CallsIntent {
  return { id: newId(), account, chainId: 31337, calls, feeCap, mayFail }
}

export async function intend(
  worker: Worker,
  { account }: Browser,
  trade: Trade,
  wanted: Wanted = {},
): Promise<SwapIntent> {
  return accept(account, trade, await worker.review(trade, wanted), wanted)
}

export async function until<T>(
  look: () => Promise<T | undefined>,
  what: string,
  withinMs = 100_000,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`)
    await pause(10)
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

export function gated<T extends object>(name: string, target: T, gate: Gate): T {
  const methods = Object.entries(target).map(([method, perform]) => [
    method,
    typeof perform !== 'function'
      ? perform
      : (...args: unknown[]) => gate(`${name}.${method}`, async () => perform(...args)),
  ])
  return Object.fromEntries(methods) as T
}

function same<T>(value: T): T {
  return value
}
