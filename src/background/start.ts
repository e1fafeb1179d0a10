import { browser } from 'wxt/browser'
import { createHttp } from '../api/http.ts'
import { v6 } from '../api/v6.ts'
import { createChain } from '../chain/client.ts'
import { broadcast, serve } from '../messaging.ts'
import type { Events, Wallet } from '../protocol.ts'
import { createBackup } from '../vault/backup.ts'
import type { Backup } from '../vault/store.ts'
import { createVault } from '../vault/vault.ts'
import { createDrafts } from './draft.ts'
import { createJournal } from './journal.ts'
import { type Connections, createNetworks } from './networks.ts'
import { createQuotes } from './quotes.ts'
import { createSettings } from './settings.ts'
import { openArea } from './storage.ts'
import { createSwaps } from './swaps.ts'
import { createTokens } from './tokens.ts'
import { createWallet } from './wallet.ts'

type Outside = Connections & { backup: Backup }

const alarm = 'tick'
/** The shortest period of an alarm, in minutes (chrome.alarms, since version 120). */
const everyMinutes = 0.5

/**
 * Puts the worker together and answers the popup. The browser stops an idle worker and starts it again for a message or an
 * alarm, so all listeners are there in the first turn, and each start goes on with the swaps that are open.
 */
export function start(outside: Outside = realOutside()): void {
  const local = openArea(browser.storage.local)
  const session = openArea(browser.storage.session)
  const events = broadcast<Events>('events')
  const vault = createVault({ local, session, backup: outside.backup, now: Date.now })
  const settings = createSettings(local)
  const networks = createNetworks(settings, outside)
  const journal = createJournal(local)
  const swaps = createSwaps({ vault, journal, networks, onChange: events.swap })
  const wallet = createWallet({
    vault,
    settings,
    drafts: createDrafts(session),
    networks,
    tokens: createTokens(local),
    quote: createQuotes({
      apiOf: networks.api,
      feePerGasOf: async (chainId) => (await (await networks.chain(chainId)).fees()).maxFeePerGas,
    }),
    swaps,
    events,
  })

  /** What comes before everything else: the lock, whose time may be over, and the swaps of the worker before. */
  async function wake(): Promise<void> {
    if (await vault.expire()) events.status(await wallet.status())
    await swaps.resume()
  }

  // A storage that fails tells whoever asks for something; here it is only tried again later.
  const wakeQuietly = () => wake().catch(() => undefined)

  serve<Wallet>('wallet', afterEach(wallet, wakeQuietly))
  browser.alarms.onAlarm.addListener(wakeQuietly)
  // Starts the worker together with the browser.
  browser.runtime.onStartup.addListener(() => undefined)
  browser.alarms.create(alarm, { periodInMinutes: everyMinutes })
  // Content scripts have no business in our storage (not every browser can say so).
  browser.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })
  wakeQuietly()
}

function realOutside(): Outside {
  return {
    createChain: (network) => createChain(network),
    createApi: ({ serviceUrl, serviceKey, chainId }) =>
      v6(createHttp({ baseUrl: serviceUrl, key: serviceKey }), chainId),
    backup: createBackup(),
  }
}

/** The same methods, each called when `first` is done. */
function afterEach<Contract extends object>(methods: Contract, first: () => Promise<unknown>): Contract {
  const wrapped = Object.entries(methods).map(([name, method]) => [
    name,
    (...args: unknown[]) => first().then(() => method(...args)),
  ])
  return Object.fromEntries(wrapped) as Contract
}
