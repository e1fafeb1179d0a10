import { argon2id as other } from '@noble/hashes/argon2.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/vault/bytes.ts'
import { passwordKey } from '../../src/vault/password.ts'
import { slow } from '../helpers/slow.ts'
import vectors from './vectors/argon2id.json'

slow('Argon2id runs at its full cost.')

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const text = (words: string) => new TextEncoder().encode(words)

describe('passwordKey', () => {
  it('matches the eight Argon2id vectors of the reference implementation', async () => {
    expect(vectors.reference).toHaveLength(8)
    for (const { password, salt, key, ...kdf } of vectors.reference) {
      expect(await passwordKey(password, { ...kdf, salt: toHex(text(salt)) })).toEqual(bytes(key))
    }
  })

  // The RFC's vector needs a secret and associated data, which only the second implementation supports.
  it('matches a second implementation, which matches RFC 9106 §5.3', async () => {
    const { rfc } = vectors
    const published = other(bytes(rfc.password), bytes(rfc.salt), {
      t: rfc.passes,
      m: rfc.memoryKiB,
      p: rfc.lanes,
      key: bytes(rfc.secret),
      personalization: bytes(rfc.data),
      dkLen: 32,
    })
    expect(published).toEqual(bytes(rfc.key))

    const cases = fc.record({
      password: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
      salt: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      memoryKiB: fc.integer({ min: 32, max: 256 }),
      passes: fc.integer({ min: 1, max: 4 }),
      lanes: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ password, salt, memoryKiB, passes, lanes }) => {
        const ours = await passwordKey(password, { memoryKiB, passes, lanes, salt: toHex(salt) })
        const options = { t: passes, m: memoryKiB, p: lanes, dkLen: 32 }
        expect(ours).toEqual(other(text(password.normalize('NFKC')), salt, options))
      }),
      { numRuns: 60 },
    )
  })

  it('derives the same key from composed and decomposed characters', async () => {
    const kdf = { memoryKiB: 64, passes: 1, lanes: 1, salt: toHex(new Uint8Array(32)) }
    expect(await passwordKey('cafe\u0301 ﬁn', kdf)).toEqual(await passwordKey('caf\u00e9 fin', kdf))
  })
})
