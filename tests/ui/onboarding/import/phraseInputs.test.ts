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

describe('words that are pasted', () => {
  it.each(lengths)('fill the grid from its first cell, wherever they are pasted: %i', (length) => {
    for (const at of [0, 3, 11]) expect(fillWords(blank(12), at, many(length))).toEqual(many(length))
  })

  it('make a long grid short again', () => {
    expect(fillWords(blank(24), 0, many(12))).toEqual(many(12))
  })

  it('are the rest of a longer phrase behind what is there', () => {
    const half = [...many(12), ...blank(12)]
    expect(fillWords(half, 12, many(12, 'more'))).toEqual([...many(12), ...many(12, 'more')])
  })

  it('go into their cells and the next ones, and the grid grows as it must', () => {
    expect(fillWords(blank(12), 2, ['one', 'two'])?.slice(0, 5)).toEqual(['', '', 'one', 'two', ''])
    expect(fillWords([...many(11), ''], 11, ['one', 'two'])).toEqual([...many(11), 'one', 'two', '', ''])
  })

  it('are refused when no phrase has so many', () => {
    expect(fillWords(blank(12), 0, many(25))).toBeUndefined()
    expect(fillWords([...many(23), ''], 23, ['one', 'two'])).toBeUndefined()
  })

  it('are told from one word', () => {
    for (const text of ['one two', ' one\ntwo ', '1. one 2. two', 'one, two'])
      expect(isMultipleWords(text)).toBe(true)
    for (const text of ['1. one', '• one', '"one"', 'one-two', '1-one', '#1one', 'o\u200bne'])
      expect(isMultipleWords(text)).toBe(true)
    for (const text of ['', 'one', ' one ', '12']) expect(isMultipleWords(text)).toBe(false)
  })
})

it('says which words are not in the list, counted from one', () => {
  expect(formatWrongWords([])).toBe('')
  expect(formatWrongWords([1])).toBe('Word 2 isn’t in the word list. Check its spelling.')
  expect(formatWrongWords([0, 11])).toBe('Words 1, 12 aren’t in the word list. Check their spelling.')
})
