import { encodeFunctionData, parseAbi } from 'viem'
import type { Address, Hex } from '../domain/token/token.ts'
import type { TokenPrice } from '../domain/value/price.ts'
import { labelData } from './erc20.ts'
import { blockTimestamp, type CallResult, multicall, readNumber } from './rpc/multicall.ts'
import type { Rpc } from './rpc/rpc.ts'

export type PriceTable = Map<Address, TokenPrice>

// AaveOracle (github.com/aave-dao/aave-v3-origin), Chainlink feeds, Aave's adapters (bgd-labs/aave-capo).
const abi = parseAbi([
  'function getAssetPrice(address asset)',
  'function getSourceOfAsset(address asset)',
  'function latestRoundData()',
  'function ASSET_TO_USD_AGGREGATOR()',
  'function BASE_TO_USD_AGGREGATOR()',
])

/** Feeds update daily. */
const oldestSeconds = 26 * 3_600
const highest = 2n ** 128n

/** Adds oracle prices to `known`, in US dollars with eight decimals. Omits implausible and outdated ones. */
export async function readOracle(
  rpc: Rpc,
  oracle: Address,
  tokens: Address[],
  known: PriceTable,
): Promise<void> {
  const [time, ...told] = await multicall(rpc, [
    blockTimestamp(),
    ...tokens.flatMap((token) => [
      {
        to: oracle,
        data: encodeFunctionData({ abi, functionName: 'getAssetPrice', args: [token] }),
      },
      {
        to: oracle,
        data: encodeFunctionData({ abi, functionName: 'getSourceOfAsset', args: [token] }),
      },
      { to: token, data: labelData('decimals') },
    ]),
  ])
  const priced = tokens.flatMap((token, index) => {
    const [price, feed, places] = told.slice(3 * index, 3 * index + 3)
    const [usd = 0n, decimals = 255n] = [readNumber(price), readNumber(places)]
    return usd > 0n && usd < highest && decimals <= 36n
      ? [{ token, usd, decimals, feed: toAddress(feed) }]
      : []
  })
  const updates = await readUpdates(
    rpc,
    priced.map(({ feed }) => feed),
  )
  const now = readNumber(time)
  priced.forEach(({ token, usd, decimals }, index) => {
    const updated = updates[index]
    const ageSeconds =
      updated === undefined || now === undefined ? undefined : Number(now > updated ? now - updated : 0n)
    if (ageSeconds !== undefined && ageSeconds > oldestSeconds) return
    known.set(token, {
      usd,
      per: 10n ** decimals,
      source: 'oracle',
      ...(ageSeconds !== undefined && { ageSeconds }),
    })
  })
}

/** Seconds since 1970; for adapters, of the feed behind. */
async function readUpdates(rpc: Rpc, feeds: (Address | undefined)[]): Promise<(bigint | undefined)[]> {
  const functions = ['latestRoundData', 'ASSET_TO_USD_AGGREGATOR', 'BASE_TO_USD_AGGREGATOR'] as const
  const ask = async (asked: (Address | undefined)[]) => {
    const some = asked.filter((feed) => feed !== undefined)
    const told = await multicall(
      rpc,
      some.flatMap((to) =>
        functions.map((functionName) => ({ to, data: encodeFunctionData({ abi, functionName }) })),
      ),
    )
    return asked.map((feed) => {
      const at = feed === undefined ? -1 : some.indexOf(feed)
      const [round, ...behind] = at < 0 ? [] : told.slice(3 * at, 3 * at + 3)
      return { updated: updatedAt(round), behind: behind.map(toAddress).find((one) => one !== undefined) }
    })
  }
  const first = await ask(feeds)
  const second = await ask(first.map(({ updated, behind }) => (updated === undefined ? behind : undefined)))
  return first.map(({ updated }, index) => updated ?? second[index]?.updated)
}

function updatedAt(round: CallResult): bigint | undefined {
  return round?.length === 322 ? BigInt(`0x${round.slice(194, 258)}`) : undefined
}

function toAddress(returned: CallResult): Address | undefined {
  if (returned?.length !== 66 || /^0x0*$/.test(returned) || !/^0x0{24}/.test(returned)) return undefined
  return `0x${returned.slice(26)}` as Hex
}
