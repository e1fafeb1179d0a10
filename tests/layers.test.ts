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

describe('layers', () => {
  it('assigns every file under src and service to a layer', () => {
    expect(sources().filter((file) => partOf(file) === undefined)).toEqual([])
  })

  it('allows only the declared imports between layers', () => {
    expect(imports().filter(({ from, to }) => !isAllowed(from, to))).toEqual([])
  })

  it('lets the protocol import only types from the vault', () => {
    const runs = imports().filter(
      ({ from, to, typeOnly }) => partOf(from) === 'src/protocol' && partOf(to) === 'src/vault' && !typeOnly,
    )
    expect(runs).toEqual([])
  })

  it('has no import cycle, type-only imports included', () => {
    expect(cycles(imports())).toEqual([])
  })

  it('detects an import cycle', () => {
    const edges = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'b'],
      ['c', 'd'],
    ].map(([from = '', to = '']) => ({ from, to }))
    expect(cycles(edges)).toEqual([['b', 'c', 'b']])
  })

  it('imports no test or development code into shipped code', () => {
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

/** Returns the first cycle below each file that has one. */
function cycles(edges: { from: string; to: string }[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to])
  const done = new Set<string>()
  const found: string[][] = []
  function visit(file: string, path: string[]): void {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file])
    if (path.includes(file) || done.has(file)) return
    for (const to of targets.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  return found
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
