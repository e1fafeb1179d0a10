import { privateKeyToAddress } from 'viem/accounts'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Hex } from '../../src/vault/bytes.ts'
import type { NewKey, Secret } from '../../src/vault/storage/records.ts'
import type { Vault } from '../../src/vault/vault.ts'
import { newSecret, readPhrase, showPhrase } from '../../src/vault/words/phrase.ts'
import { createPlaces, isBackedUp, type Places, someKey } from '../helpers/vault/fakeStorage.ts'

const known = await readPhrase('test test test test test test test test test test test junk')
const other = await readPhrase('legal winner thank year wave sausage worth useful legal winner thank yellow')
// Of `known`.
const keys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
] as const
const own = keys.map((key) => privateKeyToAddress(key).toLowerCase() as Hex)
const lone = `0x${'11'.repeat(32)}` as const
const loneAddress = privateKeyToAddress(lone).toLowerCase() as Hex
const stranger = `0x${'ab'.repeat(20)}` as const
const refused = { code: 'invalid-input' }
const refusedAs = (why: string) => ({ ...refused, facts: { why } })

let places: Places
let vault: Vault
let key: NewKey

beforeEach(async () => {
  places = createPlaces()
  vault = places.start()
  key = await someKey()
  await vault.importPhrase(key, known)
})

/** As a later worker reads them. */
const all = async () => (await places.start().overview()).accounts
const addresses = async () => (await all()).map(({ address }) => address)
const signs = (address: Hex) => vault.withKey(address, async (privateKey) => privateKey)

describe('additional recovery phrases', () => {
  it('adds a phrase with its first account, and derives and reveals it separately', async () => {
    const added = await vault.addPhrase(other)
    const [first, second] = (await vault.overview()).seeds
    expect(first!.id).not.toBe(second!.id)
    expect(added).toMatchObject({ name: 'Account 2', secret: second!.id, path: "m/44'/60'/0'/0/0" })
    const next = await vault.addAccount(second!.id)
    expect(next).toMatchObject({ secret: second!.id, path: "m/44'/60'/0'/0/1" })
    expect(await vault.addAccount(first!.id)).toMatchObject({ address: own[1] })
    expect(await vault.addAccount()).toMatchObject({ address: own[2] })
    expect(await vault.reveal(key.dataKey, second!.id)).toBe(other.entropy)
    expect(await vault.reveal(key.dataKey, first!.id)).toBe(known.entropy)
    expect(await vault.reveal(key.dataKey)).toBe(known.entropy)
    expect(await signs(own[1]!)).toBe(keys[1])
    expect(privateKeyToAddress(await signs(next.address)).toLowerCase()).toBe(next.address)
  })

  it('tracks the backup of each phrase separately', async () => {
    const drawn = await newSecret(24)
    await vault.addSeed(drawn)
    const [first, second] = (await vault.overview()).seeds
    expect([first!.backedUp, second!.backedUp]).toEqual([true, false])
    expect(await isBackedUp(vault)).toBe(false)
    await vault.confirmBackup(second!.id)
    expect(await isBackedUp(places.start())).toBe(true)
    expect((await showPhrase(await vault.reveal(key.dataKey, second!.id))).split(' ')).toHaveLength(24)
  })

  it('rejects a phrase that is already present or invalid', async () => {
    await expect(vault.addPhrase(known)).rejects.toMatchObject(refusedAs('known-account'))
    await expect(vault.addSeed(known)).rejects.toMatchObject(refusedAs('known-account'))
    for (const bad of [undefined, {}, { ...other, seed: '0x' }, { ...other, more: 1 }]) {
      await expect(vault.addPhrase(bad as Secret)).rejects.toMatchObject(refused)
    }
    expect(await addresses()).toEqual([own[0]])
  })

  it('rejects an unknown phrase id', async () => {
    for (const ask of [
      () => vault.addAccount('0xno such'),
      () => vault.confirmBackup('0xno such'),
      () => vault.reveal(key.dataKey, '0xno such'),
      () => vault.removeSeed('0xno such'),
    ]) {
      await expect(ask()).rejects.toMatchObject(refused)
    }
  })
})

