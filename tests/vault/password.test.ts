import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WalletError } from '../../src/errors.ts'
import { fromHex, type Hex, randomBytes, toBase64, toHex } from '../../src/vault/bytes.ts'
import { open, seal } from '../../src/vault/cipher.ts'
import {
  changePassword,
  createKey,
  currentKdf,
  needsUpgrade,
  passwordKey,
  unwrapKey,
  unwrapUnchecked,
  upgrade,
  wrapKey,
} from '../../src/vault/password.ts'
import { type NewKey, type WrappedKey, wrappedKeyHeader } from '../../src/vault/storage/records.ts'
import { figure } from '../helpers/figures.ts'
import { runs } from '../helpers/runs.ts'
import { slow } from '../helpers/slow.ts'

slow('Argon2id runs at its full cost.')

const password = 'Fünf stille Reiher'
let key: NewKey

beforeAll(async () => {
  key = await createKey(password)
})

describe('wrapped key', () => {
  it('uses Argon2id with 64 MiB, 3 passes, one lane and 32 bytes of salt', () => {
    expect(key.wrap.kdf).toEqual({
      name: 'argon2id',
      memoryKiB: 65_536,
      passes: 3,
      lanes: 1,
      salt: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(Buffer.from(key.dataKey, 'base64')).toHaveLength(32)
  })

  it('unwraps the data key with the right password only', async () => {
    expect(await unwrapKey(key.wrap, password)).toBe(key.dataKey)
    for (const wrong of ['', ' ', password.toLowerCase(), `${password} `, 'x'.repeat(10_000)]) {
      await expect(unwrapKey(key.wrap, wrong)).rejects.toMatchObject({ code: 'wrong-password' })
    }
  })

  it('accepts the password in decomposed form', async () => {
    expect(await unwrapKey(key.wrap, password.normalize('NFD'))).toBe(key.dataKey)
  })

  it('shares nothing with another wrapped key for the same password', async () => {
    const other = await createKey(password)
    expect(other.dataKey).not.toBe(key.dataKey)
    expect(other.wrap.vaultId).not.toBe(key.wrap.vaultId)
    expect(other.wrap.kdf.salt).not.toBe(key.wrap.kdf.salt)
    expect(other.wrap.iv).not.toBe(key.wrap.iv)
  })

  it('wraps the same data key with another password', async () => {
    const changed = await wrapKey('another password', key.dataKey, key.wrap.vaultId)
    expect(changed.wrap.vaultId).toBe(key.wrap.vaultId)
    expect(changed.wrap.kdf.salt).not.toBe(key.wrap.kdf.salt)
    expect(await unwrapKey(changed.wrap, 'another password')).toBe(key.dataKey)
    await expect(unwrapKey(changed.wrap, password)).rejects.toMatchObject({ code: 'wrong-password' })
  })

  it('rejects an empty password and an invalid data key', async () => {
    await expect(createKey('')).rejects.toMatchObject({ code: 'invalid-input' })
    for (const dataKey of [
      '',
      'AAAA',
      toBase64(randomBytes(31)),
      toBase64(randomBytes(33)),
      `${key.dataKey} `,
    ]) {
      const wrapped = wrapKey(password, dataKey, key.wrap.vaultId)
      await expect(wrapped).rejects.toMatchObject({ code: 'invalid-input' })
    }
  })

  it('upgrades weak parameters to the current ones with the same data key', async () => {
    const weak = await weakLock()
    expect(needsUpgrade(weak)).toBe(true)
    expect(await unwrapKey(weak, password)).toBe(key.dataKey)
    const stronger = await upgrade(weak, password, key.dataKey)
    expect(stronger?.wrap.kdf).toMatchObject({ memoryKiB: 65_536, passes: 3 })
    expect(stronger?.wrap.vaultId).toBe(weak.vaultId)
    expect(await unwrapKey(stronger!.wrap, password)).toBe(key.dataKey)
  })

  it('needs no upgrade with the current parameters', async () => {
    expect(needsUpgrade(key.wrap)).toBe(false)
    expect(await upgrade(key.wrap, password, key.dataKey)).toBeUndefined()
  })
})

describe('tampered wrapped key', () => {
  // Only Argon2id calls it here, once per run.
  const work = vi.spyOn(WebAssembly, 'instantiate')
  beforeEach(() => void work.mockClear())
  afterAll(() => work.mockRestore())

  it('rejects parameters out of bounds without running Argon2', async () => {
    const outside = (least: number, most: number) =>
      fc.oneof(
        fc.integer({ max: least - 1 }),
        fc.integer({ min: most + 1 }),
        fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, least + 0.5, `${least}`, null, undefined),
      )
    const bad = fc.oneof(
      outside(19_456, 262_144).map((memoryKiB) => ({ memoryKiB })),
      outside(2, 10).map((passes) => ({ passes })),
      outside(1, 4).map((lanes) => ({ lanes })),
      fc.string().map((name) => ({ name })),
      fc.constantFrom('argon2i', 'argon2d', 'pbkdf2', 'scrypt', 'none').map((name) => ({ name })),
      fc.constantFrom('0x', '', `0x${'00'.repeat(31)}`, `0x${'00'.repeat(33)}`, 7).map((salt) => ({ salt })),
      fc.constant({ extra: 1 }),
    )
    const took: number[] = []
    await fc.assert(
      fc.asyncProperty(bad, async (change) => {
        const planted = { ...key.wrap, kdf: { ...key.wrap.kdf, ...change } } as WrappedKey
        const since = performance.now()
        const refused = await unwrapKey(planted, password).catch((error: WalletError) => error.code)
        took.push(performance.now() - since)
        expect(refused).toBe('vault-damaged')
      }),
      { numRuns: runs(1_000, 10_000) },
    )
    expect(work).not.toHaveBeenCalled()
    const slowest = Math.max(...took).toFixed(1)
    figure(
      '5',
      `${took.length} headers out of bounds: each refused, without one run of Argon2, within ${slowest} ms`,
    )
    await unwrapKey(key.wrap, password)
    expect(work).toHaveBeenCalled()
  })

  it('rejects any value that is not a wrapped key without running Argon2', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (anything) => {
        const opened = unwrapKey(anything as WrappedKey, password)
        await expect(opened).rejects.toMatchObject({ code: 'vault-damaged' })
      }),
      { numRuns: 1_000 },
    )
    expect(work).not.toHaveBeenCalled()
  })

  // An attacker's best case.
  it('fails to open after any change of its header, even with the right key', async () => {
    const { iv, sealed, ...head } = key.wrap
    const passKey = await passwordKey(password, head.kdf)
    const box = { iv: fromHex(iv), sealed: fromHex(sealed) }
    expect(await open(passKey, box, wrappedKeyHeader(head))).toBeDefined()
    const id = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(toHex)
    const change = fc.oneof(
      fc.integer({ min: 2, max: 9 }).map((version) => ({ ...head, version })),
      id(16).map((vaultId) => ({ ...head, vaultId })),
      id(32).map((salt) => ({ ...head, kdf: { ...head.kdf, salt } })),
      fc
        .integer({ min: 19_456, max: 65_535 })
        .map((memoryKiB) => ({ ...head, kdf: { ...head.kdf, memoryKiB } })),
      fc.constantFrom(2, 4, 5, 6, 7, 8, 9, 10).map((passes) => ({ ...head, kdf: { ...head.kdf, passes } })),
      fc.constantFrom(2, 3, 4).map((lanes) => ({ ...head, kdf: { ...head.kdf, lanes } })),
    )
    await fc.assert(
      fc.asyncProperty(change, async (changed) => {
        expect(await open(passKey, box, wrappedKeyHeader(changed as WrappedKey))).toBeUndefined()
      }),
      { numRuns: runs(1_000, 10_000) },
    )
    figure('5', `${runs(1_000, 10_000)} changed headers under the right key: 0 open`)
  })

  it('rejects the right password after any of its fields changed', async () => {
    const { kdf } = key.wrap
    const changes: Partial<WrappedKey>[] = [
      { vaultId: flip(key.wrap.vaultId) },
      { iv: flip(key.wrap.iv) },
      { sealed: flip(key.wrap.sealed) },
      { kdf: { ...kdf, salt: flip(kdf.salt) } },
      { kdf: { ...kdf, memoryKiB: 19_456 } },
      { kdf: { ...kdf, passes: 2 } },
      { kdf: { ...kdf, lanes: 2 } },
    ]
    for (const change of changes) {
      const opened = unwrapKey({ ...key.wrap, ...change }, password)
      await expect(opened).rejects.toMatchObject({ code: 'wrong-password' })
    }
  })
})

