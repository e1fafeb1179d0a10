import { privateKeyToAddress } from 'viem/accounts'
import { beforeEach, describe, expect, it } from 'vitest'
import { createKey, unwrapKey, wrapKey } from '../../src/vault/password.ts'
import type { NewKey, Secret } from '../../src/vault/storage/records.ts'
import type { Vault } from '../../src/vault/vault.ts'
import { newSecret, readPhrase, showPhrase } from '../../src/vault/words/phrase.ts'
import { createPlaces, isBackedUp, type Places, password, someKey } from '../helpers/vault/fakeStorage.ts'

const junk = 'test test test test test test test test test test test junk'
const known = await readPhrase(junk)
const fresh = await newSecret(12)
const junkAddress = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const junkKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

let places: Places
let vault: Vault
let key: NewKey

beforeEach(async () => {
  places = createPlaces()
  vault = places.start()
  key = await someKey()
})

describe('missing vault', () => {
  it('reports that there is no vault', async () => {
    expect(await vault.status()).toBe('none')
    await expect(vault.passwordWrap()).rejects.toMatchObject({ code: 'no-vault' })
    await expect(vault.unlock(key.dataKey)).rejects.toMatchObject({ code: 'no-vault' })
    await expect(vault.accounts()).rejects.toMatchObject({ code: 'locked' })
  })
})

