import { dictionary } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import { describe, expect, it } from 'vitest'
import { packPasswords } from '../../../scripts/packCommonPasswords.ts'
import { createStrength, loadCommonPasswords } from '../../../src/vault/words/strength.ts'
import { figure } from '../../helpers/figures.ts'
import { slow } from '../../helpers/slow.ts'

slow('Argon2id runs at its full cost.')

const common = dictionary['passwords-common'] as string[]
const shipped = `data:application/gzip;base64,${(await packPasswords()).toString('base64')}`
const strength = createStrength(await loadCommonPasswords(shipped))

describe('password strength', () => {
  it('rejects common passwords: all of ten or more characters, and a sample of the shorter ones', () => {
    expect(common).toHaveLength(49_233)
    // Length alone refuses shorter ones.
    const longEnough = common.filter((word) => word.length >= 10)
    expect(longEnough.length).toBeGreaterThan(1_500)
    expect(longEnough.filter((word) => strength(word).accepted)).toEqual([])
    const tooShort = common.filter((word, rank) => word.length < 10 && rank % 100 === 0)
    expect(tooShort.filter((word) => strength(word).accepted)).toEqual([])
  })

  it('rejects a common password in disguise', () => {
    const disguised = [
      'Password123!',
      'P@ssw0rd2023',
      'qwertyuiop12',
      'drowssapdrowssap',
      '1q2w3e4r5t6y',
      'aaaaaaaaaaaaaaa',
    ]
    const ours = ['ethereum2024', 'Metamask123', 'bitcoin2021']
    for (const word of [...disguised, 'abcdefghijkl', '01/02/1990!', ...ours]) {
      expect(strength(word), word).toMatchObject({ accepted: false })
    }
  })

  it('rejects a single long word, with or without a year', () => {
    const words = ['chrysanthemum', 'constitution', 'encyclopedia', 'independence', 'responsibility']
    const others = ['schmetterling', 'kindergarten', 'wolverhampton', 'gameofthrones', 'ichliebedich']
    for (const word of [...words, ...others, 'mywallet']) {
      for (const password of [word, `${word}2024`, word.toUpperCase()]) {
        expect(strength(password), password).toMatchObject({ accepted: false })
      }
    }
  })

  it('rejects the most common long words of English', () => {
    const { wikipedia, commonWords } = english
    const longOf = (words: string[]) => [...new Set(words)].filter((word) => /^[a-z]{10,}$/.test(word))
    const commonest = longOf([...wikipedia.slice(0, 5_000), ...commonWords.slice(0, 5_000)])
    expect(commonest.length).toBeGreaterThan(1_000)
    expect(commonest.filter((word) => strength(word).accepted)).toEqual([])
    const all = longOf([...wikipedia, ...commonWords])
    const accepted = all.filter((word) => strength(word).accepted)
    figure('4', `of ${all.length} long words of English ${accepted.length} would be accepted`)
    // Inflected forms are not on the list.
    expect(accepted.length).toBeLessThan(all.length / 4)
  })

  it('rejects fewer than ten characters, however unusual', () => {
    expect(strength('Zx9$kk2!p').accepted).toBe(false)
    expect(strength('Zx9$kk2!pQ').accepted).toBe(true)
    // An emoji is two UTF-16 units but one character.
    expect(strength('🦩🐢🦊🐙🦉').accepted).toBe(false)
  })

  it('accepts a few unrelated words', () => {
    for (const words of ['violet anchor tundra', 'correct horse battery staple', 'seven quiet herons']) {
      expect(strength(words), words).toEqual({ score: 4, accepted: true })
    }
  })

  it('rates empty and very long passwords without failing', () => {
    expect(strength('')).toEqual({ score: 0, accepted: false })
    expect(strength('4@'.repeat(50_000)).accepted).toBe(false)
    expect(strength('p4$5w0rd'.repeat(1_000)).accepted).toBe(false)
  })
})
