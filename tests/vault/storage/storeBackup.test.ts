import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/vault/bytes.ts'
import { unwrapKey, wrapKey } from '../../../src/vault/password.ts'
import type { NewKey } from '../../../src/vault/storage/records.ts'
import type { Vault } from '../../../src/vault/vault.ts'
import { newSecret, readPhrase } from '../../../src/vault/words/phrase.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'
import {
  createPlaces,
  isBackedUp,
  type Places,
  password,
  photograph,
  someKey,
} from '../../helpers/vault/fakeStorage.ts'

slow('Argon2id runs at its full cost.')

type Written = { text: string; length: number; sha256: string }

const junk = 'test test test test test test test test test test test junk'
const known = await readPhrase(junk)
const fresh = await newSecret(12)
let places: Places
let vault: Vault
let key: NewKey
let changed: NewKey

beforeEach(async () => {
  key = await someKey()
  changed ??= await wrapKey('a new password', key.dataKey, key.wrap.vaultId)
  places = createPlaces()
  vault = places.start()
})

describe('backup copy', () => {
  it('holds the same ciphertext, with its length and SHA-256', async () => {
    await vault.importPhrase(key, known)
    expect(places.backup.stored).toEqual(Object.fromEntries(places.local.items))
    for (const copy of Object.values(places.backup.stored as Record<string, Written>)) {
      expect(copy.length).toBe(copy.text.length)
      expect(copy.sha256).toBe(await sha256(copy.text))
    }
  })

  it.each([['vault'], ['wrap.pw'], ['both']])('replaces and repairs a primary that lost %s', async (lost) => {
    await vault.importPhrase(key, known)
    await vault.lock()
    const whole = new Map(places.local.items)
    for (const record of lost === 'both' ? ['vault', 'wrap.pw'] : [lost]) places.local.items.delete(record)
    const later = places.start()
    expect(await later.status()).toBe('locked')
    await expect(later.create(key, fresh)).rejects.toMatchObject({ code: 'vault-exists' })
    await later.unlock(await unwrapKey(await later.passwordWrap(), password))
    expect(await later.reveal(key.dataKey)).toBe(known.entropy)
    // Locks of any age wrap the same key: no data is missing.
    if (lost !== 'wrap.pw') whole.set('vault.restored', true)
    expect(places.local.items).toEqual(whole)
  })

  it('reads the backup once while there is no vault, and again after a vault existed', async () => {
    let reads = 0
    places.backup.gate = (operation) => {
      if (operation === 'read') reads++
    }
    for (let view = 0; view < 3; view++) expect(await vault.status()).toBe('none')
    expect(reads).toBe(1)
    // A view may read the status meanwhile.
    await Promise.all([vault.importPhrase(key, known), vault.status()])
    places.local.items.clear()
    expect(await vault.status()).toBe('unlocked')
    await vault.reset()
    expect(await vault.status()).toBe('none')
  })

  it('replaces a corrupted primary', async () => {
    await vault.importPhrase(key, known)
    const whole = photograph(places)
    for (const record of ['vault', 'wrap.pw']) {
      for (const rotten of [null, 0, 'x', [], {}, { text: '{}', length: 2, sha256: await sha256('{}') }]) {
        whole()
        places.local.items.set(record, rotten)
        expect(await vault.reveal(key.dataKey)).toBe(known.entropy)
      }
    }
  })

  it('reports the restore and keeps the damaged primary, which may hold a later phrase', async () => {
    await vault.importPhrase(key, known)
    expect(await vault.isRestored()).toBe(false)
    places.backup.gate = (operation) => {
      if (operation === 'write') throw new Error('no disk')
    }
    await vault.addPhrase(fresh)
    places.backup.gate = () => undefined
    const copy = places.local.items.get('vault') as Written
    const rotten = { ...copy, text: flip(copy.text, 700) }
    places.local.items.set('vault', rotten)
    const later = places.start()
    await later.unlock(key.dataKey)
    expect((await later.overview()).accounts).toHaveLength(1)
    expect(await later.isRestored()).toBe(true)
    await later.confirmRestored()
    expect(await later.isRestored()).toBe(false)
    await later.addPhrase(fresh)
    await later.unlock(key.dataKey)
    expect(await later.isRestored()).toBe(false)
    expect(places.local.items.get('vault.damaged')).toEqual(rotten)
  })

  it('reports the restore when it replaces the primary during a change', async () => {
    await vault.importPhrase(key, known)
    places.local.items.set('vault', 'rotten')
    await vault.addAccount()
    expect(await vault.isRestored()).toBe(true)
    expect(places.local.items.get('vault.damaged')).toBe('rotten')
  })

  it('does not replace a newer primary that was unreadable for a moment', async () => {
    await vault.importPhrase(key, known)
    places.backup.gate = (operation) => {
      if (operation === 'write') throw new Error('no disk')
    }
    await vault.addPhrase(fresh)
    const whole = new Map(places.local.items)
    const unreadable = () => {
      let reads = 0
      places.local.gate = (operation) => {
        if (operation === 'get' && ++reads <= 2) throw new Error('IO error')
      }
    }
    unreadable()
    await expect(vault.addAccount()).rejects.toMatchObject({ code: 'storage-failed' })
    expect(places.local.items).toEqual(whole)
    const later = places.start()
    unreadable()
    await later.unlock(key.dataKey)
    expect(places.local.items).toEqual(whole)
    expect((await later.overview()).accounts).toHaveLength(2)
    expect(await later.isRestored()).toBe(false)
  })

  it('writes the backup at the next unlock when an earlier write failed', async () => {
    places.backup.gate = (operation) => {
      if (operation === 'write') throw new Error('no disk')
    }
    await vault.importPhrase(key, known)
    expect(places.backup.stored).toBeUndefined()
    places.backup.gate = () => undefined
    await vault.unlock(key.dataKey)
    expect(places.backup.stored).toEqual(Object.fromEntries(places.local.items))
  })

  it('copies every change to the backup', async () => {
    await vault.create(key, fresh)
    await vault.confirmBackup()
    await vault.rewrap(changed)
    places.local.items.clear()
    const later = places.start()
    expect(await isBackedUp(later)).toBe(true)
    expect(await later.passwordWrap()).toEqual(changed.wrap)
  })

  it('never mixes records of two vaults: uses the backup as a whole or reports damage', async () => {
    await vault.importPhrase(key, known)
    const other = createPlaces()
    const otherKey = await wrapKey(password, key.dataKey, `0x${'5'.repeat(32)}`)
    await other.start().create(otherKey, fresh)
    places.backup.stored = other.backup.stored
    places.local.items.delete('wrap.pw')
    expect(await vault.passwordWrap()).toEqual(otherKey.wrap)
    ;(places.backup.stored as Record<string, unknown>).vault = undefined
    await expect(vault.passwordWrap()).rejects.toMatchObject({ code: 'vault-damaged' })
  })
})

