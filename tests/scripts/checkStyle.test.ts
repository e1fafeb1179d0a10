import { describe, expect, it } from 'vitest'
import { checkComments, checkSubject } from '../../scripts/checkStyle.mjs'

describe('checkSubject', () => {
  it.each([
    'fix(swap): keep the minimum of a renewed review',
    'docs: split the security page',
    'feat(ui): show € prices',
  ])('accepts %j', (line) => expect(checkSubject(line)).toBeUndefined())

  it.each([
    ['Fix the swap', /form/],
    ['fix(swap) keep it', /form/],
    ['fix(swap): Keep it', /form/],
    ['fix(swap): keep it.', /form/],
    ['style(swap): keep it', /form/],
    [`fix(swap): ${'x'.repeat(62)}`, /73 characters/],
  ])('rejects %j', (line, reason) => expect(checkSubject(line)).toMatch(reason))
})

describe('checkComments', () => {
  it('accepts comments of 110 columns and code that is longer', () => {
    expect(checkComments(`// ${'x'.repeat(107)}\nconst one = '${'x'.repeat(120)}'`)).toEqual([])
  })

  it.each([
    `// ${'x'.repeat(108)}`,
    `  /** ${'x'.repeat(104)} */`,
    ` * ${'x'.repeat(108)}`,
    `{/* ${'x'.repeat(106)} */}`,
  ])('rejects a comment of more than 110 columns', (line) => {
    expect(checkComments(`one()\n${line}`)).toEqual([expect.stringMatching(/^2: \d+ columns/)])
  })

  it('rejects a relative clause at the start of a comment', () => {
    for (const word of ['Who', 'What']) {
      expect(checkComments(`/** ${word} asks twice waits. */`)).toEqual(['1: begins with a relative clause'])
    }
  })
})
