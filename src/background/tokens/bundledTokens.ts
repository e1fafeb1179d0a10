import * as v from 'valibot'
import { browser } from 'wxt/browser'
import { publicChains } from '../../domain/network/chains.ts'
import type { Network } from '../../domain/network/network.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import { type Address, maxName, maxSymbol, nativeTokenAddress, type Token } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import { cached } from '../../lib/async/cached.ts'
import { address } from '../schemas.ts'

/** Returns the tokens of a network that needs no service: the native one first, then the best known. */
export type BundledTokens = (network: Network) => Promise<Token[]>

type Deps = {
  /** Returns the text of a file of the package; throws if it is missing. */
  readFile?(path: string): Promise<string>
  chainOf(network: Network): Promise<Pick<Chain, 'token'>>
}

/**
 * Public chains have a file (scripts/tokenLists.ts), read once; of other networks the wrapped token and the
 * stablecoin of the settings are read from their contracts. Throws `internal` for an unreadable file, and
 * what the RPC throws.
 */
export function createBundledTokens({ readFile = readPackagedFile, chainOf }: Deps): BundledTokens {
  const lists = new Map(
    publicChains.map(({ chainId }) => [chainId, cached(() => readList(chainId, readFile))] as const),
  )
  return async (network) => {
    const list = lists.get(network.chainId)
    return [nativeToken(network), ...(await (list ? list.get() : readNamed(network, chainOf)))]
  }
}

function nativeToken({ coin }: Network): Token {
  return toToken({ address: nativeTokenAddress, symbol: coin.symbol, name: coin.name, decimals: 18 })
}

async function readList(chainId: number, readFile: (path: string) => Promise<string>): Promise<Token[]> {
  const path = `/tokenLists/${chainId}.json`
  try {
    const entries = v.parse(v.array(v.unknown()), JSON.parse(await readFile(path)))
    const valid = entries.flatMap((entry) => parseOrUndefined(entrySchema, entry) ?? [])
    if (valid.length === 0) throw new Error(`${path} has no token.`)
    return [...new Map(valid.map((entry) => [entry.address, toToken(entry)])).values()]
  } catch (cause) {
    const message = `The wallet's token list ${path} cannot be read. Reinstall the extension.`
    throw new WalletError('internal', message, {}, { cause })
  }
}

/** Addresses without a token, after a mistake in the settings, are left out. */
async function readNamed(network: Network, chainOf: Deps['chainOf']): Promise<Token[]> {
  const named = [...new Set([network.wrapped, network.stable])].filter((one) => one !== undefined)
  if (named.length === 0) return []
  const chain = await chainOf(network)
  const read = async (token: Address) =>
    chain.token(token).catch((error: unknown) => {
      if (toWalletError(error).code !== 'unknown-token') throw error
      return []
    })
  const tokens = (await Promise.all(named.map(read))).flat()
  return tokens.map((token) => ({ ...token, listed: true }))
}

type Entry = v.InferOutput<typeof entrySchema>

/** Printable ASCII: nothing in a list of the package may look like something else. */
const text = (maxLength: number) =>
  v.pipe(v.string(), v.regex(/^[\x20-\x7e]+$/, 'is not plain text'), v.maxLength(maxLength))

const entrySchema = v.object({
  address,
  symbol: text(maxSymbol),
  name: text(maxName),
  decimals: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(255)),
  eip2612: v.exactOptional(v.literal(true)),
})

/** Tags come from src/domain/token/pegGroups.ts. */
function toToken({ eip2612 = false, ...entry }: Omit<Entry, 'eip2612'> & { eip2612?: boolean }): Token {
  return { ...entry, listed: true, eip2612, taxed: false, tags: [] }
}

async function readPackagedFile(path: string): Promise<string> {
  const response = await fetch(`${browser.runtime.getURL('/')}${path.slice(1)}`)
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  return response.text()
}
