import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Besides itself (README, "Who may import whom"). */
const arrows: Record<string, string[]> = {
  'src/errors': [],
  'src/lib': [],
  'src/domain': ['src/errors', 'src/lib'],
  'src/config': ['src/domain', 'src/errors', 'src/lib'],
  'src/protocol': ['src/domain', 'src/errors', 'src/vault', 'src/lib'],
  'src/messaging': ['src/domain', 'src/errors', 'src/lib'],
  'src/httpClient': [],
  'src/api': ['src/httpClient', 'src/domain', 'src/errors', 'src/config', 'src/lib'],
  'src/evm': ['src/httpClient', 'src/domain', 'src/errors', 'src/config', 'src/lib'],
  'src/vault': ['src/errors', 'src/lib'],
  'src/background': [
    'src/api',
    'src/evm',
    'src/vault',
    'src/protocol',
    'src/messaging',
    'src/domain',
    'src/errors',
    'src/config',
    'src/lib',
  ],
  'src/provider': ['src/protocol', 'src/messaging', 'src/domain', 'src/errors', 'src/lib'],
  'src/state': ['src/protocol', 'src/messaging', 'src/domain', 'src/errors', 'src/config', 'src/lib'],
  'src/i18n': ['src/domain', 'src/errors', 'src/lib'],
  'src/ui': ['src/i18n', 'src/state', 'src/protocol', 'src/domain', 'src/errors', 'src/config', 'src/lib'],
  service: [],
}

describe('the layers', () => {
  it('knows every file under src and service', () => {
    expect(sources().filter((file) => partOf(file) === undefined)).toEqual([])
  })

  it('lets nobody import against the arrows', () => {
    expect(imports().filter(({ from, to }) => !isAllowed(from, to))).toEqual([])
  })

  it('lets the protocol take types from the vault, and nothing that runs', () => {
    const runs = imports().filter(
      ({ from, to, typeOnly }) => partOf(from) === 'src/protocol' && partOf(to) === 'src/vault' && !typeOnly,
    )
    expect(runs).toEqual([])
  })

  it('keeps the test world out of everything that ships', () => {
    const strays = imports().filter(({ to }) => /^(dev|tests|contracts|bench|scripts)\//.test(to))
    expect(strays).toEqual([])
  })

  it('reads the environment in one file of the wallet and one of the service', () => {
    const readers = sources().filter((file) =>
      /import\.meta\.env|process\.env/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(readers).toEqual(['src/config.ts', 'service/main.ts'])
  })
})

type Import = { from: string; to: string; typeOnly: boolean }

function imports(): Import[] {
  return sources().flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8')
    const found = text.matchAll(
      /(?:^|\n)\s*(import|export)\s+(type\s)?[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*)?['"](\.[^'"]+)['"]/g,
    )
    const lazy = text.matchAll(/import\(\s*['"](\.[^'"]+)['"]\s*\)/g)
    const target = (path: string) => relative(root, resolve(root, dirname(from), path))
    return [
      ...[...found].map(([, , type, path]) => ({
        from,
        to: target(path ?? ''),
        typeOnly: type !== undefined,
      })),
      ...[...lazy].map(([, path]) => ({ from, to: target(path ?? ''), typeOnly: false })),
    ]
  })
}

function isAllowed(from: string, to: string): boolean {
  const source = partOf(from)
  const target = partOf(to)
  if (source === undefined || to.endsWith('.css') || to.endsWith('.json')) return true
  return source === target || (target !== undefined && (arrows[source] ?? []).includes(target))
}

function partOf(file: string): string | undefined {
  return Object.keys(arrows).find(
    (part) => file.startsWith(`${part}/`) || file === `${part}.ts` || file === `${part}.tsx`,
  )
}

function sources(): string[] {
  return ['src', 'service'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
      .map((file) => `${folder}/${file}`)
      .sort(),
  )
}
