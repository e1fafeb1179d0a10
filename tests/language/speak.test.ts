import { describe, expect, it } from 'vitest'
import { firstSpoken } from '../../src/language/speak.ts'

describe('the language of a browser', () => {
  it.each([
    [['de-AT', 'en-US'], 'de-AT'],
    [['ja', 'de-CH', 'en'], 'de-CH'],
    [['en-GB', 'de'], 'en-GB'],
    [['ja-JP', 'fr'], 'ja-JP'],
    [['den', 'de'], 'de'],
    [[], 'en'],
  ])('of a user who reads %s is %s', (tags, tag) => {
    expect(firstSpoken(tags)).toBe(tag)
  })
})
