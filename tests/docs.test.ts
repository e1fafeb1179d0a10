import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

it.each(['README.md', 'docs/architecture.md', 'docs/glossary.md', 'docs/contributing.md'])(
  '%s names no file that is not there',
  (doc) => {
    const text = readFileSync(join(root, doc), 'utf8')
    const named = [
      ...text.matchAll(/`((?:src|service|entrypoints|contracts|dev|tests|docs|scripts|bench)\/[\w./-]+)`/g),
    ]
    expect(named.length).toBeGreaterThan(0)
    expect(named.flatMap(([, path = '']) => (existsSync(join(root, path)) ? [] : [path]))).toEqual([])
  },
)
