import { encodeFunctionData, parseAbi } from 'viem'
import type { Address, Hex } from '../domain/token/token.ts'
import type { TokenPrice } from '../domain/value/price.ts'
import { once } from '../lib/once.ts'
import { labelData } from './erc20.ts'
import { blockTimestamp, type Call, type CallResult, multicall, readNumber } from './rpc/multicall.ts'
import type { Rpc } from './rpc/rpc.ts'

export type PriceTable = Map<Address, TokenPrice>

/**
 * Source of a token's price, and the contract that reports its age: behind adapters another one, undefined if
 * none. Until `decimals` is known, `clock` is the next to be asked.
 */
export type Feed = { source: Address; clock?: Address; decimals?: number }

/** `undefined`: the oracle has none. */
export type Feeds = Map<Address, Feed | undefined>

// AaveOracle (github.com/aave-dao/aave-v3-origin), Chainlink feeds, Aave's adapters (bgd-labs/aave-capo,
// bgd-labs/cl-synchronicity-price-adapter).
const abi = once(() =>
  parseAbi([
    'function getAssetPrice(address asset)',
    'function getSourceOfAsset(address asset)',
    'function latestRoundData()',
    'function ASSET_TO_USD_AGGREGATOR()',
    'function BASE_TO_USD_AGGREGATOR()',
    'function PEG_TO_BASE()',
  ]),
)

export const roundData = once(() => encodeFunctionData({ abi: abi(), functionName: 'latestRoundData' }))
const behindData = once(() =>
  (['ASSET_TO_USD_AGGREGATOR', 'BASE_TO_USD_AGGREGATOR', 'PEG_TO_BASE'] as const).map((functionName) =>
    encodeFunctionData({ abi: abi(), functionName }),
  ),
)

/** Feeds update daily. */
const oldestSeconds = 26 * 3_600
/** A billion dollars. */
const highest = 10n ** 17n
/** Source, feed, the feed behind two adapters; one more for a source that changed meanwhile. */
const maxSteps = 5

/** Reads for a multicall; `take` is told the results, adds prices, and returns tokens that need another. */
export type OracleStep = { calls: Call[]; take(told: CallResult[], known: PriceTable): Address[] }

/**
 * Adds oracle prices to `known`, in US dollars with eight decimals: one request once `feeds` holds the
 * tokens' feeds. Omits implausible and outdated prices.
 */
export async function readOracle(
  rpc: Rpc,
  oracle: Address,
  tokens: Address[],
  feeds: Feeds,
  known: PriceTable,
): Promise<void> {
  let open = tokens
  for (let steps = 0; steps < maxSteps; steps++) {
    const { calls, take } = createOracleStep(oracle, open, feeds)
    // The timestamp alone.
    if (calls.length === 1) return
    open = take(await multicall(rpc, calls), known)
  }
}

export function createOracleStep(oracle: Address, tokens: Address[], feeds: Feeds): OracleStep {
  const reads = tokens.map((token) => toRead(oracle, token, feeds))
  return {
    calls: [blockTimestamp(), ...reads.flatMap(({ calls }) => calls)],
    take([time, ...told], known) {
      const now = readNumber(time)
      let at = 0
      return reads.flatMap(({ token, calls, take }) => {
        const results = told.slice(at, at + calls.length)
        at += calls.length
        const found = take(results, now)
        if (typeof found === 'object') known.set(token, found)
        return found === 'again' ? [token] : []
      })
    },
  }
}

type Read = {
  token: Address
  calls: Call[]
  take(told: CallResult[], now: bigint | undefined): TokenPrice | 'again' | undefined
}

function toRead(oracle: Address, token: Address, feeds: Feeds): Read {
  const ask = (functionName: 'getAssetPrice' | 'getSourceOfAsset') => ({
    to: oracle,
    data: encodeFunctionData({ abi: abi(), functionName, args: [token] }),
  })
  const feed = feeds.get(token)
  if (feed === undefined) {
    if (feeds.has(token)) return { token, calls: [], take: () => undefined }
    return {
      token,
      calls: [ask('getSourceOfAsset')],
      take([told]) {
        if (told === undefined) return undefined
        const source = toAddress(told)
        feeds.set(token, source && { source })
        return source && 'again'
      },
    }
  }
  const { source, clock, decimals } = feed
  if (decimals === undefined) {
    const asked = clock ?? source
    const read = (data: Hex) => ({ to: asked, data })
    return {
      token,
      calls: [
        ask('getAssetPrice'),
        { to: token, data: labelData('decimals') },
        read(roundData()),
        ...behindData().map(read),
      ],
      take([price, places, round, ...behind], now) {
        const decimals = readNumber(places)
        if (decimals === undefined || decimals > 36n) return undefined
        const known = { source, decimals: Number(decimals) }
        if (readRound(round)) {
          feeds.set(token, { ...known, clock: asked })
          return toPrice(price, known.decimals, round, now)
        }
        // An adapter's age is told by the feed behind.
        const next = behind.map(toAddress).find((one) => one !== undefined)
        if (next) {
          feeds.set(token, { source, clock: next })
          return 'again'
        }
        // A feed that reverts now may report its age later.
        if (price) feeds.set(token, known)
        return toPrice(price, known.decimals, undefined, now)
      },
    }
  }
  return {
    token,
    calls: [
      ask('getAssetPrice'),
      ask('getSourceOfAsset'),
      ...(clock ? [{ to: clock, data: roundData() }] : []),
    ],
    take([price, told, round], now) {
      if (told === undefined) return undefined
      const current = toAddress(told)
      if (current === source) return toPrice(price, decimals, clock && (round ?? '0x'), now)
      feeds.set(token, current && { source: current })
      return current && 'again'
    },
  }
}

/** `round`: undefined if no contract reports the age. */
function toPrice(
  price: CallResult,
  decimals: number,
  round: CallResult,
  now: bigint | undefined,
): TokenPrice | undefined {
  const usd = readNumber(price) ?? 0n
  if (usd <= 0n || usd >= highest) return undefined
  const known: TokenPrice = { usd, per: 10n ** BigInt(decimals), source: 'oracle' }
  if (round === undefined) return known
  const ageSeconds = toAge(readRound(round)?.updatedAt, now)
  return ageSeconds === undefined || ageSeconds > oldestSeconds ? undefined : { ...known, ageSeconds }
}

/** Returns seconds; 0 for a time ahead of the block. */
export function toAge(updatedAt: bigint | undefined, now: bigint | undefined): number | undefined {
  if (updatedAt === undefined || now === undefined) return undefined
  return Number(now > updatedAt ? now - updatedAt : 0n)
}

/** `updatedAt` in seconds since 1970; `answer` is signed. */
export function readRound(round: CallResult): { answer: bigint; updatedAt: bigint } | undefined {
  if (round?.length !== 322) return undefined
  const word = (index: number) => BigInt(`0x${round.slice(2 + 64 * index, 66 + 64 * index)}`)
  return { answer: BigInt.asIntN(256, word(1)), updatedAt: word(3) }
}

function toAddress(returned: CallResult): Address | undefined {
  if (returned?.length !== 66 || /^0x0*$/.test(returned) || !/^0x0{24}/.test(returned)) return undefined
  return `0x${returned.slice(26)}` as Hex
}
