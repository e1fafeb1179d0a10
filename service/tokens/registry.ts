import { encodeFunctionData, erc20Abi, type Hex, size, slice, toFunctionSelector } from 'viem'
import type { Address, ChainConfig, TokenInfo } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { type Node, requireRpcError } from '../indexer/node.ts'
import { decodeLabel, toName, toSymbol } from './sanitizeName.ts'

/** How the interface writes a network's own coin (service-interface, Conventions). */
export const nativeTokenAddress: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

export type Tokens = {
  /** The listed tokens and the coin, by address. */
  listed: ReadonlyMap<Address, TokenInfo>
  /** Takes tokens off the list. */
  unlist(tokens: readonly Address[]): void
  /** Throws UNKNOWN_TOKEN when there is no contract at `token`. */
  requireKnown(token: Address): Promise<void>
  /**
   * From the list, else as the contract describes itself. Throws UNKNOWN_TOKEN when it is no token of EIP-20.
   */
  info(token: Address): Promise<TokenInfo>
}

/** What is known of a chain's tokens. Contracts do not go away, so what was read once is kept. */
export function createTokens(config: ChainConfig, node: Node): Tokens {
  const coin: TokenInfo = { ...config.coin, address: nativeTokenAddress, decimals: 18, tags: ['native'] }
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

export type DecimalsMismatch = { token: TokenInfo; fault: string }

/** Those of `tokens` whose contract has other decimals, or none: their amounts would be misread. */
export async function findDecimalsMismatches(
  { multicall }: ChainConfig,
  tokens: readonly TokenInfo[],
  node: Node,
): Promise<DecimalsMismatch[]> {
  const contracts = tokens.map(
    ({ address }) => ({ address, abi: erc20Abi, functionName: 'decimals' }) as const,
  )
  const answers = await node.multicall({ contracts, multicallAddress: multicall, allowFailure: true })
  const faults = tokens.map(async (token, i) => {
    const { symbol, address, decimals } = token
    const { error, result } = answers[i] ?? {}
    if (error !== undefined) requireRpcError(error)
    // One that burns all its gas takes its neighbours' too: whoever did not answer is asked alone.
    const found = result ?? (await readDecimals(node, address))?.count
    const fault = `${symbol} (${address}) has ${found ?? 'no'} decimals, not ${decimals}`
    return found === decimals ? [] : [{ token, fault }]
  })
  return (await Promise.all(faults)).flat()
}

/** Throws an Error that names each such token of the config: what an operator writes is right, or nothing starts. */
export async function requireDecimals(config: ChainConfig, node: Node): Promise<void> {
  const faults = await findDecimalsMismatches(config, config.tokens, node)
  if (faults.length === 0) return
  throw new Error(`The config is wrong about its tokens: ${faults.map(({ fault }) => fault).join('; ')}.`)
}

export function unknownToken(token: Address): ServiceError {
  return new ServiceError('UNKNOWN_TOKEN', `unknown token ${token}`, [{ type: 'token', value: token }])
}

async function readInfo(node: Node, address: Address): Promise<TokenInfo> {
  const [symbol, name, decimals] = await Promise.all([
    readLabel(node, address, 'symbol()'),
    readLabel(node, address, 'name()'),
    readDecimals(node, address),
  ])
  if (decimals === undefined) throw unknownToken(address)
  return {
    address,
    symbol: toSymbol(symbol) || `${address.slice(0, 6)}…${address.slice(-4)}`,
    name: toName(name),
    decimals: decimals.count,
    logoURI: '',
    tags: decimals.isNamed ? [] : [noDecimals],
  }
}

/** Tag of a token whose contract names no decimals: amounts of it are base units. */
const noDecimals = 'no-decimals'

/**
 * The decimals of a token: optional in EIP-20, and 0 where the contract names none. Undefined for a contract
 * that is no token: it has no `balanceOf`, or as those of EIP-721 and EIP-1155 neither `decimals` nor
 * `allowance`.
 */
async function readDecimals(
  node: Node,
  address: Address,
): Promise<{ count: number; isNamed: boolean } | undefined> {
  const [decimals, balance, allowed] = await Promise.all([
    readWord(node, address, encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })),
    readWord(
      node,
      address,
      encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] }),
    ),
    readWord(
      node,
      address,
      encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [address, address] }),
    ),
  ])
  if (balance === undefined || (decimals ?? 0n) > 255n) return undefined
  if (decimals !== undefined) return { count: Number(decimals), isNamed: true }
  return allowed === undefined ? undefined : { count: 0, isNamed: false }
}

async function readWord(node: Node, address: Address, data: Hex): Promise<bigint | undefined> {
  const returned = await read(node, address, data)
  return size(returned) < 32 ? undefined : BigInt(slice(returned, 0, 32))
}

async function readLabel(node: Node, address: Address, signature: 'symbol()' | 'name()'): Promise<string> {
  return decodeLabel(await read(node, address, toFunctionSelector(signature)))
}

/** Returns the answer of a contract, undefined when it reverts. Throws the failures of the node itself. */
async function read(node: Node, to: Address, data: Hex): Promise<Hex> {
  const answer = await node.call({ to, data }).catch(requireRpcError)
  return answer?.data ?? '0x'
}

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