describe('record of a newer version', () => {
  async function later(copy: unknown, version: number): Promise<Written> {
    const text = JSON.stringify({ ...JSON.parse((copy as Written).text), version, more: 'unknown here' })
    return { text, length: text.length, sha256: await sha256(text) }
  }

  const newer = { code: 'vault-newer' }

  it.each([
    ['vault', 3],
    ['wrap.pw', 2],
  ])('rejects a newer %s record as vault-newer and writes nothing over it', async (record, version) => {
    await vault.importPhrase(key, known)
    for (const [inLocal, inBackup] of [
      [true, true],
      [true, false],
    ]) {
      const whole = photograph(places)
      const written = await later(places.local.items.get(record), version)
      if (inLocal) places.local.items.set(record, written)
      if (inBackup) (places.backup.stored as Record<string, unknown>)[record] = written
      const before = [structuredClone([...places.local.items]), structuredClone(places.backup.stored)]
      const one = places.start()
      expect(await one.status()).toBe('unlocked')
      await expect(one.passwordWrap()).rejects.toMatchObject(newer)
      await expect(one.unlock(key.dataKey)).rejects.toMatchObject(newer)
      await expect(one.reveal(key.dataKey)).rejects.toMatchObject(newer)
      await expect(one.create(key, fresh)).rejects.toMatchObject(newer)
      await expect(one.addAccount()).rejects.toMatchObject(newer)
      await expect(one.rewrap(key)).rejects.toMatchObject(newer)
      expect([[...places.local.items], places.backup.stored]).toEqual(before)
      whole()
    }
  })

  it('rejects a newer backup record when the primary is lost', async () => {
    await vault.importPhrase(key, known)
    const stored = places.backup.stored as Record<string, unknown>
    stored.vault = await later(stored.vault, 3)
    places.local.items.delete('vault')
    await expect(vault.unlock(key.dataKey)).rejects.toMatchObject(newer)
  })

  it('leaves a newer backup record in place while the older primary is intact', async () => {
    await vault.importPhrase(key, known)
    const stored = places.backup.stored as Record<string, unknown>
    stored.vault = await later(stored.vault, 3)
    const before = structuredClone(stored)
    await vault.unlock(key.dataKey)
    await vault.addAccount()
    expect(places.backup.stored).toEqual(before)
  })
})

