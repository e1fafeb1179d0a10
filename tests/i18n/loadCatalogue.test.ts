import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { packLanguages } from '../../scripts/packCatalogues.ts'
import german from '../../src/i18n/de.json' with { type: 'json' }
import { fetchTable } from '../../src/i18n/loadCatalogue.ts'

const packed = await packLanguages()
const unpack = async (url: string) => {
  const file = packed[url.slice(1)]
  if (file === undefined) throw new Error(`There is no ${url}.`)
  return gunzipSync(file).toString()
}

describe('language files of the built extension', () => {
  it('decodes to the table that was packed', async () => {
    expect(Object.fromEntries(await fetchTable('de', unpack))).toEqual(german)
  })

  it('contains no English text unless it is the English file', async () => {
    expect(await unpack('/de.gz')).not.toContain('Your wallet is locked.')
    expect(await unpack('/en.gz')).toContain('Your wallet is locked.')
  })

  it('omits texts that are missing or lack a placeholder', async () => {
    const files: Record<string, string> = {
      '/en.gz': JSON.stringify([
        'Insufficient balance: {amount} available.',
        'Back',
        'Close',
        '{count} sites',
        '{count} days',
      ]),
      '/de.gz': JSON.stringify([
        'Vorhanden.',
        null,
        'Schließen',
        { one: 'Website', other: '{count} Websites' },
        { one: '{count} Tag', other: 'Tage' },
      ]),
    }
    const table = await fetchTable('de', async (url) => files[url] ?? '')
    expect([...table.keys()]).toEqual(['Close', '{count} sites'])
  })

  it('throws when a file is broken or missing', async () => {
    await expect(fetchTable('de', async (url) => (url === '/en.gz' ? '[]' : '['))).rejects.toThrow()
    await expect(fetchTable('de', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  })
})
