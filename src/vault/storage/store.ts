import * as v from 'valibot'
import { WalletError } from '../../errors.ts'
import { type Hex, sha256 } from '../bytes.ts'
import { isNewer, parseVaultRecord, parseWrappedKey, type VaultRecord, type WrappedKey } from './records.ts'

/** Rejects with `storage-failed`. */
export type Area = {
  get(key: string): Promise<unknown>
  set(items: Record<string, unknown>): Promise<void>
  remove(keys: string[]): Promise<void>
  /** Atomic. */
  clear(): Promise<void>
}

/** Independent copy. `undefined` before the first write. */
export type Backup = {
  read(): Promise<unknown>
  write(records: Records): Promise<void>
  clear(): Promise<void>
}

export type Records = { vault: Copy; 'wrap.pw': Copy }

/** `isCopy`: from the backup, may lack the last write. */
export type Stored = { vault: VaultRecord; wrap: WrappedKey; isCopy?: true }

/**
 * Stores ciphertext in `local` and `backup`. A vault replaced by its copy is kept as `vault.damaged`; its
 * lock is not, since an old password would still open it.
 */
export function createStore(local: Area, backup: Backup) {
  /** No other writer. */
  let isBackupEmpty = false

  /**
   * Loads the vault; `undefined` only if both places are empty. Throws `vault-damaged`, `vault-newer`, or
   * `storage-failed` if a place that may have it does not answer.
   */
  async function load(): Promise<Stored | undefined> {
    const first = await survey(() => readLocal(local))
    const whole = pairUp([first])
    if (whole !== undefined) return whole
    const second = await survey(async () => (isBackupEmpty ? undefined : backup.read()))
    isBackupEmpty = second.isEmpty
    // It has data that an older copy lacks.
    if (first.isNewer || second.isNewer) {
      throw new WalletError('vault-newer', 'The stored vault is of a later version.')
    }
    const pair = pairUp([first, second])
    if (pair !== undefined) return pair.vault === first.vault ? pair : { ...pair, isCopy: true }
    const failed = [first, second].find((place) => place.failure !== undefined)
    if (failed !== undefined) throw storageFailed('read', failed.failure)
    if (first.isEmpty && second.isEmpty) return undefined
    throw new WalletError('vault-damaged', 'The stored vault is damaged, and so is its backup copy.')
  }

  /**
   * Writes and verifies both records, then the backup. On failure restores the old ones and throws
   * `storage-failed`.
   */
  async function save(stored: Stored): Promise<void> {
    const records = await toRecords(stored)
    await write(records, stored)
    await mirror(records)
  }

  /** Restores a lost or outdated copy; retried at the next unlock. */
  async function repair(stored: Stored): Promise<void> {
    const records = await toRecords(stored)
    try {
      if (!(await holds(records))) await write(records, stored)
    } catch {
      // The backup is intact.
    }
    await mirror(records)
  }

  async function write(records: Records, { isCopy }: Stored): Promise<void> {
    const before = await readLocal(local).catch((cause: unknown) => {
      throw storageFailed('read', cause)
    })
    // Newer than the copy.
    if (isCopy && pairUp([await survey(async () => before)]) !== undefined)
      throw storageFailed('read', undefined)
    const damaged = before.vault === undefined ? {} : { 'vault.damaged': before.vault }
    try {
      await local.set({ ...records, ...(isCopy && { ...damaged, [restored]: true }) })
      if (!(await holds(records))) throw new Error('The records read back are not those written.')
    } catch (cause) {
      await putBack(before)
      throw storageFailed('write', cause)
    }
  }

  /** True until confirmed by the user. */
  async function isRestored(): Promise<boolean> {
    return (await local.get(restored).catch(() => undefined)) !== undefined
  }

  const confirmRestored = () => local.remove([restored])

  async function holds(records: Records): Promise<boolean> {
    const now = await readLocal(local)
    return recordKeys.every((key) => isSameCopy(records[key], now[key]))
  }

  async function putBack(before: Found): Promise<void> {
    const kept = recordKeys.filter((key) => before[key] !== undefined)
    const absent = recordKeys.filter((key) => before[key] === undefined)
    try {
      if (kept.length > 0) await local.set(Object.fromEntries(kept.map((key) => [key, before[key]])))
      if (absent.length > 0) await local.remove(absent)
    } catch {
      // The backup still has the old records.
    }
  }

  /** Clears the backup first: if interrupted, the vault is intact. Clears all of `local`. */
  async function erase(): Promise<void> {
    try {
      await backup.clear()
      await local.clear()
      if ((await load()) !== undefined) throw new Error('It is still there.')
    } catch (cause) {
      throw storageFailed('remove', cause)
    }
  }

  async function mirror(records: Records): Promise<void> {
    try {
      for (let attempt = 0; attempt < 2; attempt++) {
        const there = await backup.read()
        if ((await survey(async () => there)).isNewer) return
        if (isRecord(there) && recordKeys.every((key) => isSameCopy(records[key], there[key]))) return
        await backup.write(records)
      }
    } catch {
      // The next unlock writes the copy.
    } finally {
      isBackupEmpty = false
    }
  }

  return { load, save, repair, erase, isRestored, confirmRestored }
}

