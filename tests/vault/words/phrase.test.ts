import { HDKey } from '@scure/bip32'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WalletError } from '../../../src/errors.ts'
import { type Bytes, randomBytes, toHex } from '../../../src/vault/bytes.ts'
import {
  deriveSeed,
  newSecret,
  parsePhrase,
  readPhrase,
  showPhrase,
  splitPhrase,
  suggestWords,
  toPhrase,
  unknownWords,
} from '../../../src/vault/words/phrase.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import bip39 from '../vectors/bip39.json'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

const romans =
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv'.split(' ')

describe('recovery phrase', () => {
  it('matches all 24 English BIP-39 vectors, in both directions and down to the seed', async () => {
    expect(bip39.vectors).toHaveLength(24)
    for (const { entropy, phrase, seed, master } of bip39.vectors) {
      expect(await toPhrase(bytes(entropy))).toBe(phrase)
      expect(hex(await parsePhrase(phrase))).toBe(entropy)
      const ours = await deriveSeed(bytes(entropy), bip39.passphrase)
      expect(hex(ours)).toBe(seed)
      expect(HDKey.fromMasterSeed(ours).privateExtendedKey).toBe(master)
    }
  })

  it('parses any letter case and any white space', async () => {
    const { entropy, phrase } = bip39.vectors[12]!
    const typed = `\n ${phrase.toUpperCase().replaceAll(' ', ' \t ')}\u3000`
    expect(hex(await parsePhrase(typed))).toBe(entropy)
  })

  it('parses numbers, commas and semicolons beside the words', async () => {
    const { entropy, phrase } = bip39.vectors[14]!
    const words = phrase.split(' ')
    const sheets = [
      words.map((word, at) => `${at + 1}. ${word}`).join('\n'),
      words.join(', '),
      words.join('; '),
    ]
    for (const sheet of sheets) {
      expect(splitPhrase(sheet)).toEqual(words)
      expect(hex(await parsePhrase(sheet))).toBe(entropy)
    }
  })

  it('parses pasted bullets, dashes, quotes, lists, labels and invisible characters', async () => {
    const { entropy, phrase } = bip39.vectors[14]!
    const words = phrase.split(' ')
    const numbered = (write: (word: string, number: number) => string) =>
      words.map((word, at) => write(word, at + 1)).join('\n')
    const sheets = [
      numbered((word) => `• ${word}`),
      numbered((word) => `- ${word}`),
      numbered((word) => `* **${word}**`),
      numbered((word) => `– ${word}`),
      numbered((word, number) => `${number}-${word}`),
      numbered((word, number) => `${number} - ${word}`),
      numbered((word, number) => `#${number} ${word}`),
      numbered((word, number) => `№${number} ${word}`),
      numbered((word, number) => `${number}º ${word}`),
      numbered((word, number) => `${number}\ufe0f\u20e3 ${word}`),
      numbered((word, number) => `[${number}] ${word}`),
      numbered((word, number) => `| ${number} | ${word} |`),
      numbered((word, number) => `${number}${word}`),
      numbered((word, number) => `${word} ${number}`),
      numbered((word, number) => `Word ${number}: ${word}`),
      numbered((word, number) => `Wort #${number} = ${word}`),
      numbered((word, number) => `No. ${number} ${word}`),
      ...['\n', ' '].flatMap((gap) =>
        [
          (word: string, number: number) => `Seed word #${number}: ${word}`,
          (word: string, number: number) => `Word No. ${number}: ${word}`,
          (word: string, number: number) => `Recovery Word ${number} = ${word};`,
          (word: string, number: number) =>
            `${number}${['st', 'nd', 'rd'][number % 10 === number ? number - 1 : 9] ?? 'th'}: ${word}`,
          (word: string, number: number) => `第${number}个: ${word}`,
          (word: string, number: number) => `第 ${number} 个词：${word}`,
          (word: string, number: number) => `الكلمة ${number}: ${word}`,
          (word: string, number: number) => `${number}. Wort: ${word}`,
          (word: string, number: number) => `${String.fromCharCode(96 + number)}) ${word}`,
        ].map((write) => words.map((word, at) => write(word, at + 1)).join(gap)),
      ),
      words.map((word, at) => `${romans[at]}. ${word}`).join('\n'),
      words.map((word, at) => `${['First', 'Second', 'Third'][at] ?? 'Next'}: ${word}`).join('\n'),
      `Recovery phrase: ${phrase}`,
      `My phrase of 24 words: ${phrase}`,
      `My wallet\n${phrase}`,
      `Seed phrase:\n${numbered((word, number) => `${number}. ${word}`)}`,
      `Seed phrase (24 words):\n${numbered((word, number) => `Word ${number}: ${word}`)}`,
      numbered(
        (word, number) =>
          `${String(number).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!)}. ${word}`,
      ),
      JSON.stringify(words),
      `'${words.join("', '")}'`,
      `“${phrase}”`,
      `«${words.join(' / ')}»`,
      words.join('-'),
      words.join('_'),
      words.join('→'),
      words.join('|'),
      words.join(' \u200b'),
      `\ufeff${words.map((word) => `\u2060${word.slice(0, 2)}\u00ad${word.slice(2)}`).join('\u00a0')}\u200e`,
      words.join(' ').replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
    ]
    for (const sheet of sheets) {
      expect(splitPhrase(sheet), sheet).toEqual(words)
      expect(hex(await parsePhrase(sheet))).toBe(entropy)
    }
  })

  it('counts only the words of a labelled list and reports the position of a wrong one', async () => {
    const words = bip39.vectors[12]!.phrase.split(' ')
    const listed = (all: string[]) => all.map((word, at) => `Seed word #${at + 1}: ${word}`).join('\n')
    await expect(parsePhrase(listed(words.slice(0, 11)))).rejects.toMatchObject({ facts: { words: '11' } })
    await expect(parsePhrase(listed(words.with(4, 'legall')))).rejects.toMatchObject({ facts: { word: '5' } })
    // Then the words are out of order too.
    expect(splitPhrase('2. zoo 1. word 3. seed')).toEqual(['zoo', 'word', 'seed'])
  })

  it('keeps words of the list that could also be labels', () => {
    const words = ['word', 'number', 'seed', 'word']
    for (const sheet of [
      '1. word 2. number 3. seed 4. word',
      'word 1 number 2 seed 3 word 4',
      'word, number, seed, word',
    ])
      expect(splitPhrase(sheet)).toEqual(words)
    expect(splitPhrase('1. zoo 2. zoo 3. zoo')).toEqual(['zoo', 'zoo', 'zoo'])
    expect(splitPhrase('word 1: word, word 2: zoo, word 3: word')).toEqual(['word', 'zoo', 'word'])
  })

  it('round-trips any entropy and matches another library', async () => {
    const lengths = fc.constantFrom(16, 20, 24, 28, 32)
    const entropies = lengths.chain((length) => fc.uint8Array({ minLength: length, maxLength: length }))
    await fc.assert(
      fc.asyncProperty(entropies, async (drawn) => {
        const entropy = new Uint8Array(drawn)
        const phrase = await toPhrase(entropy)
        expect(phrase).toBe(entropyToMnemonic(entropy, wordlist))
        expect(hex(await parsePhrase(phrase))).toBe(hex(entropy))
      }),
      { numRuns: 500 },
    )
  })

  const draws = runs(10_000, 100_000)

  it(`draws no phrase twice in ${draws} draws`, async () => {
    const phrases = new Set<string>()
    for (let draw = 0; draw < draws; draw++) phrases.add(await toPhrase(randomBytes(16)))
    expect(phrases.size).toBe(draws)
    figure('1', `${draws} phrases drawn, none twice`)
  })

  it('rejects an unknown word by its position, without quoting the word', async () => {
    const words = bip39.vectors[0]!.phrase.split(' ')
    words[4] = 'canaryword'
    const error = await refusal(words.join(' '))
    expect(error).toMatchObject({ code: 'invalid-input', facts: { word: '5' } })
    expect(error.message).toContain('Word 5')
    expect(error.message).not.toContain('canary')
    expect(unknownWords(words)).toEqual([4])
  })

  it('rejects a wrong checksum without quoting a word', async () => {
    const error = await refusal('zoo '.repeat(12))
    expect(error.code).toBe('invalid-input')
    expect(error.message).toContain('checksum')
    expect(error.facts).toEqual({ why: 'checksum' })
    expect(error.message).not.toContain('zoo')
  })

  it('rejects a wrong number of words and reports it', async () => {
    for (const count of [0, 1, 11, 13, 23, 25, 48]) {
      expect(await refusal('abandon '.repeat(count))).toMatchObject({
        code: 'invalid-input',
        facts: { words: String(count) },
      })
    }
  })

  it('rejects nearly every phrase with two words exchanged, by its checksum', async () => {
    const words = bip39.vectors[14]!.phrase.split(' ')
    let accepted = 0
    let tried = 0
    for (let one = 0; one < words.length; one++) {
      for (let other = 0; other < one; other++) {
        if (words[one] === words[other]) continue
        const swapped = words.with(one, words[other]!).with(other, words[one]!)
        tried++
        try {
          await parsePhrase(swapped.join(' '))
          accepted++
        } catch {}
      }
    }
    // 24 words have an 8-bit checksum: one in 256 fits by chance.
    expect(tried).toBeGreaterThan(250)
    expect(accepted).toBeLessThan(8)
  })
})

