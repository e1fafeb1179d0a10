import { browser } from 'wxt/browser'
import { createApi } from '../api/createClient.ts'
import { hasOutcome } from '../domain/activity/intent.ts'
import type { Settings } from '../domain/network/network.ts'
import { createChain } from '../evm/client.ts'
import { readChainId } from '../evm/rpc/node.ts'
import { singleFlight } from '../lib/async/singleFlight.ts'
import { broadcast, serve } from '../messaging.ts'
import type { WalletApi, WalletEvents } from '../protocol.ts'
import { createBackup } from '../vault/storage/backup.ts'
import type { Backup } from '../vault/storage/store.ts'
import { createVault } from '../vault/vault.ts'
import { createIncomingTransfers } from './activity/incoming.ts'
import { createWalletApi } from './api/walletApi.ts'
import { createBadge } from './badge.ts'
import { startDapps } from './dapp/main.ts'
import { createRecipientFacts } from './dapp/recipientFacts.ts'
import { createRiskChecks } from './dapp/riskChecks.ts'
import { createNetworks, type NetworkClients } from './networks/networks.ts'
import { createNotifications } from './notifications.ts'
import { createOnboardingTab } from './onboardingTab.ts'
import { createPermittedChanges } from './permittedChanges.ts'
import { createPriceLists } from './prices/priceLists.ts'
import { createExactOutput } from './quotes/exactOutput.ts'
import { createLiquiditySources } from './quotes/liquiditySources.ts'
import { createQuotes, readNetworkFees } from './quotes/quotes.ts'
import { createFetchQuote } from './quotes/rateLimitedQuotes.ts'
import { createPriceImpacts } from './quotes/recentQuotes.ts'
import { createServiceLimit } from './quotes/serviceLimit.ts'
import { createResetWallet } from './resetWallet.ts'
import { createSettings } from './settings.ts'
import { createSnapshotStore } from './snapshots.ts'
import { evictOnQuotaExceeded, openArea } from './storage.ts'
import { createDrafts } from './swap/draft.ts'
import { createReviews } from './swap/reviewStore.ts'
import { createAllowances } from './tokens/allowances.ts'
import { createCustomTokens } from './tokens/customTokens.ts'
import { createTokenPreferenceStore } from './tokens/favourites.ts'
import { createGetToken } from './tokens/getToken.ts'
import { createCachedTokens, createListAge, createTokens } from './tokens/tokens.ts'
import { createJournal } from './transactions/journal.ts'
import { createTransactionQueue } from './transactions/queue.ts'
import { createCallPreview } from './transfers/simulateCalls.ts'
import { createPreviewTransfer } from './transfers/transfer.ts'

type WorkerDeps = NetworkClients & { backup: Backup }

const alarm = 'tick'
/** Shortest period of `chrome.alarms`, in minutes. */
const everyMinutes = 0.5

/**
 * Composes and starts the worker. All listeners are added in the first turn, since the browser restarts an
 * idle worker for a message or an alarm.
 */
