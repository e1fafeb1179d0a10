import type { Hex } from 'viem'
import type { Address } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import type { BlockRef, Call, Chain } from '../indexer/chain.ts'
import { one } from './math/fixedPoint.ts'
import type { PoolInfo } from './poolType.ts'
import { isAmount, isInteger, isList, isRecord } from './valid.ts'

/** Rates of a composable stable pool (balancer-v2-monorepo: ComposableStablePoolRates.sol). */
export type Rates = {
  /** Per token, with 18 decimals, as the next swap uses it: cached or, if expired, new; 0 if it reverts. */
  used: readonly bigint[]
  /** Number of rates that a swap caches anew. */
  expired: number
  /** True if a token has a provider: caches expire without an event. */
  isRestless: boolean
}

/** PriceRateCache.sol stores a rate in 96 bits, and reverts on larger ones. */
const maxRate = 2n ** 96n - 1n

/** True for valid rates of a pool of `tokenCount` tokens. */
export function isRates(tokenCount: number, data: unknown): data is Rates {
  return (
    isRecord(data) &&
    isList(data.used, tokenCount, isRate) &&
    data.used.length === tokenCount &&
    isInteger(data.expired, 0, tokenCount) &&
    typeof data.isRestless === 'boolean'
  )
}

const isRate = (data: unknown): data is bigint => isAmount(data, 0n, maxRate)

/** Returns the indexes of the tokens that have a rate. */
export function ratedTokens(rateProviders: readonly Address[]): number[] {
  return rateProviders.flatMap((provider, i) => (BigInt(provider) === 0n ? [] : [i]))
}

const getCurrentBlockTimestamp = view('function getCurrentBlockTimestamp()')
const getTokenRateCache = view('function getTokenRateCache(address)')
const getRate = view('function getRate()')

type Rated = PoolInfo<{ rateProviders?: readonly Address[] }>

/**
 * Reads the rates that a swap in `block` uses; undefined for pools that are not composable. Costs no request
 * where no pool has a provider, and one that fails does not affect other pools. Rates are 0 while a pool is
 * left out (`Chain.readIsolated`).
 */
export async function readRates(
  chain: Chain,
  block: BlockRef,
  pools: readonly Rated[],
): Promise<(Rates | undefined)[]> {
  const rated = pools.filter(({ fixed }) => ratedTokens(fixed.rateProviders ?? []).length > 0)
  const answers = await chain.readIsolated(
    rated.map((pool) => rateCalls(chain.multicall, pool)),
    block,
    rated.map(({ address }) => address),
  )
  const byPool = new Map(rated.map((pool, i) => [pool, answers[i] ?? []]))
  return pools.map((pool) => {
    const { rateProviders } = pool.fixed
    return rateProviders && toRates(rateProviders, byPool.get(pool) ?? [])
  })
}

function rateCalls(multicall: Address, { address, tokens, fixed: { rateProviders = [] } }: Rated): Call[] {
  return [
    { to: multicall, data: getCurrentBlockTimestamp() },
    ...ratedTokens(rateProviders).flatMap((i) => [
      { to: address, data: getTokenRateCache(tokens[i] as Address) },
      { to: rateProviders[i] as Address, data: getRate() },
    ]),
  ]
}

function toRates(rateProviders: readonly Address[], [time = '0x', ...answers]: readonly Hex[]): Rates {
  const [now = 0n] = words(time)
  const used = rateProviders.map(() => one)
  const rated = ratedTokens(rateProviders)
  let expired = 0
  for (const [place, i] of rated.entries()) {
    const [cached = 0n, , , expires = 0n] = words(answers[2 * place] ?? '0x')
    const [fresh = 0n] = words(answers[2 * place + 1] ?? '0x')
    const isExpired = now > expires
    used[i] = !isExpired ? cached : fresh <= maxRate ? fresh : 0n
    if (isExpired) expired++
  }
  return { used, expired, isRestless: rated.length > 0 }
}
