import {
  concatHex,
  encodeAbiParameters,
  type Hex,
  hexToBytes,
  parseAbiParameters,
  toHex,
  zeroAddress,
} from 'viem'
import { toFunctionSelector } from 'viem/utils'
import type { Address, ChainConfig, Factory } from '../../config.ts'
import type { FoundPool, PoolInfo, PoolQuery } from '../../pools/poolType.ts'
import { poolTypes } from '../../pools/registry.ts'
import { nativeTokenAddress } from '../../tokens/registry.ts'
import { view, words } from '../abiWords.ts'
import type { BlockRef, Chain } from '../chain.ts'
import { isBlockMissing, isNetworkError, isRateLimit } from '../node.ts'
import type { TokenPair } from '../update.ts'
import { poolFinderCode } from './poolFinderCode.ts'

export type FoundPools = {
  /** Those that the factories' answers tell. */
  pools: PoolInfo[]
  /** Those of kinds that must read more of a pool. */
  others: Promise<PoolInfo[]>
  /** Of the tokens, those without a contract. */
  codeless: Address[]
}

const lookupsWithoutCode = 50

/**
 * Finds the pools of pairs of tokens that the chain's factories name at a block, and which of `tokens` have
 * no code. Throws when the RPC does not answer.
 */
export type PoolFinder = (
  pairs: readonly TokenPair[],
  tokens: readonly Address[],
  block: BlockRef,
) => Promise<FoundPools>

type Query = PoolQuery & { factory: Factory }

/** Index of the pair and of the query. */
type Named = { pair: number; query: number; address: Address }

type Page = { hasCode: boolean[]; checked: number[]; count: number; named: Named[] }

/** With what a request needs besides, below the 49,152 bytes that an `eth_call` may create (EIP-3860). */
const maxTokens = 700
const maxPairs = 4_000

/** As for the pool lens: below geth's default of `--rpc.gascap`. */
const gasBudget = 40_000_000n

/**
 * Creates a finder that asks by contracts/PoolFinder.sol in one `eth_call`, or more for many pairs; where the
 * RPC refuses creation code, by Multicall3. Kinds that must read more of a pool need one request more, or two
 * by Multicall3. Pools of vaults have no factory to ask.
 */
export function createPoolFinder({ factories, wrapped }: ChainConfig, chain: Chain): PoolFinder {
  const queries: Query[] = factories.flatMap((factory) =>
    (poolTypes[factory.kind].lookup?.queries ?? []).map((query) => ({ ...query, factory })),
  )
  /** Lookups until creation code is tried again, which one odd error must not end. */
  let withoutCode = 0

  async function ask(
    pairs: readonly TokenPair[],
    tokens: readonly Address[],
    block: BlockRef,
  ): Promise<Page> {
    if (withoutCode > 0) {
      withoutCode--
      return askByCalls(chain, wrapped, queries, pairs, tokens, block)
    }
    try {
      return await askByCode(chain, wrapped, queries, pairs, withTokensOf(pairs, tokens), block)
    } catch (error) {
      if (isNetworkError(error) || isBlockMissing(error) || isRateLimit(error)) throw error
      const page = await askByCalls(chain, wrapped, queries, pairs, tokens, block)
      withoutCode = lookupsWithoutCode
      return page
    }
  }

  function list(found: ReadonlyMap<Factory, readonly FoundPool[]>, block: BlockRef) {
    const pools: PoolInfo[] = []
    const read: Promise<PoolInfo[]>[] = []
    for (const [factory, named] of found) {
      const { lookup } = poolTypes[factory.kind]
      if (lookup === undefined) continue
      if ('read' in lookup) read.push(lookup.read(chain, block, named, factory, wrapped))
      else pools.push(...named.map((pool) => lookup.list(pool, factory, wrapped)))
    }
    return { pools, others: Promise.all(read).then((lists) => lists.flat()) }
  }

  return async (pairs, tokens, block) => {
    const found = new Map<Factory, FoundPool[]>()
    let codeless: Address[] = []
    for (let next = 0; next === 0 || next < pairs.length; ) {
      const asked = takePairs(pairs, next)
      const page = await ask(asked, next === 0 ? tokens : [], block)
      for (const { pair, query, address } of page.named) {
        const { factory, argument = 0 } = queries[query] as Query
        const sorted = [...(asked[pair] as TokenPair)].sort() as [Address, Address]
        const pool = { address, tokens: sorted, argument, checked: page.checked[query] as number }
        found.set(factory, [...(found.get(factory) ?? []), pool])
      }
      if (next === 0) codeless = tokens.filter((_, i) => !page.hasCode[i])
      next += page.count
      if (pairs.length === 0) break
    }
    return { ...list(found, block), codeless }
  }
}

/** Returns as many pairs from `next` as a request holds. */
function takePairs(pairs: readonly TokenPair[], next: number): readonly TokenPair[] {
  const known = new Set<Address>()
  let end = next
  for (; end < pairs.length && end < next + maxPairs && known.size < maxTokens; end++) {
    for (const token of pairs[end] as TokenPair) known.add(token)
  }
  return pairs.slice(next, end)
}

function withTokensOf(pairs: readonly TokenPair[], tokens: readonly Address[]): Address[] {
  return [...new Set([...tokens, ...pairs.flat()])]
}

