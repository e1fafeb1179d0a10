import { execFileSync } from 'node:child_process'

/** Why no release can be made of the checkout in `root`; `undefined` when it is its commit, whole, and nothing else. */
export function whyNoRelease(root: string): string | undefined {
  const files: Record<string, string[]> = { changed: [], deleted: [], 'unknown to git': [] }
  for (const line of status(root)) {
    const how = line.startsWith('??')
      ? 'unknown to git'
      : line.slice(0, 2).includes('D')
        ? 'deleted'
        : 'changed'
    files[how]?.push(line.slice(3))
  }
  const found = Object.entries(files)
    .filter(([, names]) => names.length > 0)
    .map(([how, names]) => `${how}: ${listed(names)}`)
  if (found.length === 0) return undefined
  return `No release: it is made of what is committed, and this differs. ${found.join('; ')}. Commit it, or take it away (git stash -u).`
}

/** The first of them: there may be a whole folder. */
function listed(names: string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${name}"`)
  return [...shown, ...(names.length > 5 ? [`and ${names.length - 5} more`] : [])].join(', ')
}

/** Two letters, a space and a name for each file. With `-z` no name is in quotes. */
function status(root: string): string[] {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all']
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
}
