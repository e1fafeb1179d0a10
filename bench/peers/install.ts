import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Their 540 MB stay out of the repository. */
const folder = import.meta.dirname

/**
 * Installs the pinned routers once per lock file into the system's temporary folder, without install scripts,
 * and returns a `require` that finds them.
 */
export function installPeers(): NodeJS.Require {
  const hash = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const place = join(tmpdir(), `sluice-peers-${hash.slice(0, 16)}`)
  const done = join(place, 'installed')
  if (!existsSync(done)) {
    mkdirSync(place, { recursive: true })
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(folder, name), join(place, name))
    copyFileSync(resolve(folder, '../../.npmrc'), join(place, '.npmrc'))
    execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] })
    writeFileSync(done, '')
  }
  return createRequire(join(place, 'package.json'))
}

/** Returns the pinned versions by package. */
export function readPeerVersions(): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies
}
