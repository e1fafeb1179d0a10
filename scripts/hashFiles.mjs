// Hashes of sources, by which builds are reused. No dependencies.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the SHA-256 (hex) of `label` and of the names and contents of `files`, relative to `root`. */
export function hashFiles(root, files, label = '') {
  const hash = createHash('sha256').update(JSON.stringify([label, files]))
  for (const file of files) {
    const content = readFileSync(join(root, file))
    hash.update(`${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Returns a file itself, or all files of a folder, sorted and relative to `root`. */
export function filesUnder(root, path) {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((file) => join(path, file))
    .filter((file) => statSync(join(root, file)).isFile())
    .sort()
}
