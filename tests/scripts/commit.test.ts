import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { whyNoRelease } from '../../scripts/commit.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-commit-'))
  mkdirSync(join(folder, 'scripts'))
  for (const name of ['package.ts', 'commit.ts', 'zip.ts'])
    cpSync(join(root, 'scripts', name), join(folder, 'scripts', name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module","version":"1.2.3"}')
  writeFileSync(join(folder, 'kept.txt'), 'kept')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\ndist\n')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  git('init', '-q')
  git('add', '.')
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.example', '-c', 'commit.gpgsign=false']
  git(...who, 'commit', '-q', '-m', 'First')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: folder })
}

const ways: Record<string, { change(): void; said: string }> = {
  'is changed': {
    change: () => writeFileSync(join(folder, 'kept.txt'), 'other'),
    said: 'changed: "kept.txt"',
  },
  'is unknown to git': {
    change: () => writeFileSync(join(folder, 'ein neues.txt'), ''),
    said: 'unknown to git: "ein neues.txt"',
  },
  'is deleted': { change: () => rmSync(join(folder, 'kept.txt')), said: 'deleted: "kept.txt"' },
  'is deleted for good': { change: () => git('rm', '-q', 'kept.txt'), said: 'deleted: "kept.txt"' },
  'has another name': {
    change: () => git('mv', 'kept.txt', 'moved.txt'),
    said: 'changed: "moved.txt"; deleted: "kept.txt"',
  },
}

describe('a release', () => {
  it('may be made of a commit', () => {
    expect(whyNoRelease(folder)).toBeUndefined()
  })

  it.each(Object.keys(ways))('is not made where a file %s, which is named', (name) => {
    const { change, said } = ways[name]!
    change()
    const words = `No release: it is made of what is committed, and this differs. ${said}. Commit it, or take it away (git stash -u).`
    expect(whyNoRelease(folder)).toBe(words)
    mkdirSync(join(folder, 'dist'))
    const done = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/package.ts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect([done.status, done.stderr]).toEqual([1, `✗ ${words}\n`])
    // What an earlier run made is not to be taken for a release of this.
    expect(existsSync(join(folder, 'dist'))).toBe(false)
  })
})
