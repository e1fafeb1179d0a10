import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Collects the licences of bundled packages, of `data`, whose data is included, and of files copied from
 * elsewhere, by their name and folder.
 */
export function createLicences(root: string, data: string[], copied: Readonly<Record<string, string>> = {}) {
  const packages = new Set(data)
  return {
    plugin: {
      name: 'licences',
      generateBundle(_options: unknown, bundle: Record<string, { type: string; modules?: Modules }>) {
        for (const { modules = {} } of Object.values(bundle)) {
          for (const [id, { renderedLength }] of Object.entries(modules)) {
            const name = packageOf(id)
            if (name !== undefined && renderedLength > 0) packages.add(name)
          }
        }
      },
    },

    /** Adds the package of a file that comes along unbundled. */
    add(id: string): void {
      const name = packageOf(id)
      if (name !== undefined) packages.add(name)
    },

    /** Returns the texts, each once: the extension's for src/ui/settings/About.tsx. */
    list(): Licence[] {
      const byText = new Map<string, string[]>()
      const own = { name: 'Sluice', text: readLicence(root) ?? '' }
      const others = [...packages].sort().map((name) => licenceOf(root, name))
      const copies = Object.entries(copied).map(([name, folder]) => {
        return { name, text: requireLicence(name, readLicence(join(root, folder))) }
      })
      for (const { name, text } of [own, ...others, ...copies]) {
        byText.set(text, [...(byText.get(text) ?? []), name])
      }
      return [...byText].map(([text, names]) => ({ names, text }))
    },
  }
}

type Licence = { names: string[]; text: string }
type Modules = Record<string, { renderedLength: number }>

/** Vite adds code of its own. */
function packageOf(id: string): string | undefined {
  return /(?:^\0(?=vite\/)|.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]
}

/** MIT packages without a licence file get our text with their author. */
function licenceOf(root: string, name: string): { name: string; text: string } {
  const folder = join(root, 'node_modules', name)
  const { version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const holder = holders[name] ?? (typeof author === 'string' ? author : author?.name)
  const text = readLicence(folder) ?? (license === 'MIT' && holder ? mitOf(root, holder) : undefined)
  return { name: `${name} ${version}`, text: requireLicence(name, text) }
}

function requireLicence(name: string, text: string | undefined): string {
  if (text === undefined) throw new Error(`${name} has no licence that can come along.`)
  return text
}

/** Of packages that name no author: the holders in their repositories' licence. */
const holders: Readonly<Record<string, string>> = { '@redis/client': '2022-2025, Redis, inc.' }

function mitOf(root: string, holder: string): string | undefined {
  return readLicence(root)?.replace(/^Copyright.*$/m, `Copyright (c) ${holder}`)
}

function readLicence(folder: string): string | undefined {
  const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name))
  if (!file) return undefined
  // The extension contains none of these.
  const [text = ''] = readFileSync(join(folder, file), 'utf8').split('\n# Licenses of bundled dependencies')
  return text.trim()
}
