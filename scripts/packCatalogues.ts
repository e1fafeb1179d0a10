import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzip } from './gzip.ts'

const folder = resolve(import.meta.dirname, '../src/i18n')

type Texts = Record<string, unknown>

/**
 * Returns the catalogues as files: the English texts in `en.gz`, and each language's in the same order, for
 * src/i18n/loadCatalogue.ts. No English text is shipped twice.
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
