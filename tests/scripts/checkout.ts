import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** A temporary project, releasable once committed. */
export function layOut(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-checkout-'))
  mkdirSync(join(folder, 'scripts'))
  for (const name of ['package.ts', 'commit.ts', 'zip.ts'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module","version":"1.2.3"}')
  writeFileSync(join(folder, 'kept.txt'), 'kept')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\ndist\n')
  return folder
}

export function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.example', '-c', 'commit.gpgsign=false']
  execFileSync('git', [...who, ...args], { cwd: folder })
}

export function commit(folder: string): void {
  git(folder, 'init', '-q')
  git(folder, 'add', '.')
  git(folder, 'commit', '-q', '-m', 'First')
}

export function release(folder: string, env: Record<string, string> = {}) {
  return spawnSync(process.execPath, ['--import', 'tsx', 'scripts/package.ts'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
}
