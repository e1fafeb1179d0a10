import * as v from 'valibot'
import type { IncomingTransfer } from '../../domain/activity/incoming.ts'
import { decode, encode } from '../../domain/json.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import type { RecordKey } from '../../domain/storageKeys.ts'
import { type Address, parseAddress } from '../../domain/token/token.ts'
import type { NativeState } from '../../evm/incoming.ts'
import { cached } from '../../lib/async/cached.ts'
import type { Balances } from '../../protocol.ts'
import { address, chainId, hash, pastPrice, uint256 } from '../schemas.ts'
import type { LocalStorage } from '../storage.ts'

/** Balances that transfers were derived from. */
export type SeenBalances = {
  native?: NativeState
  /** Greater than zero. */
  tokens: Balances
  /** Transfers of tokens are read up to this block. */
  block: bigint
}

/**
 * One per account and network, so that balances and transfers are written together. Newest first. `dust`: ids
 * of transfers that are dropped before others.
 */
type IncomingRecord = { seen: SeenBalances; transfers: IncomingTransfer[]; dust: string[] }

const prefix = 'incoming'
const maxTransfers = 100
const maxTokens = 2_000
/** Blocks until a position alone is stored again. */
const storeEveryBlocks = 100n

export function createIncomingStore(local: LocalStorage) {
  const all = cached(async () => {
    const records = new Map<RecordKey, IncomingRecord>()
    for (const [key, stored] of Object.entries(await local.all())) {
      const record = isRecordKey(key) ? readRecord(stored) : undefined
      if (record !== undefined) records.set(key as RecordKey, record)
    }
    return records
  })
  const storedAs = new Map<RecordKey, SeenBalances>()

  return {
    forget(): void {
      all.forget()
      storedAs.clear()
    },

    /** Newest first. */
    async list(): Promise<IncomingTransfer[]> {
      const records = [...(await all.get()).values()]
      return newestFirst(records.flatMap(({ transfers }) => transfers))
    },

    async get(id: number, account: Address): Promise<SeenBalances | undefined> {
      return (await all.get()).get(recordKey(id, account))?.seen
    },

    /** Stores changed balances, and the transfers that are new. Returns these. */
    async put(
      id: number,
      account: Address,
      seen: SeenBalances,
      found: IncomingTransfer[],
      isDust: (transfer: IncomingTransfer) => boolean,
    ): Promise<IncomingTransfer[]> {
      const records = await all.get()
      const key = recordKey(id, account)
      const before = records.get(key)
      const known = new Set(before?.transfers.map((one) => one.id))
      const added = found.filter((one) => !known.has(one.id))
      const dust = new Set([...(before?.dust ?? []), ...added.filter(isDust).map((one) => one.id)])
      const transfers = boundedTransfers([...added, ...(before?.transfers ?? [])], dust)
      const keptDust = transfers.flatMap((one) => (dust.has(one.id) ? one.id : []))
      const record = { seen: bounded(seen), transfers, dust: keptDust }
      if (
        before === undefined ||
        added.length > 0 ||
        isChanged(storedAs.get(key) ?? before.seen, record.seen)
      ) {
        await local.set({ [key]: encode(record) })
        storedAs.set(key, record.seen)
      }
      records.set(key, record)
      return added.filter((one) => transfers.includes(one))
    },
  }
}

function recordKey(id: number, account: Address): RecordKey {
  return `${prefix}.${id}.${account}`
}

function isRecordKey(key: string): boolean {
  return key.startsWith(`${prefix}.`)
}

function newestFirst(transfers: IncomingTransfer[]): IncomingTransfer[] {
  return transfers.sort((one, other) => other.createdAt - one.createdAt)
}

/** Dust must not displace other transfers. */
function boundedTransfers(transfers: IncomingTransfer[], dust: ReadonlySet<string>): IncomingTransfer[] {
  const others = transfers.filter((one) => !dust.has(one.id)).length
  const maxDust = Math.max(0, maxTransfers - others)
  let keptDust = 0
  return newestFirst(transfers)
    .filter((one) => !dust.has(one.id) || ++keptDust <= maxDust)
    .slice(0, maxTransfers)
}

function bounded(seen: SeenBalances): SeenBalances {
  return { ...seen, tokens: Object.fromEntries(Object.entries(seen.tokens).slice(-maxTokens)) }
}

function isChanged(stored: SeenBalances, seen: SeenBalances): boolean {
  const isMoved = seen.block - stored.block >= storeEveryBlocks
  const facts = ({ native, tokens }: SeenBalances) => encode([native?.balance, native?.nonce, tokens])
  return isMoved || facts(stored) !== facts(seen)
}

function readRecord(stored: unknown): IncomingRecord | undefined {
  try {
    return parseOrUndefined(recordSchema, decode(v.parse(v.string(), stored)))
  } catch {
    return undefined
  }
}

const block = v.pipe(v.bigint(), v.minValue(0n))

const transferSchema: v.GenericSchema<unknown, IncomingTransfer> = v.object({
  id: v.string(),
  account: address,
  chainId,
  token: address,
  amount: v.pipe(uint256, v.minValue(1n)),
  createdAt: v.pipe(v.number(), v.safeInteger()),
  from: v.exactOptional(address),
  hash: v.exactOptional(hash),
  block: v.exactOptional(block),
  price: v.exactOptional(pastPrice),
})

const recordSchema: v.GenericSchema<unknown, IncomingRecord> = v.object({
  seen: v.object({
    native: v.exactOptional(
      v.object({ balance: uint256, nonce: v.pipe(v.number(), v.safeInteger()), block }),
    ),
    tokens: v.pipe(
      v.record(v.string(), uint256),
      v.check((tokens) => Object.keys(tokens).every((key) => parseAddress(key) === key)),
      v.transform((tokens): Balances => tokens),
    ),
    block,
  }),
  transfers: v.array(transferSchema),
  dust: v.optional(v.array(v.string()), []),
})