describe('imported private keys', () => {
  it('signs and reveals an imported key, and adds no phrase to back up', async () => {
    const added = await vault.addKey(lone)
    expect(added).toMatchObject({ address: loneAddress, name: 'Account 2' })
    expect((await all())[1]).toMatchObject({ kind: 'key', isHidden: false })
    expect(await signs(loneAddress)).toBe(lone)
    expect(await vault.revealKey(key.dataKey, loneAddress)).toBe(lone)
    expect(await vault.revealKey(key.dataKey, own[0]!)).toBe(keys[0])
    expect((await vault.overview()).seeds).toHaveLength(1)
  })

  it('rejects a key that the vault already has, imported or derived', async () => {
    await vault.addKey(lone)
    await expect(vault.addKey(lone)).rejects.toMatchObject(refused)
    await expect(vault.addKey(keys[0])).rejects.toMatchObject(refused)
    expect(await addresses()).toEqual([own[0], loneAddress])
  })

  it('rejects an invalid private key', async () => {
    const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
    for (const bad of [
      `0x${'0'.repeat(64)}`,
      `0x${order}`,
      `0x${'f'.repeat(64)}`,
      '0x11',
      lone.slice(2),
      7,
    ]) {
      await expect(vault.addKey(bad as Hex)).rejects.toMatchObject(refused)
    }
    expect(await addresses()).toEqual([own[0]])
  })

  it('skips an imported key when the next account of the phrase is derived', async () => {
    await vault.addKey(keys[1])
    expect(await vault.addAccount()).toMatchObject({ address: own[2] })
    await vault.removeAccount(own[1]!)
    expect(await vault.addAccount()).toMatchObject({ address: own[1], path: "m/44'/60'/0'/0/1" })
    expect(await signs(own[1]!)).toBe(keys[1])
  })
})

describe('watch-only accounts', () => {
  it('lists a watch-only account, which neither signs nor reveals a key', async () => {
    await vault.addWatched(stranger)
    expect((await all())[1]).toMatchObject({ address: stranger, kind: 'watched', name: 'Account 2' })
    const watchOnly = { code: 'watch-only' }
    await expect(signs(stranger)).rejects.toMatchObject(watchOnly)
    await expect(vault.requireKey(stranger)).rejects.toMatchObject(watchOnly)
    await expect(vault.revealKey(key.dataKey, stranger)).rejects.toMatchObject(watchOnly)
    await vault.requireKey(own[0]!)
    expect((await vault.accounts()).map(({ address }) => address)).toEqual([own[0]])
  })

  it('rejects an address that is already present or invalid', async () => {
    await vault.addWatched(stranger)
    for (const bad of [stranger, own[0]!, stranger.toUpperCase(), '0x12', stranger.slice(2), undefined]) {
      await expect(vault.addWatched(bad as Hex)).rejects.toMatchObject(refused)
    }
    expect(await addresses()).toEqual([own[0], stranger])
  })

  it('keeps the position and name of a watch-only account when its key is added or derived', async () => {
    await vault.addWatched(loneAddress)
    await vault.addWatched(own[1]!)
    await vault.addWatched(stranger)
    await vault.changeAccount(loneAddress, { name: 'Savings', isHidden: true })
    await vault.addKey(lone)
    await vault.addAccount()
    expect(await all()).toMatchObject([
      { address: own[0] },
      { address: loneAddress, name: 'Savings', kind: 'key', isHidden: false },
      { address: own[1], name: 'Account 3', kind: 'seed', path: "m/44'/60'/0'/0/1" },
      { address: stranger, kind: 'watched' },
    ])
    expect(await signs(loneAddress)).toBe(lone)
    expect(await signs(own[1]!)).toBe(keys[1])
  })
})

