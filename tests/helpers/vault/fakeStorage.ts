import { WalletError } from '../../../src/errors.ts'
import { createKey } from '../../../src/vault/password.ts'
import type { NewKey } from '../../../src/vault/storage/records.ts'
import type { Area, Backup, Records } from '../../../src/vault/storage/store.ts'
import { createVault, type Vault } from '../../../src/vault/vault.ts'

export type Operation = 'get' | 'set' | 'remove' | 'read' | 'write' | 'clear'

/** Called before an operation takes effect and before it returns; may throw or hang. */
export type Gate = (operation: Operation, moment: 'before' | 'after') => void | Promise<void>

/** Copies and fails like the real one (src/background/storage.ts). */
export function createArea() {
  const items = new Map<string, unknown>()
  const place = { items, gate: (() => undefined) as Gate }
  const pass: Gate = async (operation, moment) => {
    try {
      await place.gate(operation, moment)
    } catch (cause) {
      throw new WalletError('storage-failed', 'The browser could not do it.', {}, { cause })
    }
  }
  const area: Area = {
    async get(key) {
      await pass('get', 'before')
      return structuredClone(items.get(key))
    },
    async set(entries) {
      await pass('set', 'before')
      for (const [key, value] of Object.entries(entries)) items.set(key, structuredClone(value))
      await pass('set', 'after')
    },
    async remove(keys) {
      await pass('remove', 'before')
      for (const key of keys) items.delete(key)
      await pass('remove', 'after')
    },
    async clear() {
      await pass('clear', 'before')
      items.clear()
      await pass('clear', 'after')
    },
  }
  return Object.assign(place, area)
}

export function createBackupPlace() {
  const place = { stored: undefined as unknown, gate: (() => undefined) as Gate }
  const backup: Backup = {
    async read() {
      await place.gate('read', 'before')
      return structuredClone(place.stored)
    },
    async write(records: Records) {
      await place.gate('write', 'before')
      place.stored = structuredClone(records)
      await place.gate('write', 'after')
    },
    async clear() {
      await place.gate('clear', 'before')
      place.stored = undefined
      await place.gate('clear', 'after')
    },
  }
  return Object.assign(place, backup)
}

/** `start` creates a vault on this storage, as a starting worker does. */
export function createPlaces() {
  const local = createArea()
  const session = createArea()
  const backup = createBackupPlace()
  const clock = { ms: Date.parse('2026-01-01T00:00:00Z') }
  const chosen = { minutes: 15 }
  const told = { over: 0 }
  const start = () =>
    createVault({
      local,
      session,
      backup,
      now: () => clock.ms,
      autoLockMinutes: async () => chosen.minutes,
      onOver: () => {
        told.over += 1
      },
    })
  return { local, session, backup, clock, chosen, told, start }
}

export type Places = ReturnType<typeof createPlaces>

/** Returns a function that restores the persistent places. */
export function photograph({ local, backup }: Places) {
  const items = structuredClone([...local.items])
  const stored = structuredClone(backup.stored)
  return () => {
    local.items.clear()
    for (const [key, value] of items) local.items.set(key, structuredClone(value))
    backup.stored = structuredClone(stored)
  }
}

export const password = 'seven quiet herons'

let made: Promise<NewKey> | undefined

/** Shared, because Argon2id is slow. */
export function someKey(): Promise<NewKey> {
  made ??= createKey(password)
  return made
}

export async function isBackedUp(vault: Vault): Promise<boolean> {
  return (await vault.overview()).seeds.every(({ backedUp }) => backedUp)
}
