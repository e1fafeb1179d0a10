import { encodeFunctionData, parseAbi, stringToHex } from 'viem'
import type { Address } from '../domain/token/token.ts'
import type { Currency } from '../domain/value/currency.ts'
import { toWords } from '../domain/words.ts'
import { once } from '../lib/once.ts'
import { labelData } from './erc20.ts'
import { readRound, roundData, toAge } from './oracle.ts'
import { blockTimestamp, multicall, readNumber } from './rpc/multicall.ts'
import type { Rpc } from './rpc/rpc.ts'

const description = once(() =>
  encodeFunctionData({
    abi: parseAbi(['function description()']),
    functionName: 'description',
  }),
)

/** Feeds of currencies pause at weekends and on holidays. */
const oldestSeconds = 4 * 86_400

/**
 * Returns US dollars of one unit, with eight decimals. Undefined for a feed that is outdated, implausible or
 * another pair's by its own description().
 */
export async function readCurrencyRate(
  rpc: Rpc,
  feed: Address,
  currency: Currency,
): Promise<bigint | undefined> {
  const [time, pair, places, round] = await multicall(rpc, [
    blockTimestamp(),
    ...[description(), labelData('decimals'), roundData()].map((data) => ({ to: feed, data })),
  ])
  const name = `${currency} / USD`
  const expected = `${toWords([32n, BigInt(name.length)])}${stringToHex(name, { size: 32 }).slice(2)}`
  const { answer, updatedAt } = readRound(round) ?? {}
  const decimals = readNumber(places)
  const age = toAge(updatedAt, readNumber(time))
  if (pair !== expected || answer === undefined || decimals === undefined || decimals > 36n) return undefined
  if (age === undefined || age > oldestSeconds) return undefined
  const usd = (answer * 100_000_000n) / 10n ** decimals
  // A yen is about 0.7 cents.
  return usd >= 10_000n && usd <= 100_000_000_000n ? usd : undefined
}