describe('account settings', () => {
  it('trims and stores the name of an account, and rejects an empty one', async () => {
    await vault.changeAccount(own[0]!, { name: '  Großmutters Notgroschen 🪙 ' })
    expect((await vault.accounts())[0]!.name).toBe('Großmutters Notgroschen 🪙')
    await expect(vault.changeAccount(own[0]!, { name: ' ' })).rejects.toMatchObject(refused)
    await expect(vault.changeAccount(stranger, { name: 'Me' })).rejects.toMatchObject(refused)
  })

  it('chooses a default name that no other account has', async () => {
    await vault.addAccount()
    await vault.changeAccount(own[0]!, { name: 'Account 3' })
    expect(await vault.addAccount()).toMatchObject({ name: 'Account 4' })
  })

  it('hides an account from sites while it can still sign, and shows it again', async () => {
    await vault.addAccount()
    await vault.changeAccount(own[0]!, { isHidden: true })
    expect((await vault.accounts()).map(({ address }) => address)).toEqual([own[1]])
    expect((await all())[0]).toMatchObject({ address: own[0], isHidden: true, name: 'Account 1' })
    expect(await signs(own[0]!)).toBe(keys[0])
    await vault.changeAccount(own[0]!, { isHidden: false })
    expect((await vault.accounts()).map(({ address }) => address)).toEqual([own[0], own[1]])
  })

  it('rejects hiding or removing the last visible account', async () => {
    await expect(vault.changeAccount(own[0]!, { isHidden: true })).rejects.toMatchObject(refused)
    await vault.addWatched(stranger)
    await vault.changeAccount(own[0]!, { isHidden: true })
    await expect(vault.changeAccount(stranger, { isHidden: true })).rejects.toMatchObject(refused)
    await expect(vault.removeAccount(stranger)).rejects.toMatchObject(refused)
    expect((await all()).map(({ isHidden }) => isHidden)).toEqual([true, false])
  })

  it('finds an account in any letter case', async () => {
    await vault.changeAccount(own[0]!.toUpperCase() as Hex, { name: 'Me' })
    expect((await vault.accounts())[0]!.name).toBe('Me')
  })

  it('stores the order of the accounts and rejects an incomplete one', async () => {
    await vault.addAccount()
    await vault.addWatched(stranger)
    await vault.changeAccount(own[0]!, { isHidden: true })
    await vault.orderAccounts([stranger, own[1]!, own[0]!])
    expect(await addresses()).toEqual([stranger, own[1], own[0]])
    for (const bad of [
      [],
      [stranger, own[1]!],
      [stranger, own[1]!, own[1]!],
      [stranger, own[1]!, own[0]!, own[2]!],
      [stranger, own[1]!, own[2]!],
    ]) {
      await expect(vault.orderAccounts(bad)).rejects.toMatchObject(refused)
    }
    expect(await addresses()).toEqual([stranger, own[1], own[0]])
  })
})

describe('removal', () => {
  it('removes an imported key with its account', async () => {
    await vault.addKey(lone)
    await vault.removeAccount(loneAddress)
    expect(await addresses()).toEqual([own[0]])
    await expect(signs(loneAddress)).rejects.toMatchObject(refused)
    await vault.addKey(lone)
    expect(await signs(loneAddress)).toBe(lone)
  })

  it('keeps one account per phrase and derives a removed one again as the next', async () => {
    await vault.addAccount()
    await vault.addWatched(stranger)
    await vault.removeAccount(own[0]!)
    expect(await addresses()).toEqual([own[1], stranger])
    await expect(vault.removeAccount(own[1]!)).rejects.toMatchObject(refused)
    expect(await vault.addAccount()).toMatchObject({ address: own[0] })
    expect(await vault.reveal(key.dataKey)).toBe(known.entropy)
  })

  it('removes a phrase with all its accounts', async () => {
    await vault.addAccount()
    await vault.addPhrase(other)
    const [first, second] = (await vault.overview()).seeds
    await vault.removeSeed(first!.id)
    expect((await all()).every(({ secret }) => secret === second!.id)).toBe(true)
    expect(await vault.reveal(key.dataKey)).toBe(other.entropy)
    await expect(vault.reveal(key.dataKey, first!.id)).rejects.toMatchObject(refused)
    await expect(vault.removeSeed(second!.id)).rejects.toMatchObject(refused)
  })

  it('rejects removing the last account', async () => {
    await expect(vault.removeAccount(own[0]!)).rejects.toMatchObject(refused)
    expect(await addresses()).toEqual([own[0]])
  })
})

describe('first import', () => {
  it('creates a vault with an imported key alone and no phrase', async () => {
    const places = createPlaces()
    const one = places.start()
    await one.importKey(key, lone)
    expect(await one.overview()).toMatchObject({
      accounts: [{ address: loneAddress, kind: 'key' }],
      seeds: [],
    })
    expect(await one.withKey(loneAddress, async (privateKey) => privateKey)).toBe(lone)
    await expect(one.addAccount()).rejects.toMatchObject(refused)
    await expect(one.reveal(key.dataKey)).rejects.toMatchObject(refused)
  })

  it('accepts the key of a vault that began with a watch-only account', async () => {
    const one = createPlaces().start()
    await one.importWatched(key, loneAddress)
    expect(await one.accounts()).toEqual([])
    await one.addKey(lone)
    expect(await one.accounts()).toEqual([{ address: loneAddress, name: 'Account 1' }])
  })

  it('rejects an invalid key or address and creates no vault', async () => {
    const one = createPlaces().start()
    await expect(one.importKey(key, '0x' as Hex)).rejects.toMatchObject(refused)
    await expect(one.importWatched(key, '0x' as Hex)).rejects.toMatchObject(refused)
    expect(await one.status()).toBe('none')
  })
})

