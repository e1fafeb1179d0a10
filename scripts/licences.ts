import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzip } from './gzip.ts'

/**
 * Packages whose code is in the extension, gathered while it is built, and `data`, those whose data are: their licences ask to come
 * along.
 */
export function createLicences(root: string, data: string[]) {
  const packages = new Set(data)
  return {
    /** A plugin of the build that sees which packages end up in a bundle. */
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

    /** What src/ui/settings/About.tsx shows: each text once, with the packages that it is of. */
    pack(): Promise<Buffer> {
      const byText = new Map<string, string[]>()
      const own = { name: 'Sluice', text: readLicence(root) ?? '' }
      for (const { name, text } of [own, ...[...packages].sort().map((name) => licenceOf(root, name))]) {
        byText.set(text, [...(byText.get(text) ?? []), name])
      }
      const licences = [...byText].map(([text, names]) => ({ names, text }))
      return gzip(licences)
    },
  }
}

type Modules = Record<string, { renderedLength: number }>

/** Vite puts a few lines of its own into what loads others. */
function packageOf(id: string): string | undefined {
  return /(?:^\0(?=vite\/)|.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]
}

/** A package without a file of its own says by a word which licence it is under: it gets the words of ours, and its own author. */
function licenceOf(root: string, name: string): { name: string; text: string } {
  const folder = join(root, 'node_modules', name)
  const { version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const text = readLicence(folder) ?? (license === 'MIT' ? mitOf(root, author) : undefined)
  if (text === undefined) throw new Error(`${name} has no licence that can come along.`)
  return { name: `${name} ${version}`, text }
}

function mitOf(root: string, author: string | { name: string }): string | undefined {
  const by = typeof author === 'string' ? author : author.name
  return readLicence(root)?.replace(/^Copyright.*$/m, `Copyright (c) ${by}`)
}

function readLicence(folder: string): string | undefined {
  const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name))
  if (!file) return undefined
  // Of what a package brings inside it, as a tool does, nothing is in the extension.
  const [text = ''] = readFileSync(join(folder, file), 'utf8').split('\n# Licenses of bundled dependencies')
  return text.trim()
}
