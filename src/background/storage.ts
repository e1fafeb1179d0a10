import type { RecordKey } from '../domain/storageKeys.ts'
import { WalletError } from '../errors.ts'

/** Browser storage area by single keys. A missing key is `undefined`. */
export type StorageArea<Key extends string = string> = {
  get(key: Key): Promise<unknown>
  /** Stores all items or none. */
  set(items: { [one in Key]?: unknown }): Promise<void>
  remove(keys: Key[]): Promise<void>
  all(): Promise<Record<string, unknown>>
  /** Removes everything or nothing. */
  clear(): Promise<void>
}

export type LocalStorage = StorageArea<RecordKey>

export type BrowserArea = {
  get(keys: string | null): Promise<Record<string, unknown>>
  set(items: Record<string, unknown>): Promise<void>
  remove(keys: string[]): Promise<void>
  clear(): Promise<void>
}

/** Wraps a browser area. Failures become `storage-failed`. */
export function openArea(area: BrowserArea): StorageArea {
  return {
    get: async (key) => (await guard('read', area.get(key)))[key],
    set: (items) => guard('write', area.set(items)),
    remove: (keys) => guard('write', area.remove(keys)),
    all: () => guard('read', area.get(null)),
    clear: () => guard('write', area.clear()),
  }
}

/** Retries a write beyond the quota after removing the cached token lists. */
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
 * Chromium: "QUOTA_BYTES quota exceeded", "Resource::kQuotaBytes quota exceeded", FILE_ERROR_NO_SPACE;
 * Firefox: QuotaExceededError, or unspecific.
 */
const noRoom = /quota|no.space/i

async function guard<T>(action: 'read' | 'write', work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new WalletError('storage-failed', `The browser could not ${action} its storage.`, {}, { cause })
  }
}