type RecordKey = keyof Records
type Found = Partial<Record<RecordKey, unknown>>
type Survey = {
  isEmpty: boolean
  isNewer?: boolean
  failure?: unknown
  vault?: VaultRecord | undefined
  wrap?: WrappedKey | undefined
}

const restored = 'vault.restored'

const recordKeys: RecordKey[] = ['vault', 'wrap.pw']

async function readLocal(local: Area): Promise<Found> {
  const [vault, wrap] = await Promise.all([local.get('vault'), local.get('wrap.pw')])
  return { vault, 'wrap.pw': wrap }
}

async function survey(read: () => Promise<unknown>): Promise<Survey> {
  try {
    const found = await read()
    if (!isRecord(found)) return { isEmpty: found === undefined }
    const [vault, wrap] = await Promise.all(recordKeys.map((key) => fromCopy(found[key])))
    return {
      isEmpty: recordKeys.every((key) => found[key] === undefined),
      isNewer: isNewer('vault', vault) || isNewer('wrap.pw', wrap),
      vault: parsed(vault, parseVaultRecord),
      wrap: parsed(wrap, parseWrappedKey),
    }
  } catch (failure) {
    return { isEmpty: false, failure: failure ?? 'unknown' }
  }
}

function parsed<T>(record: unknown, parse: (value: unknown) => T): T | undefined {
  try {
    return parse(record)
  } catch {
    return undefined
  }
}

/** Old locks have the same data key. */
function pairUp(places: Survey[]): Stored | undefined {
  for (const { vault } of places) {
    const wrap = places.map((place) => place.wrap).find((lock) => lock && lock.vaultId === vault?.vaultId)
    if (vault !== undefined && wrap !== undefined) return { vault, wrap }
  }
  return undefined
}

async function toRecords({ vault, wrap }: Stored): Promise<Records> {
  return { vault: await toCopy(vault), 'wrap.pw': await toCopy(wrap) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function storageFailed(action: 'read' | 'write' | 'remove', cause: unknown): WalletError {
  return new WalletError('storage-failed', `The browser could not ${action} the vault.`, {}, { cause })
}

/** Length and SHA-256 distinguish corruption from a wrong password; tampering is the cipher's concern. */
export type Copy = { text: string; length: number; sha256: Hex }

async function toCopy(record: object): Promise<Copy> {
  const text = JSON.stringify(record)
  return { text, length: text.length, sha256: await sha256(text) }
}

/** Returns `undefined` if corrupt. */
export async function fromCopy(value: unknown): Promise<unknown> {
  if (!v.is(copyShape, value) || value.length !== value.text.length) return undefined
  if (value.sha256 !== (await sha256(value.text))) return undefined
  try {
    return JSON.parse(value.text)
  } catch {
    return undefined
  }
}

function isSameCopy(one: Copy, other: unknown): boolean {
  if (!v.is(copyShape, other)) return false
  return other.text === one.text && other.length === one.length && other.sha256 === one.sha256
}

const copyShape = v.object({
  text: v.string(),
  length: v.pipe(v.number(), v.safeInteger()),
  sha256: v.string(),
})