async function askByCode(
  chain: Chain,
  wrapped: Address,
  queries: readonly Query[],
  pairs: readonly TokenPair[],
  tokens: readonly Address[],
  block: BlockRef,
): Promise<Page> {
  const indexes = new Map(tokens.map((token, i) => [token, i]))
  const packed = concatHex(pairs.flat().map((token) => toHex(indexes.get(token) as number, { size: 2 })))
  const asked = queries.flatMap((query) => [packQuery(query), packArgument(query, wrapped)])
  const args = encodeAbiParameters(request, [[...tokens], packed, asked, gasBudget])
  const page = parsePage(await chain.run(concatHex([poolFinderCode, args]), block), tokens, queries, pairs)
  if (page.count === 0 && pairs.length > 0) {
    throw new Error('The gas of an eth_call does not suffice for one pair.')
  }
  return page
}

const request = parseAbiParameters('address[] tokens, bytes pairs, uint256[] queries, uint256 gasBudget')

function packQuery({ factory, signature, argument, check, keyed, isNative }: Query): bigint {
  const selector = BigInt(toFunctionSelector(signature))
  const checks = check === undefined ? 0n : BigInt(toFunctionSelector(check))
  const hasArgument = argument === undefined ? 0n : 1n
  const form = keyed === undefined ? hasArgument : 2n
  const forms = form | (isNative === true ? 4n : 0n)
  return BigInt(factory.address) | (selector << 160n) | (checks << 192n) | (forms << 224n)
}

function packArgument({ argument = 0, keyed, isNative }: Query, wrapped: Address): bigint {
  const isPlain = keyed === undefined && isNative !== true
  return isPlain ? BigInt(argument) : BigInt(argument) | (BigInt(wrapped) << 49n)
}

/** Throws when the page does not have the form that contracts/PoolFinder.sol describes. */
function parsePage(
  returned: Hex,
  tokens: readonly Address[],
  queries: readonly Query[],
  pairs: readonly TokenPair[],
): Page {
  const data = Buffer.from(hexToBytes(returned))
  const head = 5 + tokens.length + 4 * queries.length
  const isPage = data[0] === 1 && data.length >= head && (data.length - head) % 24 === 0
  if (!isPage) throw new Error('It is no page of the pool finder.')
  const hasCode = tokens.map((_, i) => data[1 + i] === 1)
  const checked = queries.map((_, i) => data.readUInt32BE(1 + tokens.length + 4 * i))
  const count = data.readUInt32BE(head - 4)
  const named: Named[] = []
  for (let at = head; at < data.length; at += 24) {
    const [pair, query] = [data.readUInt16BE(at), data.readUInt16BE(at + 2)]
    if (pair >= count || query >= queries.length) throw new Error('The pool finder names what was not asked.')
    named.push({ pair, query, address: `0x${data.toString('hex', at + 4, at + 24)}` })
  }
  if (count > pairs.length) throw new Error('The pool finder answers too much.')
  return { hasCode, checked, count, named }
}

async function askByCalls(
  chain: Chain,
  wrapped: Address,
  queries: readonly Query[],
  pairs: readonly TokenPair[],
  tokens: readonly Address[],
  block: BlockRef,
): Promise<Page> {
  const checks = queries.map(({ factory, check, argument = 0 }) =>
    check === undefined
      ? []
      : [{ to: factory.address, data: view(`function ${check}`)(argument), mayFail: true }],
  )
  const keys = pairs.map(([one, other]) => queries.map(({ keyed }) => keyed?.(one, other, wrapped)))
  const calls = pairs.map(([one, other], i) =>
    queries.map(({ factory, signature, argument, keyed, isNative }, j) => {
      // Without the wrapped token a query of the native one asks for no pool.
      const named = isNative === true ? toNative([one, other], wrapped) : [one, other]
      const args = keyed
        ? [keys[i]?.[j]?.slot ?? '0x0']
        : [...named, ...(argument === undefined ? [] : [argument])]
      return { to: factory.address, data: view(`function ${signature}`)(...args), mayFail: true }
    }),
  )
  const [[checkAnswers, callAnswers], hasCode] = await Promise.all([
    chain.read([checks.flat(), calls.flat()], block),
    Promise.all(tokens.map((token) => chain.hasCode(token, block))),
  ])
  const next = (checkAnswers ?? []).values()
  const isUsed = checks.map((asked) => (asked.length === 0 ? 0 : firstWord(next.next().value)))
  const checked = isUsed.map(Number)
  const named = (callAnswers ?? []).flatMap((answer, i): Named[] => {
    const [pair, query] = [Math.floor(i / queries.length), i % queries.length]
    const isKeyed = queries[query]?.keyed !== undefined
    const id = keys[pair]?.[query]?.id
    const pool = isKeyed ? standInOf(answer, id) : firstWord(answer)
    const isLeftOut = queries[query]?.check !== undefined && checked[query] === 0
    if (pool === 0n || pool >= 2n ** 160n || isLeftOut) return []
    return [{ pair, query, address: toHex(pool, { size: 20 }) }]
  })
  return { hasCode, checked, count: pairs.length, named }
}

function toNative(pair: TokenPair, wrapped: Address): readonly Address[] {
  if (!pair.includes(wrapped)) return [zeroAddress, zeroAddress]
  return pair.map((token) => (token === wrapped ? nativeTokenAddress : token))
}

/** The address that stands for a Uniswap v4 pool, 0 if it has no price. */
function standInOf(answer: Hex, id: Hex | undefined): bigint {
  return id === undefined || BigInt.asUintN(160, firstWord(answer)) === 0n ? 0n : BigInt(id) >> 96n
}

function firstWord(answer: Hex = '0x'): bigint {
  return words(answer)[0] ?? 0n
}
