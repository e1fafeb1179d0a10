import * as v from 'valibot'
import { decode, encode } from '../domain/json.ts'
import { parseOrUndefined } from '../domain/parseOrUndefined.ts'
import type { RecordKey } from '../domain/storageKeys.ts'
import type { Address } from '../domain/token/token.ts'
import { addSnapshot, type ValueSnapshot } from '../domain/value/snapshots.ts'
import { createMutex } from '../lib/async/mutex.ts'
import { chainId, uint256 } from './schemas.ts'
import type { LocalStorage } from './storage.ts'

export type SnapshotStore = ReturnType<typeof createSnapshotStore>

/** Stores past totals per account. Unreadable records count as empty. */
export function createSnapshotStore(local: LocalStorage, now: () => number) {
  const runExclusive = createMutex()

  async function read(account: Address): Promise<ValueSnapshot[]> {
    try {
      return parseOrUndefined(recordSchema, decode(`${await local.get(key(account))}`)) ?? []
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  }

  return {
    list: (account: Address) => runExclusive(() => read(account)),

    /** Returns all snapshots, oldest first. */
    add: (account: Address, usd: bigint, chains: number[]) =>
      runExclusive(async () => {
        const after = addSnapshot(await read(account), { at: now(), usd, chains })
        await local.set({ [key(account)]: encode(after) })
        return after
      }),

    /** Deletes the snapshots of all other accounts. */
    keepOnly: (accounts: Address[]) =>
      runExclusive(async () => {
        const kept = new Set<string>(accounts.map(key))
        const stored = Object.keys(await local.all()).filter((one) => one.startsWith(prefix))
        const gone = stored.filter((one) => !kept.has(one)) as RecordKey[]
        if (gone.length > 0) await local.remove(gone)
      }),
  }
}

const prefix = 'snapshots.'

function key(account: Address): RecordKey {
  return `snapshots.${account}`
}

export const snapshotChainsSchema = v.pipe(v.array(chainId), v.maxLength(100))

const recordSchema: v.GenericSchema<unknown, ValueSnapshot[]> = v.pipe(
  v.array(
    v.object({
      at: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      usd: uint256,
      chains: snapshotChainsSchema,
    }),
  ),
  v.maxLength(1_000),
)
