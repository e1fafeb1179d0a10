import { describe, expect, it } from 'vitest'
import { firstOf } from '../../src/language/speak.ts'

describe('the language of a browser', () => {
  it.each([
    [['de-AT', 'en-US'], 'de'],
    [['ja', 'de', 'en'], 'de'],
    [['en-GB', 'de'], 'en'],
    [['ja-JP'], 'en'],
    [['den'], 'en'],
    [[], 'en'],
  ])('of a user who reads %s is %s', (tags, language) => {
    expect(firstOf(tags)).toBe(language)
  })
})