describe('account changes', () => {
  it('rejects every change while locked and leaves the record unchanged', async () => {
    await vault.addWatched(stranger)
    const written = structuredClone(places.local.items.get('vault'))
    await vault.lock()
    const locked = { code: 'locked' }
    for (const change of [
      () => vault.addPhrase(other),
      () => vault.addSeed(other),
      () => vault.addKey(lone),
      () => vault.addWatched(loneAddress),
      () => vault.addAccount(),
      () => vault.changeAccount(own[0]!, { name: 'Me' }),
      () => vault.orderAccounts([stranger, own[0]!]),
      () => vault.removeAccount(stranger),
      () => vault.removeSeed('0x'),
      () => vault.revealKey(key.dataKey, own[0]!),
      () => vault.overview(),
      () => vault.requireKey(own[0]!),
    ]) {
      await expect(change()).rejects.toMatchObject(locked)
    }
    expect(places.local.items.get('vault')).toEqual(written)
  })

  it('loses no change when many run concurrently', async () => {
    await Promise.all([
      ...Array.from({ length: 10 }, () => vault.addAccount()),
      vault.addPhrase(other),
      vault.addKey(lone),
      vault.addWatched(stranger),
      vault.changeAccount(own[0]!, { name: 'Me' }),
    ])
    const accounts = await all()
    expect(accounts).toHaveLength(14)
    expect(new Set(accounts.map(({ address }) => address)).size).toBe(14)
    expect(new Set(accounts.map(({ name }) => name)).size).toBe(14)
    expect(accounts[0]!.name).toBe('Me')
  })

  it('rejects an account beyond 1,000', async () => {
    const { addWatchOnly: addWatched } = await import('../../src/vault/accounts.ts')
    const contents = { secrets: [], accounts: [] }
    const nth = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as const
    for (let number = 0; number < 1_000; number++) addWatched(contents, nth(number))
    expect(() => addWatched(contents, nth(1_000))).toThrow(expect.objectContaining(refusedAs('full-vault')))
    expect(() => addWatched(contents, nth(1))).toThrow(expect.objectContaining(refusedAs('known-account')))
  })
})

describe('reset', () => {
  it('clears every storage area and allows another vault', async () => {
    await vault.unlock(`${'A'.repeat(43)}=`).catch(() => undefined)
    for (const prepare of [async () => undefined, () => vault.lock()]) {
      await prepare()
      await vault.reset()
      expect(await vault.status()).toBe('none')
      expect(await places.start().status()).toBe('none')
      expect([...places.local.items.keys(), ...places.session.items.keys()]).toEqual([])
      expect(places.backup.stored).toBeUndefined()
      await vault.importPhrase(key, other)
    }
    expect(await vault.reveal(key.dataKey)).toBe(other.entropy)
  })

  it('removes a corrupted vault', async () => {
    places.local.items.set('vault', 'rotten')
    places.backup.stored = 7
    await vault.reset()
    expect(await vault.status()).toBe('none')
  })

  it('reports a storage area that fails to clear, and keeps the vault intact', async () => {
    for (const place of [places.session, places.local, places.backup]) {
      place.gate = (operation, moment) => {
        const removes = operation === 'remove' || operation === 'clear'
        if (removes && moment === 'before') throw new Error('disk')
      }
      await expect(vault.reset()).rejects.toMatchObject({ code: 'storage-failed' })
      place.gate = () => undefined
      const later = places.start()
      await later.unlock(key.dataKey)
      expect(await later.reveal(key.dataKey)).toBe(known.entropy)
    }
  })

  it('reports an area that claims to be cleared but is not', async () => {
    places.local.clear = async () => undefined
    const other = places.start()
    await expect(other.reset()).rejects.toMatchObject({ code: 'storage-failed' })
    expect(await other.status()).not.toBe('none')
  })
})