describe('suggestWords', () => {
  it('returns the first words of the list with the typed prefix', () => {
    expect(suggestWords('aba')).toEqual(['abandon'])
    expect(suggestWords(' AB')).toEqual(['abandon', 'ability', 'able', 'about'])
    expect(suggestWords('zo', 9)).toEqual(['zone', 'zoo'])
    for (const nothing of ['', ' ', 'zzz', 'abandonx']) expect(suggestWords(nothing)).toEqual([])
  })

  it('returns a single word for the first four letters of every word that has four', () => {
    for (const word of wordlist) expect(suggestWords(word.slice(0, 4))).toContain(word)
    expect(wordlist.filter((word) => word.length >= 4 && suggestWords(word.slice(0, 4)).length > 1)).toEqual(
      [],
    )
  })
})

describe('newSecret', () => {
  it('draws 16 bytes once for 12 words and 32 bytes for 24, and derives the seed from them', async () => {
    for (const [words, length] of [
      [12, 16],
      [24, 32],
    ] as const) {
      const drawn: Bytes[] = []
      const { entropy, seed } = await newSecret(words, (size) => {
        drawn.push(randomBytes(size))
        return drawn.at(-1)!
      })
      // Zeroed after use.
      expect(drawn).toEqual([new Uint8Array(length)])
      expect(bytes(entropy.slice(2))).toHaveLength(length)
      expect(seed).toBe(toHex(await deriveSeed(bytes(entropy.slice(2)))))
      const phrase = await showPhrase(entropy)
      expect(phrase.split(' ')).toHaveLength(words)
      expect(await readPhrase(phrase)).toEqual({ entropy, seed })
    }
  })

  it('returns a different secret each time', async () => {
    expect(await newSecret(12)).not.toEqual(await newSecret(12))
  })
})

async function refusal(phrase: string): Promise<WalletError> {
  try {
    await parsePhrase(phrase)
  } catch (error) {
    if (error instanceof WalletError) return error
    throw error
  }
  throw new Error('The phrase was accepted.')
}
