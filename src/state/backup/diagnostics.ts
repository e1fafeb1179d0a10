import { builtInNetworks } from '../../config.ts'
import { activityState } from '../../domain/activity/activity.ts'
import type { Network, Settings } from '../../domain/network/network.ts'
import { damagedKeys, recordKinds } from '../../domain/storageKeys.ts'
import type { DappsApi, SwapsApi, TokensApi, TransactionsApi, VaultApi, WalletApi } from '../../protocol.ts'
import type { BrowserApi } from '../browserApi.ts'

/** What the page knows of itself. */
export type View = {
  userAgent: string
  width: number
  height: number
  pixelRatio: number
  language: string
  isOnline: boolean
  /** Errors that were shown, the newest last. */
  faults: { code: string; at: number }[]
}

type Deps = Pick<VaultApi, 'status'> &
  Pick<TokensApi, 'tokenPreferences' | 'tokens'> &
  Pick<SwapsApi, 'swaps'> &
  Pick<TransactionsApi, 'callBatches'> &
  Pick<DappsApi, 'sites' | 'approvals'>

/** Writes the diagnostics, as text that can be read. */
export function createDiagnostics(wallet: WalletApi) {
  return {
    write: async (around: BrowserApi, view: View, settings: Settings): Promise<string> =>
      JSON.stringify(await diagnose(wallet, around, view, settings), null, 2),
  }
}

/**
 * How the wallet is set up and does, for whoever helps: kinds, counts, codes and sizes. No address, amount, name, key, host of the user's
 * or path is in it: each value is either a number, a word of ours, or a version.
 */
export async function diagnose(wallet: Deps, around: BrowserApi, view: View, settings: Settings) {
  const [status, swaps, sendings, sites, approvals, sizes, hosts] = await Promise.all([
    known(wallet.status()),
    known(wallet.swaps()),
    known(wallet.callBatches()),
    known(wallet.sites()),
    known(wallet.approvals()),
    known(around.sizes()),
    known(around.hosts()),
  ])
  const networks = await Promise.all(settings.networks.map((network) => facts(wallet, network, settings)))
  const { language, theme, autoLockMinutes, slippageBps, strictCalldata, accessLists } = settings
  return {
    version: around.version,
    browser: describeBrowser(view.userAgent),
    view: {
      size: `${view.width} × ${view.height}`,
      pixelRatio: view.pixelRatio,
      language: /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(view.language) ? view.language : 'unknown',
      isOnline: view.isOnline,
    },
    settings: {
      language,
      theme,
      shortcuts: settings.shortcuts,
      autoLockMinutes,
      slippageBps: slippageBps ?? 'auto',
      strictCalldata,
      accessLists,
      pageSwaps: settings.pageSwaps,
      defaultWallet: settings.defaultWallet,
    },
    vault:
      status?.vault === 'unlocked'
        ? {
            state: status.vault,
            phrases: status.seeds.length,
            backedUp: status.backedUp,
            accounts: tally(status.accounts.map(({ kind }) => kind)),
            hidden: status.accounts.filter(({ isHidden }) => isHidden).length,
          }
        : { state: status?.vault ?? 'unknown' },
    networks,
    swaps: swaps && tally(swaps.map(activityState)),
    otherTransactions: sendings && tally(sendings.map(activityState)),
    failures: tally(
      [...(swaps ?? []), ...(sendings ?? [])].flatMap(({ outcome }) =>
        outcome.status === 'failed' ? outcome.code : [],
      ),
    ),
    errorsShown: view.faults.map(({ code, at }) => `${new Date(at).toISOString()} ${code}`),
    sites: sites?.length,
    openRequests: approvals?.length,
    hostsAllowed: hosts && tally(hosts.map((pattern) => kindOfUrl(pattern.replace('*', '')))),
    storageBytes: sizes && byKind(sizes),
    setAside: sizes && damagedKeys.filter((key) => key in sizes),
  }
}

async function facts(wallet: Deps, network: Network, { chainId: chosen }: Settings) {
  const { chainId, serviceUrl, rpcUrl, spareRpcUrl, explorerUrl, options } = network
  const isReachable = serviceUrl !== '' || rpcUrl !== ''
  const [picks, tokens] = await Promise.all([
    known(wallet.tokenPreferences(chainId)),
    // Asks nobody that was not asked before: there is a list only where there is a service.
    isReachable && chainId === chosen ? known(wallet.tokens(chainId)) : undefined,
  ])
  const builtIn = builtInNetworks().find((one) => one.chainId === chainId)
  return {
    chain: builtIn ? chainId : 'custom',
    name: builtIn?.name,
    ...(chainId === chosen && { isChosen: true }),
    service: kindOfUrl(serviceUrl),
    ...(serviceUrl && { interface: network.serviceVersion ?? '6.1', hasKey: Boolean(network.serviceKey) }),
    node: kindOfUrl(rpcUrl),
    spareNode: kindOfUrl(spareRpcUrl),
    explorer: kindOfUrl(explorerUrl),
    hasOwnRouter: network.router !== undefined,
    routeOptions: Object.keys(options ?? {}).sort(),
    favourites: picks?.favourites.length,
    listedAt: picks?.listedAt && new Date(picks.listedAt).toISOString(),
    ...(tokens && {
      tokens: tokens.length,
      unlistedTokens: tokens.filter(({ listed }) => !listed).length,
    }),
  }
}

/** Whose machine it is, never which. */
export function kindOfUrl(url: string | undefined): string {
  if (!url) return 'none'
  if (!URL.canParse(url)) return 'unreadable'
  const { protocol, hostname } = new URL(url)
  if (hostname === '127.0.0.1' || hostname === 'localhost') return 'localhost'
  return protocol === 'https:' ? 'https' : 'other'
}

/** Name and main version of the browser and the system's kind; the rest of what it calls itself tells people apart. */
export function describeBrowser(userAgent: string): string {
  const name = /(Firefox|Edg|OPR|Chrome)\/(\d{1,4})/.exec(userAgent.replace(/Chrome(?=.*(Edg|OPR)\/)/, ''))
  const system = /Windows|Android|CrOS|Mac OS X|Linux/.exec(userAgent)
  return [name?.[1], name?.[2], system?.[0]].filter(Boolean).join(' ')
}

/** Records have their kind before the first point; behind it stand chains, accounts and ids. */
function byKind(sizes: Record<string, number>): Record<string, number> {
  const kinds: Record<string, number> = { all: 0 }
  for (const [key, bytes] of Object.entries(sizes)) {
    const [kind = ''] = key.split('.')
    const name = recordKinds.find((one) => one === kind) ?? 'other'
    kinds[name] = (kinds[name] ?? 0) + bytes
    kinds.all = (kinds.all ?? 0) + bytes
  }
  return kinds
}

function tally(words: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** Something that cannot be had must not keep the rest away. */
function known<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  return asked.catch(() => undefined)
}
