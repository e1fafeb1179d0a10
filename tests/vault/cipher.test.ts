import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomBytes, toHex } from '../../src/vault/bytes.ts'
import { open, seal } from '../../src/vault/cipher.ts'
import vectors from './vectors/aesGcm.json'

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

describe('AES-256-GCM cipher', () => {
  it('matches the AES-256 test cases of the GCM specification', async () => {
    expect(vectors.vectors).toHaveLength(4)
    for (const { key, iv, plain, header, cipher, tag } of vectors.vectors) {
      const sealed = await seal(bytes(key), bytes(plain), bytes(header), bytes(iv))
      expect(sealed.sealed).toEqual(bytes(cipher + tag))
      expect(await open(bytes(key), sealed, bytes(header))).toEqual(bytes(plain))
    }
  })

  it('returns undefined after one bit of key, IV, header or ciphertext changed', async () => {
    const key = randomBytes(32)
    const header = randomBytes(40)
    const sealed = await seal(key, randomBytes(80), header)
    const parts = { key, header, iv: sealed.iv, sealed: sealed.sealed }
    const flips = fc.record({
      part: fc.constantFrom('key' as const, 'header' as const, 'iv' as const, 'sealed' as const),
      bit: fc.nat(),
    })
    await fc.assert(
      fc.asyncProperty(flips, async ({ part, bit }) => {
        const changed = { ...parts, [part]: flip(parts[part], bit) }
        const opened = await open(changed.key, { iv: changed.iv, sealed: changed.sealed }, changed.header)
        expect(opened).toBeUndefined()
      }),
      { numRuns: 2_000 },
    )
    expect(await open(key, sealed, header)).toHaveLength(80)
  })

  it('returns undefined for a truncated ciphertext', async () => {
    const key = randomBytes(32)
    const { iv, sealed } = await seal(key, randomBytes(20), new Uint8Array())
    for (let length = 0; length < sealed.length; length++) {
      expect(await open(key, { iv, sealed: sealed.slice(0, length) }, new Uint8Array())).toBeUndefined()
    }
  })

  it('uses a new 12-byte IV for every write', async () => {
    const key = randomBytes(32)
    const ivs = new Set<string>()
    for (let write = 0; write < 1_000; write++) {
      const { iv } = await seal(key, new Uint8Array(1), new Uint8Array())
      expect(iv).toHaveLength(12)
      ivs.add(toHex(iv))
    }
    expect(ivs.size).toBe(1_000)
  })
})

function flip(part: Uint8Array, bit: number): Uint8Array<ArrayBuffer> {
  const changed = new Uint8Array(part)
  const at = bit % (8 * changed.length)
  changed[at >> 3]! ^= 1 << (at & 7)
  return changed
}
