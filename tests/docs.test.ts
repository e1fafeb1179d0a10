import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

const docs = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
]

it.each(docs)('%s names no file that is not there', (doc) => {
  const text = readFileSync(join(root, doc), 'utf8')
  const named = [
    ...text.matchAll(/`((?:src|service|entrypoints|contracts|dev|tests|docs|scripts|bench)\/[\w./-]+)`/g),
  ]
  expect(named.flatMap(([, path = '']) => (existsSync(join(root, path)) ? [] : [path]))).toEqual([])
})

it('finds files named in most docs', () => {
  expect(docs.length).toBeGreaterThan(12)
  expect(
    docs.filter((doc) => readFileSync(join(root, doc), 'utf8').includes('`src/')).length,
  ).toBeGreaterThan(6)
})
