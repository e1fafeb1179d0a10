import type { RecordKey } from '../domain/storageKeys.ts'
import { WalletError } from '../errors.ts'

/** A storage area of the browser, by single keys. A missing key is `undefined`. */
export type StorageArea<Key extends string = string> = {
  get(key: Key): Promise<unknown>
  /** Stores all of `items` or none of it. */
  set(items: { [one in Key]?: unknown }): Promise<void>
  remove(keys: Key[]): Promise<void>
  all(): Promise<Record<string, unknown>>
  /** Removes everything, or nothing. */
  clear(): Promise<void>
}

/** The disk, which takes records of known kinds. */
export type LocalStorage = StorageArea<RecordKey>

/** What `browser.storage.local` and `.session` are. */
export type BrowserArea = {
  get(keys: string | null): Promise<Record<string, unknown>>
  set(items: Record<string, unknown>): Promise<void>
  remove(keys: string[]): Promise<void>
  clear(): Promise<void>
}

/** The browser's area as ours. Its failures (no room, a broken disk) become a WalletError `storage-failed`. */
export function openArea(area: BrowserArea): StorageArea {
  return {
    get: async (key) => (await guard('read', area.get(key)))[key],
    set: (items) => guard('write', area.set(items)),
    remove: (keys) => guard('write', area.remove(keys)),
    all: () => guard('read', area.get(null)),
    clear: () => guard('write', area.clear()),
  }
}

/**
 * `disk`, where a write that finds no room is tried once more without the token lists: they are long, and can be fetched again. Whatever
 * fails on the way, the want of room is what is told.
 */
export function evictOnQuotaExceeded(disk: LocalStorage): LocalStorage {
  return {
    ...disk,
    set: (items) =>
      disk.set(items).catch(async (error: Error) => {
        try {
          const lists = Object.keys(await disk.all()).filter((key) => key.startsWith('tokens.'))
          if (lists.length === 0 || !noRoom.test(`${error.cause}`)) throw error
          await disk.remove(lists as RecordKey[])
          await disk.set(items)
        } catch {
          throw error
        }
      }),
  }
}

/**
 * Chromium's "QUOTA_BYTES quota exceeded" and "Resource::kQuotaBytes quota exceeded", Firefox's QuotaExceededError; a disk that is full
 * itself is FILE_ERROR_NO_SPACE to Chromium. Firefox says of some failures that they were unexpected, and no more.
 */
const noRoom = /quota|no.space/i

async function guard<T>(action: 'read' | 'write', work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new WalletError('storage-failed', `The browser could not ${action} its storage.`, {}, { cause })
  }
}
