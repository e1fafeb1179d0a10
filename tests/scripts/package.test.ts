import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { slow } from '../helpers/slow.ts'
import { commit, layOut, release } from './checkout.ts'

slow('Programs are started.')

let folder: string

beforeEach(() => {
  folder = layOut()
  mkdirSync(join(folder, 'node_modules/wxt/bin'), { recursive: true })
  for (const name of ['tsx', 'jszip']) {
    const real = resolve(import.meta.dirname, '../../node_modules', name)
    symlinkSync(real, join(folder, 'node_modules', name))
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** `builder` replaces WXT. */
function releaseBy(builder: string, env: Record<string, string> = {}) {
  writeFileSync(join(folder, 'node_modules/wxt/bin/wxt.mjs'), `${standIn}${builder}`)
  const dist = join(folder, 'dist')
  const done = release(folder, env)
  return { ...done, made: existsSync(dist) ? readdirSync(dist).sort() : undefined }
}

const standIn = `
import { mkdirSync, writeFileSync } from 'node:fs'
const isFirefox = process.argv.includes('firefox')
const folder = '.output/' + (isFirefox ? 'firefox' : 'chrome') + '-mv3/'
const write = (name, content) => (mkdirSync(folder, { recursive: true }), writeFileSync(folder + name, content))
`

describe('release packages', () => {
  it('writes three zips when repeated builds for both browsers are equal', () => {
    commit(folder)
    const { status, stdout, made } = releaseBy(`write('manifest.json', '{}')`)
    expect(status).toBe(0)
    expect(made).toEqual(['chromium', 'firefox', 'sources'].map((name) => `sluice-1.2.3-${name}.zip`))
    expect(stdout.match(/^[0-9a-f]{64} {2}dist\//gm)).toHaveLength(3)
  })

  it('builds with only PATH and TZ in the environment', () => {
    commit(folder)
    const { status, stderr } = releaseBy(
      `console.error(Object.keys(process.env).sort().join()); process.exit(1)`,
      {
        WXT_ANY: 'thing',
      },
    )
    expect(status).toBe(1)
    expect(stderr).toContain('PATH,TZ')
  })

  it.each([
    {
      when: 'one browser’s builds differ',
      builder: `write('manifest.json', isFirefox ? process.env.TZ : '{}')`,
      said: 'firefox: manifest.json is not the same in both folders.',
    },
    { when: 'builds make nothing', builder: '', said: 'The build for chromium made no manifest.json.' },
    {
      when: 'builds make next to nothing',
      builder: `write('a.js', '')`,
      said: 'The build for chromium made no manifest.json.',
    },
    {
      when: 'a build fails',
      builder: `console.error('why'); process.exit(1)`,
      said: 'The build for chromium failed.\nwhy',
    },
  ])('writes no release when $when', ({ builder, said }) => {
    commit(folder)
    const { status, stderr, made } = releaseBy(builder)
    expect([status, stderr.trim(), made]).toEqual([1, `✗ ${said}`, undefined])
  })

  const words = '✗ No release: it is made of a commit, by git in a checkout of it.\n'

  it('fails outside a git checkout', () => {
    const { status, stderr } = releaseBy(`write('manifest.json', '{}')`)
    expect([status, stderr]).toEqual([1, words])
  })

  it('fails without git', () => {
    commit(folder)
    const { status, stderr } = releaseBy(`write('manifest.json', '{}')`, { PATH: folder })
    expect([status, stderr]).toEqual([1, words])
  })
})
