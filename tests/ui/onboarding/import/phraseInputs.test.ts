import { describe, expect, it } from 'vitest'
import {
  fillWords,
  formatWrongWords,
  isMultipleWords,
  lengths,
  resizeWords,
} from '../../../../src/ui/onboarding/import/phraseInputs.ts'

const many = (count: number, word = 'word') => Array.from({ length: count }, (_, at) => `${word}${at}`)
const blank = (count: number) => resizeWords([], count)

describe('fillWords', () => {
  it.each(lengths)(
    'fills the grid from the first cell when all %i words of a phrase are pasted, regardless of the cell',
    (length) => {
      for (const at of [0, 3, 11]) expect(fillWords(blank(12), at, many(length))).toEqual(many(length))
    },
  )

  it('shortens a long grid for a shorter phrase', () => {
    expect(fillWords(blank(24), 0, many(12))).toEqual(many(12))
  })

  it('appends pasted words after the words of a longer phrase', () => {
    const half = [...many(12), ...blank(12)]
    expect(fillWords(half, 12, many(12, 'more'))).toEqual([...many(12), ...many(12, 'more')])
  })

  it('fills the following cells and grows the grid as needed', () => {
    expect(fillWords(blank(12), 2, ['one', 'two'])?.slice(0, 5)).toEqual(['', '', 'one', 'two', ''])
    expect(fillWords([...many(11), ''], 11, ['one', 'two'])).toEqual([...many(11), 'one', 'two', '', ''])
  })

  it('rejects more words than any phrase has', () => {
    expect(fillWords(blank(12), 0, many(25))).toBeUndefined()
    expect(fillWords([...many(23), ''], 23, ['one', 'two'])).toBeUndefined()
  })

  it('isMultipleWords distinguishes several or decorated words from a single word', () => {
    for (const text of ['one two', ' one\ntwo ', '1. one 2. two', 'one, two'])
      expect(isMultipleWords(text)).toBe(true)
    for (const text of ['1. one', '• one', '"one"', 'one-two', '1-one', '#1one', 'o\u200bne'])
      expect(isMultipleWords(text)).toBe(true)
    for (const text of ['', 'one', ' one ', '12']) expect(isMultipleWords(text)).toBe(false)
  })
})

it('formatWrongWords lists the positions of unknown words, counted from one', () => {
  expect(formatWrongWords([])).toBe('')
  expect(formatWrongWords([1])).toBe('Word 2 isn’t in the word list. Check its spelling.')
  expect(formatWrongWords([0, 11])).toBe('Words 1, 12 aren’t in the word list. Check their spelling.')
})
