import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashInputs } from '../../dev/build.ts'

const files = [
  ...['src/config.ts', 'src/i18n/de.json', 'entrypoints/background.ts', 'public/icon/16.png'],
  ...['scripts/packCommonPasswords.ts', 'wxt.config.ts', 'package.json', 'package-lock.json', 'LICENSE'],
]
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-build-'))
  for (const file of files) write(file, 'as it was')
})
afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

describe('hashInputs', () => {
  it('ignores unrelated files and includes the environment', () => {
    const before = hashInputs({}, root)
    write('README.md', 'is none of it')
    expect(hashInputs({}, root)).toBe(before)
    expect(hashInputs({ WXT_CHAIN: '1' }, root)).not.toBe(before)
  })

  it.each(files)('changes when %s changes', (file) => {
    const before = hashInputs({}, root)
    write(file, 'as it is')
    expect(hashInputs({}, root)).not.toBe(before)
  })
})
