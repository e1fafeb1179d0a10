import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Packages whose code is in the extension, gathered while it is built: its licences ask to come along. */
export function createLicences(root: string) {
  const packages = new Set<string>()
  return {
    /** A plugin of the build that sees which packages end up in a bundle. */
    plugin: {
      name: 'licences',
      generateBundle(_options: unknown, bundle: Record<string, { type: string; modules?: Modules }>) {
        for (const { modules = {} } of Object.values(bundle)) {
          for (const [id, { renderedLength }] of Object.entries(modules)) {
            const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]
            if (name !== undefined && renderedLength > 0) packages.add(name)
          }
        }
      },
    },

    /** What src/ui/screens/settings/About.tsx shows: each text once, with the packages that it is of. */
    pack(): Buffer {
      const byText = new Map<string, string[]>()
      const own = { name: 'Sluice', text: readLicence(root) ?? '' }
      for (const { name, text } of [own, ...[...packages].sort().map((name) => licenceOf(root, name))]) {
        byText.set(text, [...(byText.get(text) ?? []), name])
      }
      const licences = [...byText].map(([text, names]) => ({ names, text }))
      return gzipSync(JSON.stringify(licences), { level: 9 })
    },
  }
}

type Modules = Record<string, { renderedLength: number }>

/** A package without a file of its own says by a word which licence it is under. */
function licenceOf(root: string, name: string): { name: string; text: string } {
  const folder = join(root, 'node_modules', name)
  const { version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const by = typeof author === 'string' ? author : author?.name
  return { name: `${name} ${version}`, text: readLicence(folder) ?? [license, by].filter(Boolean).join(', ') }
}

function readLicence(folder: string): string | undefined {
  const file = existsSync(folder) && readdirSync(folder).find((name) => /^licen[cs]e(\.\w+)?$/i.test(name))
  return file ? readFileSync(join(folder, file), 'utf8').trim() : undefined
}