describe('create', () => {
  it('opens a vault with one account that is not backed up', async () => {
    await vault.create(key, fresh)
    expect(await vault.status()).toBe('unlocked')
    expect(await isBackedUp(vault)).toBe(false)
    expect(await vault.accounts()).toEqual([
      { address: expect.stringMatching(/^0x[0-9a-f]{40}$/), name: 'Account 1' },
    ])
  })

  it('rejects invalid secrets and keys', async () => {
    const { entropy, seed } = fresh
    for (const bad of [
      undefined,
      {},
      { entropy },
      { entropy: `${entropy}00`, seed },
      { entropy: entropy.slice(0, -8), seed },
      { entropy: `0x${'11'.repeat(36)}`, seed },
      { entropy, seed: seed.slice(0, -2) },
      { entropy: entropy.slice(2), seed },
      { entropy, seed, more: 1 },
    ]) {
      for (const make of [vault.create, vault.importPhrase]) {
        await expect(make(key, bad as Secret)).rejects.toMatchObject({ code: 'invalid-input' })
      }
    }
    for (const bad of [
      undefined,
      {},
      { ...key, dataKey: 'x' },
      { ...key, wrap: { ...key.wrap, version: 2 } },
    ]) {
      await expect(vault.create(bad as NewKey, fresh)).rejects.toMatchObject({ code: 'invalid-input' })
    }
    expect(await vault.status()).toBe('none')
  })

  it('never overwrites an open or locked vault', async () => {
    const secret = await newSecret(12)
    await vault.create(key, secret)
    const other = await createKey('quite another password')
    const refused = { code: 'vault-exists' }
    await expect(vault.create(other, fresh)).rejects.toMatchObject(refused)
    await vault.lock()
    await expect(vault.create(other, fresh)).rejects.toMatchObject(refused)
    await expect(vault.importPhrase(other, known)).rejects.toMatchObject(refused)
    await vault.unlock(key.dataKey)
    expect(await vault.reveal(key.dataKey)).toBe(secret.entropy)
  })

  it('lets only the first of two concurrent calls succeed', async () => {
    const other = await createKey('quite another password')
    const both = await Promise.allSettled([vault.create(key, fresh), vault.create(other, known)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(both[1]).toMatchObject({ reason: { code: 'vault-exists' } })
    expect(await vault.reveal(key.dataKey)).toBe(fresh.entropy)
  })
})

describe('importPhrase', () => {
  it('derives the account of a known phrase and marks it as backed up', async () => {
    await vault.importPhrase(key, known)
    expect(await vault.accounts()).toEqual([{ address: junkAddress, name: 'Account 1' }])
    expect(await isBackedUp(vault)).toBe(true)
    expect(await vault.reveal(key.dataKey)).toBe(known.entropy)
  })

  it('accepts phrases of all five lengths', async () => {
    for (const words of [12, 15, 18, 21, 24]) {
      const entropy = `0x${'7f'.repeat((words / 3) * 4)}` as const
      const secret = await readPhrase(await showPhrase(entropy))
      const one = createPlaces().start()
      await one.importPhrase(key, secret)
      expect(await one.reveal(key.dataKey)).toBe(entropy)
    }
  })
})

describe('unlock', () => {
  it('accepts the data key that the password unwraps', async () => {
    const secret = await newSecret(24)
    await vault.create(key, secret)
    await vault.lock()
    expect(await vault.status()).toBe('locked')
    await vault.unlock(await unwrapKey(await vault.passwordWrap(), password))
    expect(await vault.status()).toBe('unlocked')
    expect(await vault.reveal(key.dataKey)).toBe(secret.entropy)
  })

  it('rejects another key, and text that is not a key', async () => {
    await vault.create(key, fresh)
    await vault.lock()
    const { dataKey } = await createKey('quite another password')
    await expect(vault.unlock(dataKey)).rejects.toMatchObject({ code: 'wrong-password' })
    await expect(vault.unlock('not a key')).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await vault.status()).toBe('locked')
    expect(places.session.items.size).toBe(0)
  })

  it('accepts many concurrent calls', async () => {
    await vault.create(key, fresh)
    await vault.lock()
    await Promise.all(Array.from({ length: 50 }, () => vault.unlock(key.dataKey)))
    expect(await vault.status()).toBe('unlocked')
  })

  it('survives a restart of the worker, but not of the browser', async () => {
    await vault.importPhrase(key, known)
    expect(await places.start().withKey(junkAddress, async (privateKey) => privateKey)).toBe(junkKey)
    places.session.items.clear()
    const later = places.start()
    expect(await later.status()).toBe('locked')
    await expect(later.withKey(junkAddress, async () => 1)).rejects.toMatchObject({ code: 'locked' })
  })
})

describe('locked vault', () => {
  it('returns only its wrapped key', async () => {
    await vault.importPhrase(key, known)
    await vault.lock()
    const locked = { code: 'locked' }
    await expect(vault.accounts()).rejects.toMatchObject(locked)
    await expect(vault.overview()).rejects.toMatchObject(locked)
    await expect(vault.reveal(key.dataKey)).rejects.toMatchObject(locked)
    await expect(vault.confirmBackup()).rejects.toMatchObject(locked)
    await expect(vault.addAccount()).rejects.toMatchObject(locked)
    await expect(vault.rewrap(key)).rejects.toMatchObject(locked)
    await expect(vault.withKey(junkAddress, async () => 1)).rejects.toMatchObject(locked)
    expect(await vault.passwordWrap()).toEqual(key.wrap)
  })

  it('leaves nothing in session storage', async () => {
    await vault.create(key, fresh)
    await vault.lock()
    expect(places.session.items.size).toBe(0)
  })
})

describe('open vault', () => {
  it('keeps only the data key, the deadline and the last time seen in session storage', async () => {
    await vault.importPhrase(key, known)
    await vault.accounts()
    expect([...places.session.items]).toEqual([
      ['unlocked', { dataKey: key.dataKey, deadline: places.clock.ms + 15 * 60_000, seen: places.clock.ms }],
    ])
  })

  it('writes no secret to storage that outlives the browser', async () => {
    await vault.importPhrase(key, known)
    const written = JSON.stringify([[...places.local.items], places.backup.stored])
    const seed = Buffer.from(junkKey.slice(2), 'hex')
    for (const secret of [
      junk,
      'junk',
      known.entropy.slice(2),
      known.seed.slice(2),
      junkKey.slice(2),
      seed.toString('base64'),
      key.dataKey,
      password,
    ]) {
      expect(written).not.toContain(secret)
    }
    expect(written).not.toContain(junkAddress.slice(2))
  })

  it('uses a new IV for each write', async () => {
    await vault.create(key, fresh)
    const sealed = () => JSON.parse((places.local.items.get('vault') as { text: string }).text)
    const first = sealed()
    await vault.confirmBackup()
    expect(sealed().iv).not.toBe(first.iv)
    expect(sealed().vaultId).toBe(first.vaultId)
  })

  it('stores the backup confirmation of its phrase', async () => {
    await vault.create(key, fresh)
    await vault.confirmBackup()
    expect(await isBackedUp(places.start())).toBe(true)
  })

  it('reveals the phrase only for the right data key', async () => {
    const secret = await newSecret(12)
    await vault.create(key, secret)
    const { dataKey } = await createKey('quite another password')
    await expect(vault.reveal(dataKey)).rejects.toMatchObject({ code: 'wrong-password' })
    await expect(vault.reveal('')).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await vault.reveal(key.dataKey)).toBe(secret.entropy)
  })

  it('passes private keys of its own accounts only', async () => {
    await vault.importPhrase(key, known)
    expect(await vault.withKey(junkAddress, async (privateKey) => privateKey)).toBe(junkKey)
    const shouted = junkAddress.toUpperCase().replace('0X', '0x') as typeof junkAddress
    const address = await vault.withKey(shouted, async (privateKey) => privateKeyToAddress(privateKey))
    expect(address.toLowerCase()).toBe(junkAddress)
    const stranger = `0x${'12'.repeat(20)}` as const
    await expect(vault.withKey(stranger, async () => 1)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('rethrows an error of the callback that uses the key', async () => {
    await vault.importPhrase(key, known)
    const refused = vault.withKey(junkAddress, async () => {
      throw new RangeError('no')
    })
    await expect(refused).rejects.toThrow(RangeError)
  })

  it('rejects withKey when the vault is locked while the key is derived', async () => {
    await vault.importPhrase(key, known)
    const lent = vault.withKey(junkAddress, async () => 'lent')
    await vault.lock()
    await expect(lent).rejects.toMatchObject({ code: 'locked' })
  })
})

describe('addAccount', () => {
  const second = { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', name: 'Account 2' } as const
  const third = { address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc', name: 'Account 3' } as const

  it('derives the next account of the seed, whose key can be used', async () => {
    await vault.importPhrase(key, known)
    expect(await vault.addAccount()).toMatchObject(second)
    expect(await vault.addAccount()).toMatchObject(third)
    const own = [{ address: junkAddress, name: 'Account 1' }, second, third]
    expect(await vault.accounts()).toEqual(own)
    const address = await vault.withKey(third.address, async (privateKey) => privateKeyToAddress(privateKey))
    expect(address.toLowerCase()).toBe(third.address)
  })

  it('stores the account for a later worker and in the backup copy', async () => {
    await vault.importPhrase(key, known)
    await vault.addAccount()
    expect((await places.start().accounts())[1]).toEqual(second)
    places.local.items.clear()
    const restored = places.start()
    await restored.unlock(key.dataKey)
    expect((await restored.accounts())[1]).toEqual(second)
    expect(await restored.reveal(key.dataKey)).toBe(known.entropy)
  })

  it('adds distinct accounts under concurrent calls and loses no other change', async () => {
    await vault.create(key, fresh)
    const asked = Array.from({ length: 5 }, () => vault.addAccount())
    const [added] = await Promise.all([Promise.all(asked), vault.confirmBackup()])
    expect(added.map(({ name }) => name)).toEqual([2, 3, 4, 5, 6].map((number) => `Account ${number}`))
    expect(new Set(added.map(({ address }) => address)).size).toBe(5)
    expect((await vault.overview()).accounts.slice(1)).toMatchObject(added)
    expect(await isBackedUp(vault)).toBe(true)
  })

  it('adds no account when the write fails', async () => {
    await vault.importPhrase(key, known)
    places.local.gate = (operation) => {
      if (operation === 'set') throw new Error('disk full')
    }
    await expect(vault.addAccount()).rejects.toMatchObject({ code: 'storage-failed' })
    places.local.gate = () => undefined
    expect(await vault.accounts()).toHaveLength(1)
    expect(await vault.addAccount()).toMatchObject(second)
  })
})

describe('rewrap', () => {
  it('accepts the new password and rejects the old one', async () => {
    const secret = await newSecret(12)
    await vault.create(key, secret)
    await vault.rewrap(await wrapKey('a new password', key.dataKey, key.wrap.vaultId))
    const wrap = await places.start().passwordWrap()
    await expect(unwrapKey(wrap, password)).rejects.toMatchObject({ code: 'wrong-password' })
    expect(await vault.reveal(await unwrapKey(wrap, 'a new password'))).toBe(secret.entropy)
  })

  it('rejects a wrapped key of another data key or another vault', async () => {
    await vault.create(key, fresh)
    const stranger = await createKey('a new password')
    await expect(vault.rewrap(stranger)).rejects.toMatchObject({ code: 'wrong-password' })
    const misplaced = await wrapKey('a new password', key.dataKey, stranger.wrap.vaultId)
    await expect(vault.rewrap(misplaced)).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await vault.passwordWrap()).toEqual(key.wrap)
  })
})
