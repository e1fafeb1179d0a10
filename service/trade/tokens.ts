import { erc20Abi, hexToString, parseAbi } from 'viem'
import { type Node, requireRefusal } from '../chain/node.ts'
import type { Address, ChainConfig, TokenInfo } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { toName, toSymbol } from './tokenNames.ts'

/** How the interface writes a network's own coin (service-interface, Conventions). */
export const native: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

export type Tokens = {
  /** The listed tokens and the coin, by address. */
  listed: ReadonlyMap<Address, TokenInfo>
  /** Takes tokens off the list. */
  unlist(tokens: readonly Address[]): void
  /** Throws UNKNOWN_TOKEN when there is no contract at `token`. */
  requireKnown(token: Address): Promise<void>
  /** From the list, else as the contract describes itself. Throws UNKNOWN_TOKEN when it has no decimals. */
  info(token: Address): Promise<TokenInfo>
}

/** What is known of a chain's tokens. Contracts do not go away, so what was read once is kept. */
export function createTokens(config: ChainConfig, node: Node): Tokens {
  const coin: TokenInfo = { ...config.coin, address: native, decimals: 18, tags: ['native'] }
  const listed = new Map([coin, ...config.tokens].map((token) => [token.address, token]))
  const known = createMemory<true>()
  const described = createMemory<TokenInfo>()

  return {
    listed,
    unlist(tokens) {
      for (const token of tokens) listed.delete(token)
    },
    async requireKnown(token) {
      if (listed.has(token) || described.get(token) || known.get(token)) return
      if ((await node.getCode({ address: token })) === undefined) throw unknownToken(token)
      known.set(token, true)
    },
    async info(token) {
      const info = listed.get(token) ?? described.get(token) ?? (await readInfo(node, token))
      if (!listed.has(token)) described.set(token, info)
      return info
    },
  }
}

export type DecimalsFault = { token: TokenInfo; fault: string }

/** Those of `tokens` whose contract has other decimals, or none: their amounts would be misread. */
export async function findDecimalsFaults(
  { multicall }: ChainConfig,
  tokens: readonly TokenInfo[],
  node: Node,
): Promise<DecimalsFault[]> {
  const contracts = tokens.map(
    ({ address }) => ({ address, abi: erc20Abi, functionName: 'decimals' }) as const,
  )
  const answers = await node.multicall({ contracts, multicallAddress: multicall, allowFailure: true })
  const faults = tokens.map(async (token, i) => {
    const { symbol, address, decimals } = token
    const { error, result } = answers[i] ?? {}
    if (error !== undefined) requireRefusal(error)
    // One that burns all its gas takes its neighbours' too: whoever did not answer is asked alone.
    const found = result ?? (await readDecimals(node, address))
    const fault = `${symbol} (${address}) has ${found ?? 'no'} decimals, not ${decimals}`
    return found === decimals ? [] : [{ token, fault }]
  })
  return (await Promise.all(faults)).flat()
}

/** Throws an Error that names each such token of the config: what an operator writes is right, or nothing starts. */
export async function requireDecimals(config: ChainConfig, node: Node): Promise<void> {
  const faults = await findDecimalsFaults(config, config.tokens, node)
  if (faults.length === 0) return
  throw new Error(`The config is wrong about its tokens: ${faults.map(({ fault }) => fault).join('; ')}.`)
}

export function unknownToken(token: Address): ServiceError {
  return new ServiceError('UNKNOWN_TOKEN', `unknown token ${token}`, [{ type: 'token', value: token }])
}

async function readInfo(node: Node, address: Address): Promise<TokenInfo> {
  const [symbol, name, decimals] = await Promise.all([
    readText(node, address, 'symbol'),
    readText(node, address, 'name'),
    readDecimals(node, address),
  ])
  if (decimals === undefined) throw unknownToken(address)
  return { address, symbol: toSymbol(symbol), name: toName(name), decimals, logoURI: '', tags: [] }
}

function readDecimals(node: Node, address: Address): Promise<number | undefined> {
  return node.readContract({ address, abi: erc20Abi, functionName: 'decimals' }).catch(requireRefusal)
}

/** A few old tokens (MKR among them) answer 32 bytes instead of a string. */
async function readText(node: Node, address: Address, functionName: 'symbol' | 'name'): Promise<string> {
  const asString = node.readContract({ address, abi: erc20Abi, functionName })
  return asString.catch(async (error) => {
    requireRefusal(error)
    const bytes = await node.readContract({ address, abi: bytes32Abi, functionName }).catch(requireRefusal)
    return bytes === undefined ? '' : hexToString(bytes, { size: 32 })
  })
}

const bytes32Abi = parseAbi([
  'function symbol() view returns (bytes32)',
  'function name() view returns (bytes32)',
])

/** A map that forgets everything when it is full: strangers choose the keys. */
function createMemory<Value>(most = 10_000) {
  const map = new Map<Address, Value>()
  return {
    get: (key: Address) => map.get(key),
    set(key: Address, value: Value) {
      if (map.size >= most) map.clear()
      map.set(key, value)
    },
  }
}
