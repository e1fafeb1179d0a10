import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const docs = [
  'README.md',
  'service/README.md',
  'contracts/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
]

const threats = 'docs/security/threats.md'
const endings = ['', '.ts', '.tsx', '.test.ts', '.test.tsx', '.spec.ts', '.sol']
const inRepository = /^(src|service|entrypoints|contracts|dev|tests|docs|scripts|bench)\/[\w./{},-]+$/

it.each(docs.filter((doc) => doc !== threats))('%s names only files that exist', (doc) => {
  const named = codeSpans(read(doc)).filter((span) => inRepository.test(span) && !span.includes('{chain}'))
  expect(named.flatMap(expandBraces).filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('the threat table names only files that exist', () => {
  const rows = read(threats).split('\n')
  const service = rows.indexOf('## Swap service')
  const missing = rows.flatMap((row, index) => {
    if (!row.startsWith('|')) return []
    const roots = index < service ? ['src/', 'tests/', ''] : ['service/', 'tests/service/', '']
    return codeSpans(row)
      .filter((span) => /^[a-z]\w*\/[\w./{},-]+$/.test(span))
      .flatMap(expandBraces)
      .filter((path) => !roots.some((folder) => exists(folder + path)))
  })
  expect(missing).toEqual([])
})

it('finds the documents and their paths', () => {
  expect(docs.length).toBeGreaterThan(14)
  expect(docs.filter((doc) => read(doc).includes('`src/')).length).toBeGreaterThan(6)
  expect(codeSpans(read(threats)).length).toBeGreaterThan(200)
  expect(expandBraces('a/{b,c}.ts')).toEqual(['a/b.ts', 'a/c.ts'])
})

function read(doc: string): string {
  return readFileSync(join(root, doc), 'utf8')
}

function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
}

function expandBraces(span: string): string[] {
  const [, before = '', names, after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(span) ?? []
  return names === undefined
    ? [span]
    : names.split(',').flatMap((name) => expandBraces(before + name + after))
}

function exists(path: string): boolean {
  return endings.some((ending) => existsSync(join(root, path + ending)))
}
