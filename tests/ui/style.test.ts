import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const ui = join(root, 'src/ui')

type Sheet = { name: string; isLazy: boolean; selectors: string[] }

/** Sheets in `style.css` load at start; others load with the code that imports them, and stay. */
const first = [...read(join(ui, 'style.css')).matchAll(/@import "(.*?)"/g)].map(([, path]) =>
  join(ui, path ?? ''),
)
const sheets: Sheet[] = filesOf(ui, /\.css$/)
  .filter((path) => path !== join(ui, 'style.css'))
  .map((path) => ({
    name: relative(ui, path),
    isLazy: !first.includes(path),
    selectors: selectorsOf(read(path)),
  }))
const lazy = sheets.filter(({ isLazy }) => isLazy)

describe('style sheets', () => {
  it('keeps all sheets in style/, and those that load later in style/lazy/', () => {
    const misplaced = sheets.filter(
      ({ name, isLazy }) => !(isLazy ? /^style\/lazy\/\w+\.css$/ : /^style\/\w+\.css$/).test(name),
    )
    expect(misplaced.map(({ name }) => name)).toEqual([])
    expect(lazy.length).toBeGreaterThan(0)
  })

  it('defines no class that is never used', () => {
    const worn = sources().join('\n')
    const made = [...worn.matchAll(/([\w-]+-)\$\{/g)].map(([, start]) => start ?? '')
    const isWorn = (name: string) =>
      new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(worn) || made.some((start) => name.startsWith(start))
    expect(
      [...new Set(sheets.flatMap(({ selectors }) => selectors.flatMap(classesOf)))].filter(
        (name) => !isWorn(name),
      ),
    ).toEqual([])
  })

  it('uses a class of its own in every selector of a sheet that loads later', () => {
    const strays = lazy.flatMap((sheet) => {
      const own = ownClasses(sheet)
      return sheet.selectors
        .filter((selector) => !classesOf(selector).some((name) => own.includes(name)))
        .map((selector) => `${sheet.name}: ${selector}`)
    })
    expect(strays).toEqual([])
  })

  it('loads a lazy sheet with every module that uses one of its classes', () => {
    const bare = lazy.flatMap((sheet) => {
      const own = ownClasses(sheet)
      return [...modules].flatMap(([path, { text }]) => {
        const worn = own.filter((name) => wornIn(text).has(name))
        return worn.length === 0 || isDressed(path, sheet.name)
          ? []
          : [`${relative(ui, path)}: ${worn} of ${sheet.name}`]
      })
    })
    expect(bare).toEqual([])
  })
})

function ownClasses(sheet: Sheet): string[] {
  const others = new Set(
    sheets.filter((one) => one !== sheet).flatMap(({ selectors }) => selectors.flatMap(classesOf)),
  )
  return [...new Set(sheet.selectors.flatMap(classesOf))].filter((name) => !others.has(name))
}

function classesOf(selector: string): string[] {
  return [...selector.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name]) => name ?? '')
}

function selectorsOf(sheet: string): string[] {
  const plain = sheet.replace(/\/\*.*?\*\//gs, '').replace(/@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '')
  return [...plain.matchAll(/([^{};]+)\{/g)]
    .map(([, list = '']) => list.trim())
    .filter((list) => !list.startsWith('@'))
    .flatMap((list) => list.split(/,(?![^(]*\))/).map((one) => one.trim()))
}

type Module = { text: string; imports: { path: string; isLazy: boolean }[] }

const modules = new Map<string, Module>(
  [...filesOf(ui, /\.tsx?$/), ...filesOf(join(root, 'entrypoints/popup'), /\.tsx?$/)].map((path) => {
    const text = read(path)
    const found = [...text.matchAll(/(from |import |import\()\s*'(\.[^']+)'/g)]
    const imports = found.map(([, how, to = '']) => ({
      path: resolve(dirname(path), to),
      isLazy: how === 'import(',
    }))
    return [path, { text, imports }]
  }),
)

/** True if a module, its static imports, or each of its importers loads the sheet. */
function isDressed(path: string, sheet: string): boolean {
  return brings(path, join(ui, sheet)) || isCovered(path, join(ui, sheet))
}

function brings(path: string, sheet: string, seen = new Set<string>()): boolean {
  if (seen.has(path)) return false
  seen.add(path)
  const now = (modules.get(path)?.imports ?? []).filter(({ isLazy }) => !isLazy)
  return now.some((one) => one.path === sheet || brings(one.path, sheet, seen))
}

function isCovered(path: string, sheet: string, seen: string[] = []): boolean {
  if (modules.get(path)?.imports.some((one) => one.path === sheet)) return true
  const users = [...modules]
    .filter(([, { imports }]) => imports.some((one) => one.path === path))
    .map(([user]) => user)
  const others = users.filter((user) => !seen.includes(user))
  return others.length > 0 && others.every((user) => isCovered(user, sheet, [...seen, path]))
}

function wornIn(text: string): Set<string> {
  const classes = [...text.matchAll(/class=(?:"([^"]*)"|\{([^}]*)\})/g)].map(
    ([, plain, made]) => plain ?? made ?? '',
  )
  return new Set(classes.flatMap((one) => one.split(/[^\w-]+/)))
}

function sources(): string[] {
  const language = filesOf(join(root, 'src/i18n'), /\.ts$/).map(read)
  return [
    ...[...modules.values()].map(({ text }) => text),
    ...language,
    read(join(root, 'entrypoints/popup/index.html')),
  ]
}

function filesOf(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => wanted.test(file))
    .map((file) => join(folder, file))
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
