import { createWorld, type World } from '../../dev/world.ts'
import { type RunningService, startService } from '../../service/server.ts'
import type { SwapApi } from '../../src/api/api.ts'
import { createHttp } from '../../src/api/http.ts'
import { v6 } from '../../src/api/v6.ts'
import { createIntents } from '../../src/background/intents.ts'
import { createJournal } from '../../src/background/journal.ts'
import { createNetworks } from '../../src/background/networks.ts'
import { makeReview } from '../../src/background/review.ts'
import { createSettings } from '../../src/background/settings.ts'
import { type Chain, createChain } from '../../src/chain/client.ts'
import { defaultSettings } from '../../src/config.ts'
import type { Call, CallsIntent, Sending } from '../../src/domain/calls.ts'
import type { Network } from '../../src/domain/network.ts'
import type { Review, Swap, SwapIntent } from '../../src/domain/swap.ts'
import type { Address } from '../../src/domain/token.ts'
import type { Trade } from '../../src/domain/trade.ts'
import { newSecret } from '../../src/vault/phrase.ts'
import type { Backup } from '../../src/vault/store.ts'
import { createVault } from '../../src/vault/vault.ts'
import { memoryArea } from './memory.ts'

/** A real node and the real service in front of it. */
export type Stage = {
  world: World
  service: RunningService
  network: Network
  /** From here on blocks are only made when a test asks for them. */
  stopMining(): Promise<void>
  startMining(): Promise<void>
  stop(): Promise<void>
}

export async function createStage(confirmations = 1): Promise<Stage> {
  const world = await createWorld()
  const { client } = world
  const service = await startService({
    config: world.config,
    rpcUrl: world.rpcUrl,
    // Blocks that a test takes back make it stumble for a moment.
    report: () => undefined,
  })
  const [local] = defaultSettings().networks
  // A loaded node now and then leaves a transaction lying that it should mine at once; another block takes it.
  let mining = true
  const nudge = setInterval(() => {
    if (mining) client.mine({ blocks: 1 }).catch(() => undefined)
  }, 1_000)
  return {
    world,
    service,
    network: { ...local!, serviceUrl: service.url, rpcUrl: world.rpcUrl, confirmations },
    async stopMining() {
      mining = false
      await client.setAutomine(false)
      // A block may be in the making.
      await new Promise((resolve) => setTimeout(resolve, 30))
    },
    async startMining() {
      await client.setAutomine(true)
      await client.mine({ blocks: 1 })
      mining = true
    },
    async stop() {
      clearInterval(nudge)
      await service.stop()
      await world.stop()
    },
  }
}

/** What survives a worker: the browser's storage, of disk and of memory, and the vault's backup. */
export type Browser = {
  local: Map<string, string>
  session: Map<string, string>
  backup: Backup
  account: Address
}

/** A data key and a lock that nobody opens: these tests never type a password. */
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

/** A browser with an unlocked wallet of a fresh account, funded from the world. */
export async function createBrowser({ world, service, network }: Stage): Promise<Browser> {
  const local = new Map<string, string>()
  const session = new Map<string, string>()
  let stored: unknown
  const backup: Backup = {
    read: async () => stored,
    write: async (records) => {
      stored = structuredClone(records)
    },
  }
  const areas = { local: memoryArea(local), session: memoryArea(session) }
  await createSettings(areas.local).save({ ...defaultSettings(), networks: [network] })
  const vault = createVault({ ...areas, backup, now: Date.now })
  await vault.importPhrase(key, await newSecret(12))
  const account = (await vault.accounts())[0]!.address
  await world.fund(account)
  await service.engine.refresh()
  return { local, session, backup, account }
}

export type WorkerOptions = {
  /** Stands between the worker and all it touches: called for each operation, which it may perform, spoil or never finish. */
  gate?: Gate
  now?: () => number
  api?: (api: SwapApi) => SwapApi
  chain?: (chain: Chain) => Chain
  waitMs?: number
}

export type Gate = <T>(operation: string, perform: () => Promise<T>) => Promise<T>

const open: Gate = (_operation, perform) => perform()

/** One life of the worker on what the browser kept. Nothing runs before `resume` or `swap`. */
export function createWorker(browser: Browser, options: WorkerOptions = {}) {
  const { gate = open, now = Date.now, waitMs = 5 } = options
  const local = gated('local', memoryArea(browser.local), gate)
  const session = gated('session', memoryArea(browser.session), gate)
  const vault = createVault({ local, session, backup: browser.backup, now })
  const networks = createNetworks(createSettings(local), {
    createChain: (network) => gated('chain', (options.chain ?? same)(createChain(network)), gate),
    createApi: ({ serviceUrl, chainId }) =>
      gated('api', (options.api ?? same)(v6(createHttp({ baseUrl: serviceUrl }), chainId)), gate),
  })
  const journal = createJournal(local)
  const heard: Swap[] = []
  const intents = createIntents({
    vault,
    journal,
    networks,
    onChange: (swap) => void heard.push(swap),
    now,
    wait: () => new Promise((resolve) => setTimeout(resolve, waitMs)),
  })
  return {
    ...intents,
    vault,
    journal,
    networks,
    local,
    /** All that views were told, in order. */
    heard,
    async review(trade: Trade, slippageBps = 50): Promise<Review> {
      const { chainId } = trade
      const [api, chain] = [await networks.api(chainId), await networks.chain(chainId)]
      const { router } = await networks.network(chainId)
      return makeReview(api, chain, browser.account, trade, slippageBps, router)
    },
    /** Waits until the swap, or the calls, are no longer under way, and answers them. */
    async over<Kind extends Swap | Sending = Swap>(id: string): Promise<Kind> {
      return until(async () => {
        const one = await intents.find(id)
        return one !== undefined && one.outcome.status !== 'working' ? (one as Kind) : undefined
      }, `${id} to be over`)
    },
  }
}

export type Worker = ReturnType<typeof createWorker>

let made = 0

/** What the popup makes of a review that was accepted. */
export function accept(account: Address, trade: Trade, review: Review, slippageBps = 50): SwapIntent {
  const id = (++made).toString(16).padStart(32, '0')
  const { floor, router, feeCap } = review
  return { id, account, trade, slippageBps, floor, router, feeCap }
}

/** What carrying out a page's request makes of calls that were agreed to. */
export function agree(account: Address, calls: Call[], feeCap = 10n ** 18n, mayFail = false): CallsIntent {
  const id = (++made).toString(16).padStart(32, '0')
  return { id, account, chainId: 31337, calls, feeCap, mayFail }
}

/** Reviews and accepts `trade`. */
export async function intend(worker: Worker, { account }: Browser, trade: Trade): Promise<SwapIntent> {
  return accept(account, trade, await worker.review(trade))
}

export async function until<T>(
  look: () => Promise<T | undefined>,
  what: string,
  withinMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The same object with every method behind the gate. */
function gated<T extends object>(name: string, target: T, gate: Gate): T {
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
