import { describe, expect, it } from 'vitest'
import { pickLanguage, toLocale } from '../../src/i18n/locale.ts'

describe('browser language', () => {
  it.each([
    [['de-AT', 'en-US'], 'de-AT'],
    [['ja', 'de-CH', 'en'], 'de-CH'],
    [['en-GB', 'de'], 'en-GB'],
    [['ja-JP', 'sv'], 'ja-JP'],
    [['pt-BR', 'ar-EG'], 'ar-EG'],
    [['zh-Hans-CN'], 'zh-Hans-CN'],
    [['den', 'de'], 'de'],
    [[], 'en'],
  ])('maps the preferred languages %s to %s', (tags, tag) => {
    expect(pickLanguage(tags)).toBe(tag)
  })

  it.each([
    ['de-AT', 'de-AT-u-nu-latn'],
    ['ar', 'ar-u-nu-latn'],
    ['de-DE-u-co-phonebk', 'de-DE-u-co-phonebk-nu-latn'],
    ['en-US-u-nu-arab', 'en-US-u-nu-latn'],
    ['en-US@posix', undefined],
  ])('maps %s to the number locale %s', (tag, locale) => {
    expect(toLocale(tag)).toBe(locale)
  })
})
