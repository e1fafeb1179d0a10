import type { StorageArea } from '../../../src/background/storage.ts'

/** Stores JSON copies, like the browser's. */
export function memoryArea(items = new Map<string, string>()): StorageArea & { items: Map<string, string> } {
  const parse = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text))
  return {
    items,
    async get(key) {
      return parse(items.get(key))
    },
    async set(values) {
      for (const [key, value] of Object.entries(values)) items.set(key, JSON.stringify(value))
    },
    async remove(keys) {
      for (const key of keys) items.delete(key)
    },
    async clear() {
      items.clear()
    },
    async all() {
      return Object.fromEntries([...items].map(([key, text]) => [key, parse(text)]))
    },
  }
}