describe('unwrapUnchecked', () => {
  it('returns the data key, or a random key of the same length for a wrong password', async () => {
    expect(await unwrapUnchecked(key.wrap, password)).toBe(key.dataKey)
    const [one, other] = [await unwrapUnchecked(key.wrap, 'wrong'), await unwrapUnchecked(key.wrap, 'wrong')]
    expect(new Set([one, other, key.dataKey]).size).toBe(3)
    for (const dataKey of [one, other]) expect(Buffer.from(dataKey, 'base64')).toHaveLength(32)
  })

  it('performs one decryption for a right and for a wrong password', async () => {
    const work = async (text: string) => {
      let decryptions = 0
      const decrypt = crypto.subtle.decrypt.bind(crypto.subtle)
      crypto.subtle.decrypt = (...args) => {
        decryptions++
        return decrypt(...args)
      }
      await unwrapUnchecked(key.wrap, text)
      Reflect.deleteProperty(crypto.subtle, 'decrypt')
      return decryptions
    }
    expect([await work(password), await work('wrong')]).toEqual([1, 1])
  })

  it('rejects an invalid wrapped key as damaged', async () => {
    await expect(unwrapUnchecked({ ...key.wrap, sealed: '0x' }, password)).rejects.toMatchObject({
      code: 'vault-damaged',
    })
  })
})

describe('changePassword', () => {
  it('wraps the same data key for the same vault, with the current parameters and a fresh salt', async () => {
    const changed = await changePassword(key.wrap, 'another password', key.dataKey)
    expect(changed.dataKey).toBe(key.dataKey)
    expect(changed.wrap.vaultId).toBe(key.wrap.vaultId)
    expect(changed.wrap.kdf).toEqual({ ...currentKdf, salt: expect.not.stringMatching(key.wrap.kdf.salt) })
    expect(await unwrapKey(changed.wrap, 'another password')).toBe(key.dataKey)
    await expect(unwrapKey(changed.wrap, password)).rejects.toMatchObject({ code: 'wrong-password' })
  })
})

/** Weakest accepted parameters. */
async function weakLock(): Promise<WrappedKey> {
  const kdf = {
    name: 'argon2id',
    memoryKiB: 19_456,
    passes: 2,
    lanes: 1,
    salt: toHex(randomBytes(32)),
  } as const
  const head = { version: 1, vaultId: key.wrap.vaultId, kdf } as const
  const plain = new Uint8Array(Buffer.from(key.dataKey, 'base64'))
  const { iv, sealed } = await seal(await passwordKey(password, kdf), plain, wrappedKeyHeader(head))
  return { ...head, iv: toHex(iv), sealed: toHex(sealed) }
}

function flip(hex: Hex): Hex {
  const bytes = fromHex(hex)
  bytes[0]! ^= 1
  return toHex(bytes)
}
