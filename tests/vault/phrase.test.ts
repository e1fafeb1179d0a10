import { spawn } from 'node:child_process'
import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WalletError } from '../../src/errors.ts'
import { randomBytes } from '../../src/vault/bytes.ts'
import { accountPath, addressOf, entropyOf, phraseOf, privateKeyAt, seedOf } from '../../src/vault/phrase.ts'
import { unknownWords } from '../../src/vault/words.ts'
import bip32 from './vectors/bip32.json'
import bip39 from './vectors/bip39.json'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

describe('a recovery phrase', () => {
  it('agrees with all 24 English vectors of BIP-39, both ways and down to the seed', async () => {
    expect(bip39.vectors).toHaveLength(24)
    for (const { entropy, phrase, seed, master } of bip39.vectors) {
      expect(phraseOf(bytes(entropy))).toBe(phrase)
      expect(hex(entropyOf(phrase))).toBe(entropy)
      const ours = await seedOf(bytes(entropy), bip39.passphrase)
      expect(hex(ours)).toBe(seed)
      expect(HDKey.fromMasterSeed(ours).privateExtendedKey).toBe(master)
    }
  })

  it('is read in any letter case and with any white space', () => {
    const { entropy, phrase } = bip39.vectors[12]!
    const typed = `\n ${phrase.toUpperCase().replaceAll(' ', ' \t ')}\u3000`
    expect(hex(entropyOf(typed))).toBe(entropy)
  })

  it('survives being written down, whatever its entropy', () => {
    const lengths = fc.constantFrom(16, 20, 24, 28, 32)
    const entropies = lengths.chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    fc.assert(
      fc.property(entropies, (entropy) => {
        expect(hex(entropyOf(phraseOf(entropy)))).toBe(hex(entropy))
      }),
      { numRuns: 500 },
    )
  })

  it('never comes twice in 10,000 draws', () => {
    const phrases = new Set(Array.from({ length: 10_000 }, () => phraseOf(randomBytes(16))))
    expect(phrases.size).toBe(10_000)
  })

  it('is refused with the position of an unknown word, and without the word', () => {
    const words = bip39.vectors[0]!.phrase.split(' ')
    words[4] = 'canaryword'
    const error = refusal(words.join(' '))
    expect(error).toMatchObject({ code: 'invalid-input', facts: { word: '5' } })
    expect(error.message).toContain('Word 5')
    expect(error.message).not.toContain('canary')
    expect(unknownWords(words)).toEqual([4])
  })

  it('is refused when its checksum fails, without a word of it', () => {
    const error = refusal('zoo '.repeat(12))
    expect(error.code).toBe('invalid-input')
    expect(error.message).toContain('checksum')
    expect(error.message).not.toContain('zoo')
  })

  it('is refused with the count of its words when that is none of the five', () => {
    for (const count of [0, 1, 11, 13, 23, 25, 48]) {
      expect(refusal('abandon '.repeat(count))).toMatchObject({
        code: 'invalid-input',
        facts: { words: String(count) },
      })
    }
  })

  it('is refused after any two different words changed places, but for the one time in 16 that the checksum fits', () => {
    const words = bip39.vectors[14]!.phrase.split(' ')
    let accepted = 0
    let tried = 0
    for (let one = 0; one < words.length; one++) {
      for (let other = 0; other < one; other++) {
        if (words[one] === words[other]) continue
        const swapped = words.with(one, words[other]!).with(other, words[one]!)
        tried++
        try {
          entropyOf(swapped.join(' '))
          accepted++
        } catch {}
      }
    }
    // 24 words carry 8 bits of checksum: one in 256 fits by chance.
    expect(tried).toBeGreaterThan(250)
    expect(accepted).toBeLessThan(8)
  })
})

describe('a key path', () => {
  it('agrees with BIP-32’s test vectors 1 to 4', () => {
    const chains = bip32.derivations.flatMap(({ seed, chains }) =>
      chains.map((chain) => ({ seed, ...chain })),
    )
    expect(chains).toHaveLength(17)
    for (const { seed, path, key } of chains) {
      expect(hex(privateKeyAt(bytes(seed), path))).toBe(hex(HDKey.fromExtendedKey(key).privateKey!))
    }
  })

  it('rests on a library that refuses the 16 extended keys of BIP-32’s test vector 5', () => {
    expect(bip32.invalid).toHaveLength(16)
    for (const { reason, key } of bip32.invalid) {
      expect(() => HDKey.fromExtendedKey(key), reason).toThrow()
    }
  })

  it('leads to the address that anvil, another implementation, finds for the same phrase', async () => {
    const phrases = [
      'test test test test test test test test test test test junk',
      phraseOf(randomBytes(16)),
      phraseOf(randomBytes(32)),
    ]
    for (const phrase of phrases) {
      const seed = await seedOf(entropyOf(phrase))
      expect(addressOf(privateKeyAt(seed, accountPath(0)))).toBe(await anvilAddress(phrase))
    }
  })
})

function refusal(phrase: string): WalletError {
  try {
    entropyOf(phrase)
  } catch (error) {
    if (error instanceof WalletError) return error
    throw error
  }
  throw new Error('The phrase was accepted.')
}

/** The first account that anvil prints when it starts on `phrase`. */
function anvilAddress(phrase: string): Promise<string> {
  const options = ['--port', '0', '--accounts', '1', '--mnemonic', phrase]
  // The command is a wrapper around the program: both end with their process group.
  const anvil = spawn('node_modules/.bin/anvil', options, { detached: true })
  return new Promise<string>((resolve, reject) => {
    let printed = ''
    anvil.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const address = /\(0\) (0x[0-9a-fA-F]{40})/.exec(printed)?.[1]
      if (address !== undefined) resolve(address.toLowerCase())
    })
    anvil.on('error', reject)
    anvil.on('exit', () => reject(new Error(`anvil ended early: ${printed}`)))
  }).finally(() => {
    if (anvil.pid !== undefined) process.kill(-anvil.pid, 'SIGKILL')
  })
}
