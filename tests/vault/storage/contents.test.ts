import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '../../../src/vault/bytes.ts'
import { type Contents, pack, unpack, wipe } from '../../../src/vault/storage/contents.ts'
import { sealContents, withContents } from '../../../src/vault/storage/withContents.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'

const secret = fc.record({
  id: fc.string(),
  kind: fc.constantFrom('seed', 'key'),
  backedUp: fc.boolean(),
  bytes: fc.uint8Array({ minLength: 32, maxLength: 96 }).map((bytes) => new Uint8Array(bytes)),
})
const account = fc.record(
  {
    address: fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const),
    name: fc.string({ unit: 'binary' }),
    isHidden: fc.boolean(),
    secret: fc.string(),
    path: fc.string(),
  },
  { requiredKeys: ['address', 'name', 'isHidden'] },
)
const contents = fc.record({ secrets: fc.array(secret), accounts: fc.array(account) })

describe('packed vault contents', () => {
  it('unpacks any contents as they were packed and wipes the packed bytes', () => {
    fc.assert(
      fc.property(contents, (drawn) => {
        const packed = pack(drawn as Contents)
        expect(unpack(packed)).toEqual(drawn)
        expect(packed.every((byte) => byte === 0)).toBe(true)
      }),
      { numRuns: 500, seed: 1 },
    )
  })

  it('keeps secrets in separate bytes, never in the text', () => {
    const bytes = new TextEncoder().encode('a canary of thirty-two bytes ...')
    const packed = pack({ secrets: [{ id: '0x01', kind: 'key', backedUp: true, bytes }], accounts: [] })
    const text = new TextDecoder().decode(packed.subarray(4 + bytes.length))
    expect(JSON.parse(text)).toEqual({
      secrets: [{ id: '0x01', kind: 'key', backedUp: true, length: 32 }],
      accounts: [],
    })
    const unpacked = unpack(packed)
    wipe(unpacked)
    expect(unpacked.secrets[0]!.bytes).toEqual(new Uint8Array(32))
    // The caller's bytes stay.
    expect(bytes[0]).toBe(97)
  })
})

describe('sealed vault', () => {
  const dataKey = randomBytes(32)
  const vaultId = `0x${'01'.repeat(16)}` as const
  const held: Contents = {
    secrets: [{ id: '0x01', kind: 'key', backedUp: true, bytes: randomBytes(32) }],
    accounts: [{ address: `0x${'11'.repeat(20)}`, name: 'Account 1', isHidden: false, secret: '0x01' }],
  }

  it('rejects a changed bit of ciphertext, IV or id, and a changed version', async () => {
    const record = await sealContents(dataKey, vaultId, held)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('sealed', 'iv', 'vaultId'), fc.nat(), async (field, bit) => {
        const bytes = Buffer.from(record[field].slice(2), 'hex')
        const at = Math.floor(bit / 8) % bytes.length
        bytes[at]! ^= 1 << (bit % 8)
        const changed = { ...record, [field]: `0x${bytes.toString('hex')}` }
        const opened = withContents(dataKey.slice(), changed, () => expect.unreachable('opened'))
        await expect(opened).rejects.toMatchObject({ code: 'wrong-password' })
      }),
      { numRuns: runs(2_000, 10_000) },
    )
    figure('6', `${runs(2_000, 10_000)} bits of a sealed vault flipped: 0 open`)
    const older = withContents(dataKey.slice(), { ...record, version: 1 }, () => expect.unreachable('opened'))
    await expect(older).rejects.toMatchObject({ code: 'wrong-password' })
    expect(await withContents(dataKey.slice(), record, ({ accounts }) => accounts)).toEqual(held.accounts)
  })

  it('wipes the contents and the key after use, also when the use fails', async () => {
    const record = await sealContents(dataKey, vaultId, held)
    for (const use of [async () => 'used', async () => Promise.reject(new RangeError('no'))]) {
      const key = dataKey.slice()
      let lent: Contents | undefined
      await withContents(key, record, (contents) => {
        lent = contents
        expect(contents).toEqual(held)
        return use()
      }).catch((error) => expect(error).toBeInstanceOf(RangeError))
      expect(key).toEqual(new Uint8Array(32))
      expect(lent!.secrets[0]!.bytes).toEqual(new Uint8Array(32))
    }
    const wrong = randomBytes(32)
    await withContents(wrong, record, () => 1).catch(() => undefined)
    expect(wrong).toEqual(new Uint8Array(32))
  })
})
