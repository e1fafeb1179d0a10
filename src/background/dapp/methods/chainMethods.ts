import * as v from 'valibot'
import { changeSettings, type Network, type Settings } from '../../../domain/network/network.ts'
import { sanitizeText } from '../../../domain/sanitize.ts'
import { WalletError } from '../../../errors.ts'
import type { Approvals, Executor } from '../../approvals/approvals.ts'
import type { Requester } from '../../approvals/store.ts'
import type { Networks } from '../../networks/networks.ts'
import { isSecureUrl, type SettingsStore } from '../../settings.ts'
import type { Sites } from '../connectedSites.ts'
import { hexChainId } from '../ports/sessions.ts'
import type { RpcHandler } from '../router.ts'
import { parseParams } from './params.ts'

type Deps = {
  sites: Pick<Sites, 'chain'>
  settings: Pick<SettingsStore, 'get'>
  approvals: Pick<Approvals, 'ask'>
}

/** Chain methods (EIP-695, EIP-3326, EIP-3085). */
export function createChainMethods({ sites, settings, approvals }: Deps): Record<string, RpcHandler> {
  async function find(chainId: number): Promise<Network | undefined> {
    return (await settings.get()).networks.find((network) => network.chainId === chainId)
  }

  /** The page gets the chain event before the answer. */
  async function move(asker: Requester, to: number): Promise<null> {
    const chainId = await sites.chain(asker.origin)
    if (chainId !== to) await approvals.ask(asker, { kind: 'switch-chain', to }, { chainId })
    return null
  }

  return {
    eth_chainId: async ({ origin }) => hexChainId(await sites.chain(origin)),
    net_version: async ({ origin }) => String(await sites.chain(origin)),
    async wallet_switchEthereumChain(asker, params) {
      const [{ chainId }] = parseParams(switchParams, params)
      if ((await find(chainId)) === undefined) throw unknownChain(chainId)
      return move(asker, chainId)
    },
    async wallet_addEthereumChain(asker, params) {
      const asked = parseParams(addParams, params)[0]
      const known = await find(asked.chainId)
      // A page cannot change a network that has an RPC.
      if (known !== undefined && known.rpcUrl !== '') return move(asker, known.chainId)
      const network = toNetwork(asked, known)
      const chainId = await sites.chain(asker.origin)
      await approvals.ask(asker, { kind: 'add-chain', network }, { chainId })
      return null
    },
  }
}

type CarryOutParts = {
  sites: Pick<Sites, 'setChain'>
  settings: SettingsStore
  networks: Pick<Networks, 'verify'>
}

export function executeChainRequest({ sites, settings, networks }: CarryOutParts): {
  'switch-chain': Executor
  'add-chain': Executor
} {
  return {
    'switch-chain': async ({ origin, ask }) => {
      if (ask.kind !== 'switch-chain') throw mismatch()
      const { networks } = await settings.get()
      // It may have been removed meanwhile.
      if (!networks.some((network) => network.chainId === ask.to)) throw unknownChain(ask.to)
      await sites.setChain(origin, ask.to)
    },
    'add-chain': async ({ origin, ask }) => {
      if (ask.kind !== 'add-chain') throw mismatch()
      const { network } = ask
      const before = await settings.get()
      if (withNetwork(before, network) !== before) {
        await networks.verify(network)
        await settings.update((before) => withNetwork(before, network))
      }
      await sites.setChain(origin, network.chainId)
    },
  }
}

/** Changes that the user made meanwhile take precedence. */
function withNetwork(before: Settings, offered: Network): Settings {
  const known = before.networks.find(({ chainId }) => chainId === offered.chainId)
  if (known === undefined) return changeSettings(before, { added: [offered] })
  return known.rpcUrl === '' ? changeSettings(before, { networks: [withRpc(known, offered)] }) : before
}

function withRpc(known: Network, { rpcUrl, explorerUrl }: Pick<Network, 'rpcUrl' | 'explorerUrl'>): Network {
  return { ...known, rpcUrl, ...(known.explorerUrl === undefined && explorerUrl && { explorerUrl }) }
}

function unknownChain(chainId: number): WalletError {
  const message = `The wallet knows no network ${chainId}. Add it with wallet_addEthereumChain.`
  return new WalletError('unknown-chain', message, { chainId: hexChainId(chainId) })
}

function mismatch(): WalletError {
  return new WalletError('invalid-input', 'This is no answer to the request.')
}

/** Only RPC and explorer of a known network come from the page. */
function toNetwork(asked: v.InferOutput<typeof addShape>, known: Network | undefined): Network {
  const { chainId, chainName, nativeCurrency, rpcUrls = [], blockExplorerUrls } = asked
  const rpcUrl = rpcUrls.find(isUsable)
  if (rpcUrl === undefined) {
    throw new WalletError('invalid-params', 'rpcUrls: none is an https address, or http on this machine.')
  }
  const explorer = blockExplorerUrls?.find((url) => isUsable(url) && new URL(url).protocol === 'https:')
  const urls = { rpcUrl, ...(explorer !== undefined && { explorerUrl: explorer.replace(/[?#].*/, '') }) }
  if (known !== undefined) return withRpc(known, urls)
  if (chainName === undefined) throw missing('chainName')
  if (nativeCurrency === undefined) throw missing('nativeCurrency')
  const { symbol, name = symbol } = nativeCurrency
  return {
    chainId,
    name: chainName,
    coin: { symbol, name },
    serviceUrl: '',
    ...urls,
    confirmations: 3,
    // About a block of Ethereum; other chains are faster.
    quoteEveryMs: chainId === 1 ? 12_000 : 6_000,
  }
}

function missing(field: string): WalletError {
  return new WalletError('invalid-params', `${field}: missing, or not what it has to be.`)
}

/** fetch refuses URLs with credentials; chain lists contain `${KEY}`. */
function isUsable(url: string): boolean {
  if (!isSecureUrl(url) || url.includes('${')) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

const chainId = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (text) => /^0x[1-9a-f][0-9a-f]{0,13}$/i.test(text) && Number.isSafeInteger(Number(text)),
    'is not a chain id in hex without leading zeros',
  ),
  v.transform((text) => Number(text)),
)

/** Shortened, as EIP-3085 sets no lengths. */
const text = (most: number) =>
  v.pipe(
    v.string(),
    v.maxLength(1_000),
    v.transform((written: string) => shorten(written, most)),
    v.minLength(1, 'has nothing to show'),
  )

/** In UTF-16 units, without half a character. */
function shorten(written: string, most: number): string {
  const shown = sanitizeText(written, most)
  return shown.length <= most ? shown : sanitizeText(written, most / 2)
}

const urls = v.pipe(v.array(v.pipe(v.string(), v.maxLength(2_000), v.trim())), v.maxLength(20))

const switchParams = v.strictTuple([v.object({ chainId })])

const addShape = v.object({
  chainId,
  chainName: v.optional(text(64)),
  nativeCurrency: v.optional(
    v.object({
      name: v.optional(text(64)),
      symbol: text(32),
      decimals: v.literal(18, 'is not 18'),
    }),
  ),
  rpcUrls: v.optional(urls),
  blockExplorerUrls: v.optional(v.nullable(urls)),
})
const addParams = v.strictTuple([addShape])