describe('truncated vault record', () => {
  it('restores the last good copy at any cut, and keeps the damaged record', async () => {
    await vault.importPhrase(key, known)
    await vault.addPhrase(fresh)
    await vault.addKey(`0x${'11'.repeat(32)}`)
    await vault.addWatched(`0x${'22'.repeat(20)}`)
    const overview = await vault.overview()
    const whole = photograph(places)
    const copy = places.local.items.get('vault') as Written
    await vault.lock()
    for (let cut = 0; cut < copy.text.length; cut += 37) {
      whole()
      places.local.items.set('vault', { ...copy, text: copy.text.slice(0, cut) })
      const later = places.start()
      await later.unlock(key.dataKey)
      expect(await later.overview()).toEqual(overview)
      expect(places.local.items.get('vault')).toEqual(copy)
      expect(places.local.items.get('vault.damaged')).toEqual({ ...copy, text: copy.text.slice(0, cut) })
      await later.lock()
    }
  })
})

describe('damaged vault', () => {
  it('distinguishes damage from a wrong password and never replaces the vault', async () => {
    await vault.importPhrase(key, known)
    places.backup.stored = undefined
    places.local.items.set('vault', { text: '', length: 0, sha256: await sha256('') })
    expect(await vault.status()).toBe('unlocked')
    const damaged = { code: 'vault-damaged' }
    await expect(vault.passwordWrap()).rejects.toMatchObject(damaged)
    await expect(vault.unlock(key.dataKey)).rejects.toMatchObject(damaged)
    await expect(vault.reveal(key.dataKey)).rejects.toMatchObject(damaged)
    await expect(vault.create(key, fresh)).rejects.toMatchObject(damaged)
    await vault.lock()
    expect(await vault.status()).toBe('locked')
  })

  it('detects any flipped bit in the stored records', async () => {
    await vault.importPhrase(key, known)
    places.backup.stored = undefined
    const whole = photograph(places)
    await fc.assert(
      fc.asyncProperty(flips, async ({ record, bit }) => {
        whole()
        const copy = places.local.items.get(record) as Written
        places.local.items.set(record, { ...copy, text: flip(copy.text, bit) })
        await expect(vault.unlock(key.dataKey)).rejects.toMatchObject({ code: 'vault-damaged' })
      }),
      { numRuns: runs(500, 5_000) },
    )
    figure('6', `${runs(500, 5_000)} bits of what is stored flipped: each found, 0 open`)
  })

  it('rejects a flipped bit even when length and hash were adjusted', async () => {
    await vault.importPhrase(key, known)
    places.backup.stored = undefined
    const whole = photograph(places)
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (bit) => {
        whole()
        const text = flip((places.local.items.get('vault') as Written).text, bit)
        places.local.items.set('vault', { text, length: text.length, sha256: await sha256(text) })
        places.local.items.delete('wrongPasswords')
        const refused = { code: expect.stringMatching(/^(vault-damaged|vault-newer|wrong-password)$/) }
        await expect(vault.unlock(key.dataKey)).rejects.toMatchObject(refused)
      }),
      { numRuns: runs(500, 5_000) },
    )
  })

  it('rejects any value in place of the records as damaged', async () => {
    const there = fc.anything().filter((value) => value !== undefined)
    await fc.assert(
      fc.asyncProperty(there, there, fc.anything(), async (vaultItem, wrapItem, stored) => {
        const { local, backup, start } = createPlaces()
        local.get = async (name) => (name === 'vault' ? vaultItem : wrapItem)
        backup.stored = undefined
        backup.read = async () => stored
        const strange = start()
        expect(await strange.status()).toBe('locked')
        await expect(strange.unlock(key.dataKey)).rejects.toMatchObject({ code: 'vault-damaged' })
      }),
      { numRuns: 500 },
    )
  })
})

const flips = fc.record({ record: fc.constantFrom('vault', 'wrap.pw'), bit: fc.nat() })

/** Flips one of seven ASCII bits. */
function flip(text: string, bit: number): string {
  const at = Math.floor(bit / 7) % text.length
  const char = String.fromCharCode(text.charCodeAt(at) ^ (1 << (bit % 7)))
  return text.slice(0, at) + char + text.slice(at + 1)
}
