import * as v from 'valibot'
import { changeSettings, type Network } from '../../domain/network/network.ts'
import { plainText } from '../../domain/text.ts'
import { WalletError } from '../../errors.ts'
import type { Approvals, Asker, CarryOut } from '../approvals/approvals.ts'
import type { Networks } from '../networks/networks.ts'
import { isSafeUrl, type SettingsStore } from '../settings.ts'
import { hexChainId } from './documents.ts'
import type { PageMethod } from './pages.ts'
import { parseParams } from './params.ts'
import type { Sites } from './sites.ts'

type Parts = {
  sites: Pick<Sites, 'chain'>
  settings: Pick<SettingsStore, 'get'>
  approvals: Pick<Approvals, 'ask'>
}

/** Which chain a page is on, and how it comes to another one (EIP-695, EIP-3326, EIP-3085). */
export function createChainPages({ sites, settings, approvals }: Parts): Record<string, PageMethod> {
  async function isKnown(chainId: number): Promise<boolean> {
    return (await settings.get()).networks.some((network) => network.chainId === chainId)
  }

  /** The event of the new chain is on its way before this is over. */
  async function move(asker: Asker, to: number): Promise<null> {
    const chainId = await sites.chain(asker.origin)
    if (chainId !== to) await approvals.ask(asker, { kind: 'switch-chain', to }, { chainId })
    return null
  }

  return {
    eth_chainId: async ({ origin }) => hexChainId(await sites.chain(origin)),
    net_version: async ({ origin }) => String(await sites.chain(origin)),
    async wallet_switchEthereumChain(asker, params) {
      const [{ chainId }] = parseParams(switchParams, params)
      if (!(await isKnown(chainId))) throw unknownChain(chainId)
      return move(asker, chainId)
    },
    async wallet_addEthereumChain(asker, params) {
      const network = toNetwork(parseParams(addParams, params)[0])
      // What the user set up stands: the page's words about a known chain change nothing.
      if (await isKnown(network.chainId)) return move(asker, network.chainId)
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

export function createChainChanges({ sites, settings, networks }: CarryOutParts): {
  'switch-chain': CarryOut
  'add-chain': CarryOut
} {
  return {
    'switch-chain': async ({ origin, ask }) => {
      if (ask.kind !== 'switch-chain') throw mismatch()
      const { networks } = await settings.get()
      // It may have been removed while the question was open.
      if (!networks.some((network) => network.chainId === ask.to)) throw unknownChain(ask.to)
      await sites.setChain(origin, ask.to)
    },
    'add-chain': async ({ origin, ask }) => {
      if (ask.kind !== 'add-chain') throw mismatch()
      const { network } = ask
      const { networks: known } = await settings.get()
      if (!known.some(({ chainId }) => chainId === network.chainId)) {
        await networks.verify(network)
        await settings.update((before) => {
          // The user may have added it meanwhile.
          const isKnown = before.networks.some(({ chainId }) => chainId === network.chainId)
          return isKnown ? before : changeSettings(before, { added: [network] })
        })
      }
      await sites.setChain(origin, network.chainId)
    },
  }
}

function unknownChain(chainId: number): WalletError {
  const message = `The wallet knows no network ${chainId}. Add it with wallet_addEthereumChain.`
  return new WalletError('unknown-chain', message, { chainId: hexChainId(chainId) })
}

function mismatch(): WalletError {
  return new WalletError('invalid-input', 'This is no answer to the request.')
}

function toNetwork(asked: v.InferOutput<typeof addShape>): Network {
  const { chainId, chainName, nativeCurrency, rpcUrls, blockExplorerUrls } = asked
  const rpcUrl = rpcUrls.find(isUsable)
  if (rpcUrl === undefined) {
    throw new WalletError('invalid-params', 'rpcUrls: none is an https address, or http on this machine.')
  }
  const explorer = blockExplorerUrls?.find((url) => isUsable(url) && new URL(url).protocol === 'https:')
  return {
    chainId,
    name: chainName,
    coin: { symbol: nativeCurrency.symbol, name: nativeCurrency.name },
    serviceUrl: '',
    rpcUrl,
    ...(explorer === undefined ? {} : { explorerUrl: explorer.replace(/[?#].*/, '') }),
    confirmations: 3,
    // About as long as a block of Ethereum's; other chains are faster.
    quoteEveryMs: chainId === 1 ? 12_000 : 6_000,
  }
}

/** The browser's fetch refuses an address with a name and a password in it. */
function isUsable(url: string): boolean {
  if (!isSafeUrl(url)) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

const chainId = v.pipe(
  v.string(),
  v.check(
    (text) => /^0x[1-9a-f][0-9a-f]{0,13}$/i.test(text) && Number.isSafeInteger(Number(text)),
    'is not a chain id in hex without leading zeros',
  ),
  v.transform((text) => Number(text)),
)

/** A text of the page, made safe to show. */
const text = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.maxLength(1_000),
    v.transform((written: string) => plainText(written, most + 1)),
    v.string(),
    v.check(
      (shown) => shown.length >= least && shown.length <= most,
      `has not ${least} to ${most} characters`,
    ),
  )

const urls = v.pipe(v.array(v.pipe(v.string(), v.maxLength(2_000))), v.maxLength(20))

const switchParams = v.strictTuple([v.object({ chainId })])

const addShape = v.object({
  chainId,
  chainName: text(1, 64),
  nativeCurrency: v.object({
    name: text(1, 64),
    symbol: text(2, 6),
    decimals: v.literal(18, 'is not 18'),
  }),
  rpcUrls: v.pipe(urls, v.minLength(1)),
  blockExplorerUrls: v.optional(v.nullable(urls)),
})
const addParams = v.strictTuple([addShape])
