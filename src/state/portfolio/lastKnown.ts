import * as v from 'valibot'
import { decode, encode } from '../../domain/json.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import { type Address, parseAddress, type Token } from '../../domain/token/token.ts'
import { type CurrencyRate, currencies } from '../../domain/value/currency.ts'
import type { TokenPrice } from '../../domain/value/price.ts'
import type { Session } from '../session.ts'
import type { KnownHoldings } from './portfolio.ts'

/** Last known numbers of home: painted at once, until they are read again. */
export type LastKnown = {
  account: Address
  networks: KnownHoldings[]
  prices: Record<number, Record<Address, TokenPrice>>
  rate: CurrencyRate
  /** Network that home is limited to. */
  filter?: number
}

/** Also deleted on lock (vault/storage/session.ts). */
const key = 'holdings'
const maxTokens = 1_000

/** Undefined if unreadable, or of another account. */
export async function readLastKnown(session: Session, account: Address): Promise<LastKnown | undefined> {
  try {
    const stored = parseOrUndefined(schema, decode(`${await session.get(key)}`))
    return stored?.account === account ? stored : undefined
  } catch {
    return undefined
  }
}

export async function writeLastKnown(session: Session, { networks, ...known }: LastKnown): Promise<void> {
  const bounded = networks.map((one) => ({ ...one, tokens: one.tokens.slice(0, maxTokens) }))
  await session.set(key, encode({ ...known, networks: bounded })).catch(() => undefined)
}

export async function forgetLastKnown(session: Session): Promise<void> {
  await session.remove(key).catch(() => undefined)
}

const address = v.custom<Address>((value) => typeof value === 'string' && parseAddress(value) === value)
const chainId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const positive = v.pipe(v.bigint(), v.minValue(1n))

/** Has only addresses as keys. */
function byAddress<Value>(value: v.GenericSchema<unknown, Value>) {
  return v.pipe(
    v.record(v.string(), value),
    v.check((record) => Object.keys(record).every((key) => parseAddress(key) === key)),
    v.transform((record): Record<Address, Value> => record),
  )
}

const token: v.GenericSchema<unknown, Token> = v.object({
  address,
  symbol: v.string(),
  name: v.string(),
  decimals: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(255)),
  listed: v.boolean(),
  eip2612: v.boolean(),
  taxed: v.boolean(),
  tags: v.array(v.string()),
})

const price: v.GenericSchema<unknown, TokenPrice> = v.object({
  usd: positive,
  per: positive,
  source: v.picklist(['oracle', 'pool', 'service']),
  ageSeconds: v.exactOptional(v.number()),
  serviceUsd: v.exactOptional(v.bigint()),
})

const schema = v.object({
  account: address,
  networks: v.array(
    v.object({
      chainId,
      tokens: v.array(token),
      balances: byAddress(v.pipe(v.bigint(), v.minValue(0n))),
      readAt: v.number(),
    }),
  ),
  prices: v.record(v.string(), byAddress(price)),
  rate: v.object({ currency: v.picklist(currencies), usd: positive }),
  filter: v.exactOptional(chainId),
})
