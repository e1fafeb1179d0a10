import { builtInNetworks } from '../../config.ts'
import { activityState } from '../../domain/activity/activity.ts'
import type { Network, Settings } from '../../domain/network/network.ts'
import { damagedKeys, recordKinds } from '../../domain/storageKeys.ts'
import type { DappsApi, SwapsApi, TokensApi, TransactionsApi, VaultApi, WalletApi } from '../../protocol.ts'
import type { BrowserApi } from '../browserApi.ts'

export type View = {
  userAgent: string
  width: number
  height: number
  pixelRatio: number
  language: string
  isOnline: boolean
  /** Newest last. */
  faults: { code: string; at: number }[]
}

type Deps = Pick<VaultApi, 'status'> &
  Pick<TokensApi, 'tokenPreferences' | 'tokens'> &
  Pick<SwapsApi, 'swaps'> &
  Pick<TransactionsApi, 'callBatches'> &
  Pick<DappsApi, 'sites' | 'approvals'>

export function createDiagnostics(wallet: WalletApi) {
  return {
    write: async (around: BrowserApi, view: View, settings: Settings): Promise<string> =>
      JSON.stringify(await diagnose(wallet, around, view, settings), null, 2),
  }
}

/**
 * Contains no addresses, amounts, names, keys, user hosts or paths: every value is a number, a fixed word or
 * a version.
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
    hostsAllowed: hosts && tally(hosts.map((pattern) => urlKind(pattern.replace('*', '')))),
    storageBytes: sizes && byKind(sizes),
    setAside: sizes && damagedKeys.filter((key) => key in sizes),
  }
}

async function facts(wallet: Deps, network: Network, { chainId: chosen }: Settings) {
  const { chainId, serviceUrl, rpcUrl, spareRpcUrl, explorerUrl, options } = network
  const isReachable = serviceUrl !== '' || rpcUrl !== ''
  const [picks, tokens] = await Promise.all([
    known(wallet.tokenPreferences(chainId)),
    // No additional hosts: only a reachable network has a list.
    isReachable && chainId === chosen ? known(wallet.tokens(chainId)) : undefined,
  ])
  const builtIn = builtInNetworks().find((one) => one.chainId === chainId)
  return {
    chain: builtIn ? chainId : 'custom',
    name: builtIn?.name,
    ...(chainId === chosen && { isChosen: true }),
    service: urlKind(serviceUrl),
    ...(serviceUrl && { interface: network.serviceVersion ?? '6.1', hasKey: Boolean(network.serviceKey) }),
    node: urlKind(rpcUrl),
    spareNode: urlKind(spareRpcUrl),
    explorer: urlKind(explorerUrl),
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

/** Returns the kind of host, never its name. */
export function urlKind(url: string | undefined): string {
  if (!url) return 'none'
  if (!URL.canParse(url)) return 'unreadable'
  const { protocol, hostname } = new URL(url)
  if (hostname === '127.0.0.1' || hostname === 'localhost') return 'localhost'
  return protocol === 'https:' ? 'https' : 'other'
}

/** Omits user agent parts that could identify users. */
export function describeBrowser(userAgent: string): string {
  const name = /(Firefox|Edg|OPR|Chrome)\/(\d{1,4})/.exec(userAgent.replace(/Chrome(?=.*(Edg|OPR)\/)/, ''))
  const system = /Windows|Android|CrOS|Mac OS X|Linux/.exec(userAgent)
  return [name?.[1], name?.[2], system?.[0]].filter(Boolean).join(' ')
}

/** Keys continue with chains, accounts and ids after the first dot. */
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

/** One failure must not block the rest. */
function known<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  return asked.catch(() => undefined)
}
