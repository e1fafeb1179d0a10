import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { whyNoRelease } from '../../scripts/commit.ts'
import { slow } from '../helpers/slow.ts'
import { commit, git, layOut, release } from './checkout.ts'

slow('Programs are started.')

let folder: string

beforeEach(() => {
  folder = layOut()
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  commit(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

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
  'is deleted for good': { change: () => git(folder, 'rm', '-q', 'kept.txt'), said: 'deleted: "kept.txt"' },
  'has another name': {
    change: () => git(folder, 'mv', 'kept.txt', 'moved.txt'),
    said: 'changed: "moved.txt"; deleted: "kept.txt"',
  },
}

describe('release precondition', () => {
  it('allows a release from a clean commit', () => {
    expect(whyNoRelease(folder)).toBeUndefined()
  })

  it.each(Object.keys(ways))('rejects a release where a file %s, and names it', (name) => {
    const { change, said } = ways[name]!
    change()
    const words = `No release: it is made of what is committed, and this differs. ${said}. Commit it, or take it away (git stash -u).`
    expect(whyNoRelease(folder)).toBe(words)
    mkdirSync(join(folder, 'dist'))
    const done = release(folder)
    expect([done.status, done.stderr]).toEqual([1, `✗ ${words}\n`])
    // Must not be mistaken for this release.
    expect(existsSync(join(folder, 'dist'))).toBe(false)
  })
})
