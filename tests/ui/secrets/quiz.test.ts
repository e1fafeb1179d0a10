import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawBelow, isRight, makeQuiz } from '../../../src/ui/secrets/quiz.ts'

const phrase = 'crater can gaze fly host guide pupil rude horn toilet praise hotel'.split(' ')

describe('recovery phrase quiz', () => {
  it('asks for three positions in ascending order, each with four different words of the phrase', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (numbers) => {
        const quiz = makeQuiz(phrase, (below) => numbers.next().value % below)
        const positions = quiz.map(({ position }) => position)
        expect(new Set(positions).size).toBe(3)
        expect(positions).toEqual([...positions].sort((one, other) => one - other))
        for (const { position, choices } of quiz) {
          expect(new Set(choices).size).toBe(4)
          expect(choices).toContain(phrase[position])
          expect(phrase).toEqual(expect.arrayContaining(choices))
        }
      }),
    )
  })

  it('draws every position of the phrase and every place of the right choice', () => {
    const seen = new Set<number>()
    const places = new Set<number>()
    for (let times = 0; times < 500; times++) {
      for (const { position, choices } of makeQuiz(phrase, drawBelow)) {
        seen.add(position)
        places.add(choices.indexOf(phrase[position] ?? ''))
      }
    }
    expect(seen.size).toBe(12)
    expect(places).toEqual(new Set([0, 1, 2, 3]))
  })

  it('offers a repeated word once and accepts it at either position', () => {
    const twice = ['same', 'same', 'two', 'three', 'four']
    for (let times = 0; times < 50; times++) {
      const quiz = makeQuiz(twice, drawBelow)
      for (const { choices } of quiz) expect(new Set(choices).size).toBe(choices.length)
      expect(isRight(twice, quiz, { 0: 'same', 1: 'same', 2: 'two', 3: 'three', 4: 'four' })).toBe(true)
    }
  })

  it('accepts the answers only if all are right', () => {
    const quiz = makeQuiz(phrase, drawBelow)
    const answers = Object.fromEntries(quiz.map(({ position }) => [position, phrase[position] ?? '']))
    expect(isRight(phrase, quiz, answers)).toBe(true)
    for (const { position, choices } of quiz) {
      const other = choices.find((word) => word !== phrase[position]) ?? ''
      expect(isRight(phrase, quiz, { ...answers, [position]: other })).toBe(false)
      const { [position]: _, ...rest } = answers
      expect(isRight(phrase, quiz, rest)).toBe(false)
    }
  })
})
