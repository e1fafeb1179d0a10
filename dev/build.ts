import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { filesUnder, hashFiles } from '../scripts/hashFiles.mjs'

const root = resolve(import.meta.dirname, '..')
const folder = join(root, '.output/chrome-mv3')
const stampFile = join(root, '.output/built-from')

/**
 * Builds the extension when sources or `env` (the WXT_ variables of src/config.ts) have changed. Returns its
 * folder; throws the builder's output.
 */
export function buildExtension(env: Record<string, string>): string {
  const inputs = hashInputs(env, root)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stampOf(inputs)) return folder
  const done = spawnSync(process.execPath, [join(root, 'node_modules/wxt/bin/wxt.mjs'), 'build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (done.status !== 0) throw new Error(`The extension did not build.\n${done.stdout}${done.stderr}`)
  writeFileSync(stampFile, stampOf(inputs))
  return folder
}

/** The manifest's time reveals other builds. */
function stampOf(inputs: string): string {
  const manifest = join(folder, 'manifest.json')
  return `${inputs} ${existsSync(manifest) ? statSync(manifest).mtimeMs : 'none'}`
}

const sources = [
  ...['src', 'entrypoints', 'public', 'scripts'],
  ...['wxt.config.ts', 'package.json', 'package-lock.json', 'LICENSE'],
]

export function hashInputs(env: Record<string, string>, root: string): string {
  return hashFiles(
    root,
    sources.flatMap((path) => filesUnder(root, path)),
    JSON.stringify(env),
  )
}