export function start(outside: WorkerDeps = realOutside()): void {
  const disk = openArea(browser.storage.local)
  const local = evictOnQuotaExceeded(disk)
  const session = openArea(browser.storage.session)
  const settings = createSettings(local, async (changed) => {
    events.settings(changed)
    // Locks at once if the shorter auto-lock cannot be stored.
    await vault.shorten().catch(lockNow)
  })
  const vault = createVault({
    local,
    session,
    backup: outside.backup,
    now: Date.now,
    autoLockMinutes: async () => (await settings.get()).autoLockMinutes,
    onOver: tellLocked,
  })
  function tellLocked(): void {
    events.status({ vault: 'locked' })
  }
  const lockNow = () => vault.lock().then(tellLocked)
  const networks = createNetworks(settings, outside)
  const tokens = createTokens(disk, networks)
  const assets = createCustomTokens(local)
  const cached = createCachedTokens(local)
  const tokenOf = createGetToken({ networks, cached, assets })
  const views = broadcast<WalletEvents>('events')
  const events: WalletEvents = {
    status(status) {
      views.status(status)
      quietly(pages.changed())
    },
    settings(changed) {
      views.settings(changed)
      quietly(pages.changed())
      quietly(tellRelays(changed))
    },
    swap: views.swap,
    callBatch: views.callBatch,
    incoming: views.incoming,
    approvals: views.approvals,
    sites: views.sites,
  }
  const journal = createJournal(local)
  const badge = createBadge(() => browser.action)
  const notify = createNotifications(settings)
  const countPending = async () =>
    badge.setPending((await journal.list()).filter((one) => !hasOutcome(one)).length)
  const intents = createTransactionQueue({
    vault,
    journal,
    networks,
    settings,
    onChange: events.swap,
    onSending: events.callBatch,
    onStatusChange(one) {
      quietly(countPending())
      quietly(notify(one))
    },
  })

  const limit = createServiceLimit()
  const prices = createPriceLists({
    networks,
    settings,
    session,
    limit,
    tokens: async (network) => [...(await assets.list(network.chainId)), ...(await cached(network))],
  })
  const incoming = createIncomingTransfers({
    local,
    networks,
    sent: async () => (await Promise.all([intents.list(), intents.sendings()])).flat(),
    onReceived: events.incoming,
    pricesOf: prices.readOnChain,
  })

  /**
   * Runs before every request: the auto-lock, and what the last worker left open. Single-flight, so that many
   * page requests wake it once.
   */
  const wake = singleFlight(async () => {
    // Locks at once if the auto-lock cannot be read; transactions are followed anyway.
    await Promise.all([quietly(vault.expire().catch(lockNow)), intents.resume()])
  })

  const risks = createRiskChecks({
    networks,
    preview: createCallPreview({ networks, tokenOf, assets }),
    people: createRecipientFacts({ vault, settings, intents }),
  })
  const pages = startDapps({
    local,
    session,
    vault,
    settings,
    networks,
    tokens,
    assets,
    intents,
    events,
    risks,
    badge,
    wake,
  })
  const fetchQuote = createFetchQuote({ networks, limit })
  const quote = createQuotes({
    price: fetchQuote,
    costsOf: async (chainId) => readNetworkFees(await networks.chain(chainId)),
  })
  const impacts = createPriceImpacts({ quote, networks })
  const picks = createTokenPreferenceStore(local)
  const changes = createPermittedChanges({
    session,
    settings,
    picks,
    chainAt: readChainId,
    hasPermissions: (wanted) => browser.permissions.contains(wanted),
    now: Date.now,
  })
  browser.permissions.onAdded.addListener(() => quietly(wake().then(changes.resume)))
  const wallet = createWalletApi({
    vault,
    settings,
    drafts: createDrafts({ session, local }),
    changes,
    networks,
    prices,
    tokens,
    listedAt: createListAge(local),
    assets,
    picks,
    snapshots: createSnapshotStore(local, Date.now),
    tokenOf,
    heads: new Map(),
    incoming,
    quote,
    impact: impacts.form,
    sellFor: createExactOutput({ price: fetchQuote }),
    sources: createLiquiditySources(networks),
    reviews: createReviews({
      networks,
      settings,
      tokens,
      cached,
      price: fetchQuote,
      recent: impacts.recent,
      impact: impacts.review,
    }),
    previewTransfer: createPreviewTransfer({ networks, tokenOf }),
    allowances: createAllowances({ networks, cached, assets, tokenOf, swaps: intents.list }),
    intents,
    approvals: pages.approvals,
    sites: pages.sites,
    reset: createResetWallet({
      vault,
      local,
      settings,
      approvals: pages.approvals,
      remembering: [
        settings,
        journal,
        intents,
        incoming,
        changes,
        { forget: () => badge.setPending(0) },
        ...pages.remembering,
      ],
    }),
    preview: risks.preview,
    signRisks: risks.signRisks,
    recipientRisks: risks.recipientRisks,
    events,
  })

  // Storage errors reach the caller of a request; here they are only retried later.
  const tick = () => quietly(wake().then(pages.approvals.expire))

  serve<WalletApi>(
    'wallet',
    wakingFirst(wallet, () => quietly(wake())),
  )
  browser.alarms.onAlarm.addListener(tick)
  const welcome = createOnboardingTab({
    vault,
    openTab: (hash) => browser.tabs.create({ url: browser.runtime.getURL(`/popup.html${hash}`) }),
  })
  browser.runtime.onInstalled.addListener((details) => void quietly(welcome(details)))
  // Starts the worker with the browser.
  browser.runtime.onStartup.addListener(() => undefined)
  browser.alarms.create(alarm, { periodInMinutes: everyMinutes })
  // Keeps content scripts out of our storage, where the browser supports it.
  quietly(Promise.resolve(browser.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })))
  tick().then(() => {
    // The browser forgets the badge when it closes.
    quietly(
      pages.approvals.list().then((open) => {
        badge.setRequests(open.length)
        return countPending()
      }),
    )
    quietly(pages.changed())
    // The last worker may have been stopped while saving, or before it heard of the permission.
    quietly(changes.resume())
  })
}

/** Stores the one setting that every relay needs without waking the worker. */
async function tellRelays({ defaultWallet }: Settings): Promise<void> {
  await browser.storage.sync.set({ defaultWallet })
}

function quietly(work: Promise<unknown>): Promise<unknown> {
  return work.catch(() => undefined)
}

function realOutside(): WorkerDeps {
  return {
    createChain: (network) => createChain(network),
    createApi,
    backup: createBackup(),
  }
}

/** Returns the same methods, each called after `first`. */
function wakingFirst<Contract extends object>(methods: Contract, first: () => Promise<unknown>): Contract {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) => first().then(() => method(...args)),
  ])
  return Object.fromEntries(wrapped) as Contract
}
