import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildService, listServiceInputs } from '../../scripts/serviceBuild.mjs'
import { slow } from '../helpers/slow.ts'

slow('Bundles as a process of its own.')

const here = resolve(import.meta.dirname, '../..')
const files = {
  'service/main.ts': "import { says } from './says.ts'\nconsole.log(says as string)\n",
  'service/says.ts': "export const says: string = 'first'\n",
  'service/search/searchThread.ts': "import { says } from '../says.ts'\nconsole.log(says, 'works')\n",
  'service/chains/1.json': '{}',
  'src/config.ts': 'export {}\n',
}
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-service-build-'))
  for (const [file, text] of Object.entries(files)) write(file, text)
  for (const name of ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'LICENSE']) {
    cpSync(join(here, name), join(root, name), { recursive: true })
  }
  cpSync(join(here, 'service/tsconfig.json'), join(root, 'service/tsconfig.json'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

function append(file: string): void {
  write(file, `${readFileSync(join(root, file), 'utf8')}\n`)
}

/** Stands for the bundler where its output does not matter. */
function fakeBundle(_root: string, folder: string): void {
  writeFileSync(join(folder, 'main.js'), '')
}

const run = (file: string) => spawnSync(process.execPath, [file], { encoding: 'utf8' })
const builds = () => readdirSync(join(root, '.output/service'))

describe('buildService with the real bundler', () => {
  beforeEach(() => symlinkSync(join(here, 'node_modules'), join(root, 'node_modules')))

  it('builds entries that run, and others after a source has changed', () => {
    const first = buildService(root)
    expect(run(join(first, 'main.js')).stdout).toBe('first\n')
    expect(run(join(first, 'searchThread.js')).stdout).toBe('first works\n')

    write('service/says.ts', "export const says: string = 'second'\n")
    const second = buildService(root)
    expect(second).not.toBe(first)
    expect(run(join(second, 'main.js')).stdout).toBe('second\n')
    // A running service keeps the files of its build.
    expect(run(join(first, 'searchThread.js')).stdout).toBe('first works\n')
  })

  it('names the source and line of an error by the source map', () => {
    write('service/main.ts', "// On the third line.\n\nthrow new Error('here')\n")
    const main = join(buildService(root), 'main.js')
    const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', main], { encoding: 'utf8' })
    expect(stderr).toContain('service/main.ts:3:')
  })

  it('throws on a source that does not parse, and leaves no build', () => {
    write('service/main.ts', 'const = 1')
    expect(() => buildService(root)).toThrow(/The service did not build\..*main\.ts/s)
    expect(builds()).toEqual([])
  })

  it('throws on a module outside of the hashed sources', () => {
    write('service/main.ts', "import '../src/config.ts'\n")
    write('src/config.ts', "console.log('unhashed')\n")
    expect(() => buildService(root)).toThrow('Not among the inputs: src/config.ts')
  })
})

describe('buildService', () => {
  it('bundles once for the same sources', () => {
    let count = 0
    const bundle = (from: string, folder: string) => {
      count++
      fakeBundle(from, folder)
    }
    const folder = buildService(root, bundle)
    expect(buildService(root, bundle)).toBe(folder)
    expect(count).toBe(1)
    expect(builds()).toEqual([basename(folder)])
  })

  it.each([
    ...['service/main.ts', 'service/search/searchThread.ts', 'service/tsconfig.json', 'tsconfig.json'],
    ...['package.json', 'package-lock.json', 'LICENSE'],
    ...[
      'scripts/bundleService.ts',
      'scripts/licences.ts',
      'scripts/serviceBuild.mjs',
      'scripts/hashFiles.mjs',
    ],
  ])('builds again when %s has changed', (file) => {
    const before = buildService(root, fakeBundle)
    append(file)
    expect(buildService(root, fakeBundle)).not.toBe(before)
  })

  it('builds again when a source was added, renamed or removed', () => {
    const folders = [buildService(root, fakeBundle)]
    write('service/other.ts', '')
    folders.push(buildService(root, fakeBundle))
    rmSync(join(root, 'service/other.ts'))
    write('service/another.ts', '')
    folders.push(buildService(root, fakeBundle))
    expect(new Set(folders).size).toBe(3)
    rmSync(join(root, 'service/another.ts'))
    expect(buildService(root, fakeBundle)).toBe(folders[0])
  })

  it('builds again after an install', () => {
    const before = buildService(root, fakeBundle)
    write('node_modules/.package-lock.json', '{}')
    expect(buildService(root, fakeBundle)).not.toBe(before)
  })

  it('ignores configs, which are read at each start, and the wallet', () => {
    const before = buildService(root, fakeBundle)
    append('service/chains/1.json')
    append('src/config.ts')
    expect(buildService(root, fakeBundle)).toBe(before)
  })

  it('builds again when a source changes while it is bundled', () => {
    let count = 0
    const folder = buildService(root, (_from, fresh) => {
      if (count++ === 0) append('service/says.ts')
      writeFileSync(join(fresh, 'main.js'), String(count))
    })
    expect(readFileSync(join(folder, 'main.js'), 'utf8')).toBe('2')
    expect(builds()).toEqual([basename(folder)])
  })

  it('takes the build that another process has finished meanwhile', () => {
    let other = ''
    const folder = buildService(root, (_from, fresh) => {
      fakeBundle('', fresh)
      const script = `import { buildService } from ${JSON.stringify(join(here, 'scripts/serviceBuild.mjs'))}
        import { writeFileSync } from 'node:fs'
        console.log(buildService(${JSON.stringify(root)}, (_, at) => writeFileSync(at + '/main.js', 'other')))`
      const args = ['--input-type=module', '-e', script]
      other = spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout.trim()
    })
    expect(folder).toBe(other)
    expect(readFileSync(join(folder, 'main.js'), 'utf8')).toBe('other')
    expect(builds()).toEqual([basename(folder)])
  })

  it('keeps five builds', () => {
    const folders = Array.from({ length: 7 }, () => {
      append('service/says.ts')
      return buildService(root, fakeBundle)
    })
    expect(builds()).toHaveLength(5)
    expect(existsSync(folders.at(-1) ?? '')).toBe(true)
  })
})

it('has the licence of every bundled package', () => {
  const folder = buildService()
  const maps = readdirSync(folder).filter((name) => name.endsWith('.js.map'))
  const sources = maps.flatMap(
    (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).sources as string[],
  )
  const packages = sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
  expect(packages).toContain('viem')
  expect(packages).toContain('@redis/client')
  const lines = readFileSync(join(folder, 'licences.txt'), 'utf8').split('\n')
  const named = lines.flatMap((line) => [...line.matchAll(/(\S+) \d+\.\d+\.\d+/g)].map(([, name]) => name))
  expect(named).toEqual(expect.arrayContaining([...new Set(packages), 'rapidoc']))
})

it('lists every source of the service as an input', () => {
  const inputs = listServiceInputs(here)
  expect(inputs).toContain('service/main.ts')
  expect(inputs).toContain('node_modules/.package-lock.json')
  expect(inputs.filter((file: string) => file.startsWith('service/')).length).toBeGreaterThan(100)
})
