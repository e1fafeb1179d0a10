import { execFileSync } from 'node:child_process'

/** Returns why the checkout cannot be released, or undefined when it equals its commit. */
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

/** First five names. */
function listed(names: string[]): string {
  const shown = names.slice(0, 5).map((name) => `"${name}"`)
  return [...shown, ...(names.length > 5 ? [`and ${names.length - 5} more`] : [])].join(', ')
}

/** `-z` avoids quoted names. */
function status(root: string): string[] {
  const args = ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all']
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
}
