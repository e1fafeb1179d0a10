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

describe('a place without a vault', () => {
  it('says so', async () => {
    expect(await vault.status()).toBe('none')
    await expect(vault.passwordWrap()).rejects.toMatchObject({ code: 'no-vault' })
    await expect(vault.unlock(key.dataKey)).rejects.toMatchObject({ code: 'no-vault' })
    await expect(vault.accounts()).rejects.toMatchObject({ code: 'locked' })
  })
})

describe('creating', () => {
  it('opens the vault with one account, not yet backed up', async () => {
    await vault.create(key, fresh)
    expect(await vault.status()).toBe('unlocked')
    expect(await isBackedUp(vault)).toBe(false)
    expect(await vault.accounts()).toEqual([
      { address: expect.stringMatching(/^0x[0-9a-f]{40}$/), name: 'Account 1' },
    ])
  })

  it('refuses secrets and keys that are none', async () => {
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

  it('never overwrites a vault, open or locked', async () => {
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

  it('lets one of two at the same moment win', async () => {
    const other = await createKey('quite another password')
    const both = await Promise.allSettled([vault.create(key, fresh), vault.create(other, known)])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(both[1]).toMatchObject({ reason: { code: 'vault-exists' } })
    expect(await vault.reveal(key.dataKey)).toBe(fresh.entropy)
  })
})

describe('importing', () => {
  it('finds the account of a known phrase, and counts it as backed up', async () => {
    await vault.importPhrase(key, known)
    expect(await vault.accounts()).toEqual([{ address: junkAddress, name: 'Account 1' }])
    expect(await isBackedUp(vault)).toBe(true)
    expect(await vault.reveal(key.dataKey)).toBe(known.entropy)
  })

  it('takes phrases of all five lengths', async () => {
    for (const words of [12, 15, 18, 21, 24]) {
      const entropy = `0x${'7f'.repeat((words / 3) * 4)}` as const
      const secret = await readPhrase(await showPhrase(entropy))
      const one = createPlaces().start()
      await one.importPhrase(key, secret)
      expect(await one.reveal(key.dataKey)).toBe(entropy)
    }
  })
})

describe('unlocking', () => {
  it('takes the data key that the password gives', async () => {
    const secret = await newSecret(24)
    await vault.create(key, secret)
    await vault.lock()
    expect(await vault.status()).toBe('locked')
    await vault.unlock(await unwrapKey(await vault.passwordWrap(), password))
    expect(await vault.status()).toBe('unlocked')
    expect(await vault.reveal(key.dataKey)).toBe(secret.entropy)
  })

  it('refuses another key, and text that is none', async () => {
    await vault.create(key, fresh)
    await vault.lock()
    const { dataKey } = await createKey('quite another password')
    await expect(vault.unlock(dataKey)).rejects.toMatchObject({ code: 'wrong-password' })
    await expect(vault.unlock('not a key')).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await vault.status()).toBe('locked')
    expect(places.session.items.size).toBe(0)
  })

  it('may be asked for by many windows at once', async () => {
    await vault.create(key, fresh)
    await vault.lock()
    await Promise.all(Array.from({ length: 50 }, () => vault.unlock(key.dataKey)))
    expect(await vault.status()).toBe('unlocked')
  })

  it('lasts over a restart of the worker, and not over one of the browser', async () => {
    await vault.importPhrase(key, known)
    expect(await places.start().withKey(junkAddress, async (privateKey) => privateKey)).toBe(junkKey)
    places.session.items.clear()
    const later = places.start()
    expect(await later.status()).toBe('locked')
    await expect(later.withKey(junkAddress, async () => 1)).rejects.toMatchObject({ code: 'locked' })
  })
})

describe('a locked vault', () => {
  it('gives away nothing but its password lock', async () => {
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

  it('leaves nothing in the session', async () => {
    await vault.create(key, fresh)
    await vault.lock()
    expect(places.session.items.size).toBe(0)
  })
})

describe('an open vault', () => {
  it('keeps the data key, the deadline and the last time seen in the session, and nothing else', async () => {
    await vault.importPhrase(key, known)
    await vault.accounts()
    expect([...places.session.items]).toEqual([
      ['unlocked', { dataKey: key.dataKey, deadline: places.clock.ms + 15 * 60_000, seen: places.clock.ms }],
    ])
  })

  it('writes no secret where it would outlive the browser', async () => {
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

  it('writes under a new IV each time', async () => {
    await vault.create(key, fresh)
    const sealed = () => JSON.parse((places.local.items.get('vault') as { text: string }).text)
    const first = sealed()
    await vault.confirmBackup()
    expect(sealed().iv).not.toBe(first.iv)
    expect(sealed().vaultId).toBe(first.vaultId)
  })

  it('remembers that its phrase was written down', async () => {
    await vault.create(key, fresh)
    await vault.confirmBackup()
    expect(await isBackedUp(places.start())).toBe(true)
  })

  it('reveals the phrase to whoever has the data key, and to nobody else', async () => {
    const secret = await newSecret(12)
    await vault.create(key, secret)
    const { dataKey } = await createKey('quite another password')
    await expect(vault.reveal(dataKey)).rejects.toMatchObject({ code: 'wrong-password' })
    await expect(vault.reveal('')).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await vault.reveal(key.dataKey)).toBe(secret.entropy)
  })

  it('lends the private key of its own account only', async () => {
    await vault.importPhrase(key, known)
    expect(await vault.withKey(junkAddress, async (privateKey) => privateKey)).toBe(junkKey)
    const shouted = junkAddress.toUpperCase().replace('0X', '0x') as typeof junkAddress
    const address = await vault.withKey(shouted, async (privateKey) => privateKeyToAddress(privateKey))
    expect(address.toLowerCase()).toBe(junkAddress)
    const stranger = `0x${'12'.repeat(20)}` as const
    await expect(vault.withKey(stranger, async () => 1)).rejects.toMatchObject({ code: 'invalid-input' })
  })

  it('passes on what the borrower of a key throws', async () => {
    await vault.importPhrase(key, known)
    const refused = vault.withKey(junkAddress, async () => {
      throw new RangeError('no')
    })
    await expect(refused).rejects.toThrow(RangeError)
  })

  it('lends no key when it was locked while the key was being derived', async () => {
    await vault.importPhrase(key, known)
    const lent = vault.withKey(junkAddress, async () => 'lent')
    await vault.lock()
    await expect(lent).rejects.toMatchObject({ code: 'locked' })
  })
})

describe('adding an account', () => {
  const second = { address: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', name: 'Account 2' } as const
  const third = { address: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc', name: 'Account 3' } as const

  it('derives the next one of the seed, and lends its key', async () => {
    await vault.importPhrase(key, known)
    expect(await vault.addAccount()).toMatchObject(second)
    expect(await vault.addAccount()).toMatchObject(third)
    const own = [{ address: junkAddress, name: 'Account 1' }, second, third]
    expect(await vault.accounts()).toEqual(own)
    const address = await vault.withKey(third.address, async (privateKey) => privateKeyToAddress(privateKey))
    expect(address.toLowerCase()).toBe(third.address)
  })

  it('writes it where a later worker, and the backup copy, have it', async () => {
    await vault.importPhrase(key, known)
    await vault.addAccount()
    expect((await places.start().accounts())[1]).toEqual(second)
    places.local.items.clear()
    const restored = places.start()
    await restored.unlock(key.dataKey)
    expect((await restored.accounts())[1]).toEqual(second)
    expect(await restored.reveal(key.dataKey)).toBe(known.entropy)
  })

  it('gives each its own when many windows ask at once, and loses nothing else that changes', async () => {
    await vault.create(key, fresh)
    const asked = Array.from({ length: 5 }, () => vault.addAccount())
    const [added] = await Promise.all([Promise.all(asked), vault.confirmBackup()])
    expect(added.map(({ name }) => name)).toEqual([2, 3, 4, 5, 6].map((number) => `Account ${number}`))
    expect(new Set(added.map(({ address }) => address)).size).toBe(5)
    expect((await vault.overview()).accounts.slice(1)).toMatchObject(added)
    expect(await isBackedUp(vault)).toBe(true)
  })

  it('answers none that was not written', async () => {
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

describe('changing the password lock', () => {
  it('lets the new password in and the old one no more', async () => {
    const secret = await newSecret(12)
    await vault.create(key, secret)
    await vault.rewrap(await wrapKey('a new password', key.dataKey, key.wrap.vaultId))
    const wrap = await places.start().passwordWrap()
    await expect(unwrapKey(wrap, password)).rejects.toMatchObject({ code: 'wrong-password' })
    expect(await vault.reveal(await unwrapKey(wrap, 'a new password'))).toBe(secret.entropy)
  })

  it('refuses a lock on another data key or for another vault', async () => {
    await vault.create(key, fresh)
    const stranger = await createKey('a new password')
    await expect(vault.rewrap(stranger)).rejects.toMatchObject({ code: 'wrong-password' })
    const misplaced = await wrapKey('a new password', key.dataKey, stranger.wrap.vaultId)
    await expect(vault.rewrap(misplaced)).rejects.toMatchObject({ code: 'invalid-input' })
    expect(await vault.passwordWrap()).toEqual(key.wrap)
  })
})
