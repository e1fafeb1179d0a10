import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzip } from './gzip.ts'

const folder = resolve(import.meta.dirname, '../src/i18n')

type Texts = Record<string, unknown>

/**
 * The languages' texts as files of the extension: in `en.gz` every English text, which the others are keyed by, and in the file of
 * each language what they are, in the same order. So no English text is shipped with every language. src/i18n/loadCatalogue.ts reads them.
 */
export async function packLanguages(): Promise<Record<string, Buffer>> {
  const sources = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const languages = sources.map((name) => {
    const texts = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Texts
    return { name: name.replace('.json', '.gz'), texts }
  })
  const english = [...new Set(languages.flatMap(({ texts }) => Object.keys(texts)))].sort()
  const files = [
    { name: 'en.gz', texts: english },
    ...languages.map(({ name, texts }) => ({ name, texts: english.map((text) => texts[text] ?? null) })),
  ]
  return Object.fromEntries(
    await Promise.all(files.map(async ({ name, texts }) => [name, await gzip(texts)] as const)),
  )
}
