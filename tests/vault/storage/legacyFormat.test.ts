import { beforeEach, describe, expect, it } from 'vitest'
import { toHex } from '../../../src/vault/bytes.ts'
import { unwrapKey } from '../../../src/vault/password.ts'
import { pack, unpack } from '../../../src/vault/storage/contents.ts'
import type { Copy } from '../../../src/vault/storage/store.ts'
import { unpackLegacy } from '../../../src/vault/storage/withContents.ts'
import { showPhrase } from '../../../src/vault/words/phrase.ts'
import { createPlaces, isBackedUp, type Places } from '../../helpers/vault/fakeStorage.ts'
import fixture from '../vectors/firstFormat.json'

// The first format held a single phrase.

const { created, imported, phrase, password } = fixture
const addresses = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
]
const firstKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

let places: Places

beforeEach(() => {
  places = createPlaces()
  put(created)
})

function put({ local }: typeof created): void {
  places.local.items.clear()
  for (const [key, copy] of Object.entries(local)) places.local.items.set(key, copy)
  places.backup.stored = structuredClone(local)
}

const versionOf = (copy: unknown) => JSON.parse((copy as Copy).text).version

describe('vault of the first format', () => {
  it('opens with its password and all its contents', async () => {
    const vault = places.start()
    expect(await vault.status()).toBe('locked')
    const dataKey = await unwrapKey(await vault.passwordWrap(), password)
    expect(dataKey).toBe(created.dataKey)
    await vault.unlock(dataKey)
    const { accounts, seeds } = await vault.overview()
    expect(accounts).toEqual(
      addresses.map((address, index) => ({
        address,
        name: `Account ${index + 1}`,
        isHidden: false,
        kind: 'seed',
        secret: seeds[0]!.id,
        path: `m/44'/60'/0'/0/${index}`,
      })),
    )
    expect(seeds).toEqual([{ id: expect.any(String), backedUp: false }])
    expect(await showPhrase(await vault.reveal(dataKey))).toBe(phrase)
    expect(await vault.withKey(accounts[0]!.address, async (key) => key)).toBe(firstKey)
  })

  it('rewrites the vault once in the second format at the next unlock, in both storage areas', async () => {
    let writes = 0
    places.local.gate = (operation, moment) => {
      if (
        operation === 'set' &&
        moment === 'after' &&
        places.local.items.get('vault') !== created.local.vault
      )
        writes++
    }
    const vault = places.start()
    await vault.unlock(created.dataKey)
    places.local.gate = () => undefined
    expect(writes).toBe(1)
    const written = places.local.items.get('vault')
    expect(versionOf(written)).toBe(2)
    expect(places.local.items.get('wrap.pw')).toEqual(created.local['wrap.pw'])
    expect(places.backup.stored).toEqual({ vault: written, 'wrap.pw': created.local['wrap.pw'] })
    const overview = await vault.overview()
    await vault.lock()
    await places.start().unlock(created.dataKey)
    expect(places.local.items.get('vault')).toEqual(written)
    expect(await places.start().overview()).toEqual(overview)
  })

  it('keeps the backup confirmation of its phrase', async () => {
    put(imported)
    const vault = places.start()
    await vault.unlock(imported.dataKey)
    expect(await isBackedUp(vault)).toBe(true)
    expect((await vault.accounts()).map(({ address }) => address)).toEqual(addresses.slice(0, 1))
  })

  it('opens when rewriting fails, and rewrites the vault at a later unlock', async () => {
    for (const moment of ['before', 'after'] as const) {
      put(created)
      places.local.gate = (operation, when) => {
        if (operation === 'set' && when === moment) throw new Error('disk full')
      }
      places.backup.gate = () => {
        throw new Error('disk full')
      }
      const vault = places.start()
      await vault.unlock(created.dataKey)
      expect((await vault.accounts()).map(({ address }) => address)).toEqual(addresses)
      places.local.gate = places.backup.gate = () => undefined
      await vault.unlock(created.dataKey)
      expect(versionOf(places.local.items.get('vault'))).toBe(2)
    }
  })

  it('opens after the worker was killed at any operation of the unlock that rewrites it', async () => {
    let moments = 0
    for (let nth = 1; ; nth++) {
      places = createPlaces()
      put(created)
      let count = 0
      const killed = new Promise<'killed'>((resolve) => {
        for (const place of [places.local, places.session, places.backup]) {
          place.gate = () => {
            if (++count < nth) return undefined
            resolve('killed')
            return new Promise<void>(() => undefined)
          }
        }
      })
      const outcome = await Promise.race([
        places
          .start()
          .unlock(created.dataKey)
          .then(() => 'done'),
        killed,
      ])
      for (const place of [places.local, places.session, places.backup]) place.gate = () => undefined
      const later = places.start()
      await later.unlock(created.dataKey)
      expect((await later.accounts()).map(({ address }) => address)).toEqual(addresses)
      if (outcome === 'done') break
      moments++
    }
    expect(moments).toBeGreaterThan(5)
  })

  it('keeps the id of its phrase stable across reads and the change that rewrites it', async () => {
    places.session.items.set('unlocked', {
      dataKey: created.dataKey,
      deadline: places.clock.ms + 60_000,
      seen: places.clock.ms,
    })
    const vault = places.start()
    const { id } = (await vault.overview()).seeds[0]!
    expect((await vault.overview()).seeds).toEqual([{ id, backedUp: false }])
    expect(versionOf(places.local.items.get('vault'))).toBe(1)
    await vault.confirmBackup(id)
    expect((await vault.overview()).seeds).toEqual([{ id, backedUp: true }])
    expect(versionOf(places.local.items.get('vault'))).toBe(2)
  })
})

describe('unpackLegacy', () => {
  it('reads the bytes of the first format and wipes them', () => {
    const bytes = new Uint8Array(Buffer.from(created.packed, 'hex'))
    const contents = unpackLegacy(bytes)
    expect(bytes.every((byte) => byte === 0)).toBe(true)
    const [secret] = contents.secrets
    // Length byte, 16 bytes of entropy, 64 of seed.
    expect(toHex(secret!.bytes)).toBe(`0x${created.packed.slice(2, 2 + 2 * (16 + 64))}`)
    expect(contents.accounts.map(({ address }) => address)).toEqual(addresses)
  })

  it('returns contents that survive packing in the second format', () => {
    const contents = unpackLegacy(new Uint8Array(Buffer.from(created.packed, 'hex')))
    expect(unpack(pack(contents))).toEqual(contents)
  })
})
