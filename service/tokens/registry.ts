import { encodeFunctionData, erc20Abi, type Hex, size, slice, toFunctionSelector } from 'viem'
import type { Address, ChainConfig, TokenInfo } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { type Node, requireRpcError } from '../indexer/node.ts'
import { decodeLabel, toName, toSymbol } from './sanitizeName.ts'

/** The native token (service-interface, Conventions). */
export const nativeTokenAddress: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

export type Tokens = {
  /** Includes the native token. */
  listed: ReadonlyMap<Address, TokenInfo>
  unlist(tokens: readonly Address[]): void
  /** Throws UNKNOWN_TOKEN without a contract at `token`. */
  requireKnown(token: Address): Promise<void>
  /** Listed, else from the contract. Throws UNKNOWN_TOKEN if not EIP-20. */
  info(token: Address): Promise<TokenInfo>
  /** `info` of two tokens, read at once; throws the first one's error first. */
  infos(one: Address, other: Address): Promise<[TokenInfo, TokenInfo]>
}

/** Creates a chain's token registry; reads are cached. */
export function createTokens(config: ChainConfig, node: Node): Tokens {
  const coin: TokenInfo = { ...config.coin, address: nativeTokenAddress, decimals: 18, tags: ['native'] }
  const listed = new Map([coin, ...config.tokens].map((token) => [token.address, token]))
  const known = createMemory<true>()
  const described = createMemory<TokenInfo>()

  async function info(token: Address): Promise<TokenInfo> {
    const found = listed.get(token) ?? described.get(token) ?? (await readInfo(node, token))
    if (!listed.has(token)) described.set(token, found)
    return found
  }

  return {
    listed,
    info,
    async infos(one, other) {
      const [first, second] = [info(one), info(other)]
      second.catch(() => undefined)
      return [await first, await second]
    },
    unlist(tokens) {
      for (const token of tokens) listed.delete(token)
    },
    async requireKnown(token) {
      if (listed.has(token) || described.get(token) || known.get(token)) return
      if ((await node.getCode({ address: token })) === undefined) throw unknownToken(token)
      known.set(token, true)
    },
  }
}

export type DecimalsMismatch = { token: TokenInfo; fault: string }

/** Returns tokens whose decimals are wrong, so that amounts would be misread. */
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
    // A call that burns all gas fails others: retry alone.
    const found = result ?? (await readDecimals(node, address))?.count
    const fault = `${symbol} (${address}) has ${found ?? 'no'} decimals, not ${decimals}`
    return found === decimals ? [] : [{ token, fault }]
  })
  return (await Promise.all(faults)).flat()
}

/** Throws an Error naming config tokens with wrong decimals. */
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

const noDecimals = 'no-decimals'

/**
 * Optional in EIP-20, default 0. Undefined for other contracts: without `balanceOf`, or, like EIP-721 and
 * EIP-1155, without both `decimals` and `allowance`.
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

/** Returns 0x on revert; rethrows failures of the RPC. */
async function read(node: Node, to: Address, data: Hex): Promise<Hex> {
  const answer = await node.call({ to, data }).catch(requireRpcError)
  return answer?.data ?? '0x'
}

/** Cleared when full, since clients choose the keys. */
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
