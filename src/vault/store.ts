import { WalletError } from '../errors.ts'
import { type Copy, fromCopy, isSameCopy, toCopy } from './backupCopy.ts'
import { isNewer, parseVaultRecord, parseWrappedKey, type VaultRecord, type WrappedKey } from './records.ts'

/** A browser storage area, by single keys. A missing key is `undefined`. What fails rejects with a WalletError `storage-failed`. */
export type Area = {
  get(key: string): Promise<unknown>
  set(items: Record<string, unknown>): Promise<void>
  remove(keys: string[]): Promise<void>
  /** Removes everything, or nothing. */
  clear(): Promise<void>
}

/** A second place for the same records, which fails apart from the first. `undefined` before the first write. */
export type Backup = {
  read(): Promise<unknown>
  write(records: Records): Promise<void>
  /** Afterwards it is as before the first write. */
  clear(): Promise<void>
}

/** The two records as they are written, under these keys in storage. */
export type Records = { vault: Copy; 'wrap.pw': Copy }

/** `isCopy`: the backup's vault stood in for what `local` lost, and may lack what was written last. */
export type Stored = { vault: VaultRecord; wrap: WrappedKey; isCopy?: true }

/**
 * The vault's two records in `local`, and again in `backup`. It holds ciphertext only. A vault that a copy takes the place of is set aside
 * under `vault.damaged`, the last one. Its lock is not: with another password an old one would still open what there is.
 */
export function createStore(local: Area, backup: Backup) {
  /** It was so when it was read last, and nobody else writes there. Each view of a wallet yet to be made asks. */
  let isBackupEmpty = false

  /**
   * The vault, from the backup what `local` lost; `undefined` only when both places answered that there never was one. Throws a
   * WalletError: `vault-damaged` when neither place has it whole, `vault-newer` when a later version of the wallet wrote it,
   * `storage-failed` when a place that may have it does not answer.
   */
  async function load(): Promise<Stored | undefined> {
    const first = await survey(() => readLocal(local))
    const whole = pairUp([first])
    if (whole !== undefined) return whole
    const second = await survey(async () => (isBackupEmpty ? undefined : backup.read()))
    isBackupEmpty = second.isEmpty
    // Before an older copy is taken for the vault: the later one has what that lacks.
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
   * Writes both records in one go, reads them back and compares; then the backup copy. Throws a WalletError `storage-failed` when
   * `local` did not take them; the old records are put back then.
   */
  async function save(stored: Stored): Promise<void> {
    const records = await toRecords(stored)
    await write(records, stored)
    await mirror(records)
  }

  /** Makes both places whole again after one lost the vault or missed a write. A place that cannot is tried at the next unlock. */
  async function repair(stored: Stored): Promise<void> {
    const records = await toRecords(stored)
    try {
      if (!(await holds(records))) await write(records, stored)
    } catch {
      // The vault is open and whole in the other place: no reason to keep its owner out.
    }
    await mirror(records)
  }

  async function write(records: Records, { isCopy }: Stored): Promise<void> {
    const before = await readLocal(local).catch((cause: unknown) => {
      throw storageFailed('read', cause)
    })
    // It could not be read for a moment, and has what the copy may lack.
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

  /** The copy took the place of the vault, and nobody read yet that it did. */
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
      // The place takes nothing at all: what is there is what was there, and the backup still has the old records.
    }
  }

  /**
   * Empties both places, the backup first: where it stops in between, the vault is still whole. Whatever else is in `local` goes with the
   * vault, in one write.
   */
  async function erase(): Promise<void> {
    try {
      await backup.clear()
      await local.clear()
      if ((await load()) !== undefined) throw new Error('It is still there.')
    } catch (cause) {
      throw storageFailed('remove', cause)
    }
  }

  /** The backup comes after the primary, is read back once and written again if it came out different. */
  async function mirror(records: Records): Promise<void> {
    try {
      for (let attempt = 0; attempt < 2; attempt++) {
        const there = await backup.read()
        if ((await survey(async () => there)).isNewer) return
        if (isRecord(there) && recordKeys.every((key) => isSameCopy(records[key], there[key]))) return
        await backup.write(records)
      }
    } catch {
      // The primary is written and compared: the vault is safe. The next unlock writes the copy again.
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

/** What one place has of the vault. */
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

/** The first vault that some place has a lock for. A lock may be of any age: it always holds the same data key. */
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
