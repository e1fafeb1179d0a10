import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { measureBundles } from '../bench/extension/bytes.ts'
import { publicChains } from '../src/domain/network/chains.ts'

const folder = resolve(import.meta.dirname, '../.output/chrome-mv3')

describe('extension build', () => {
  it('contains a manifest (run npm run build first)', () => {
    expect(existsSync(join(folder, 'manifest.json'))).toBe(true)
  })

  // README, Small and fast; default gzip. The worker's limit: docs/decisions.md.
  it('keeps the popup, the worker and the total size within their budgets', () => {
    const { popupScript, popupStyle, worker, unpacked } = measureBundles(folder)
    expect(popupScript.gzip).toBeLessThanOrEqual(40_000)
    expect(popupStyle.gzip).toBeLessThanOrEqual(9_000)
    expect(worker.gzip).toBeLessThanOrEqual(186_000)
    expect(unpacked).toBeLessThanOrEqual(3_000_000)
  })

  // Uncompressed too: read from disk on every page.
  it('keeps the scripts that every web page loads within their budgets', () => {
    const { page, relay, pages } = measureBundles(folder)
    expect(page.raw).toBeLessThanOrEqual(6_000)
    expect(relay.raw).toBeLessThanOrEqual(4_000)
    expect(pages.gzip).toBeLessThanOrEqual(4_000)
  })
})

describe('token lists', () => {
  it.each(['chrome-mv3', 'firefox-mv3'])('has each list in %s, none of them readable by pages', (build) => {
    const built = resolve(import.meta.dirname, '../.output', build)
    for (const { chainId } of publicChains) {
      const path = `tokenLists/${chainId}.json`
      const own = readFileSync(resolve(import.meta.dirname, '../public', path), 'utf8')
      expect(readFileSync(join(built, path), 'utf8')).toBe(own)
    }
    expect(readdirSync(join(built, 'tokenLists'))).toHaveLength(publicChains.length)
    const manifest = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8'))
    expect(manifest).not.toHaveProperty('web_accessible_resources')
  })
})

// Chromium logs an unread `lastError` in the page's console whenever the worker stops.
describe('lastError of a disconnected port', () => {
  it.each(['chrome-mv3', 'firefox-mv3'])('keeps the read of lastError in the relay of %s', (build) => {
    const relay = resolve(import.meta.dirname, '../.output', build, 'content-scripts/relay.js')
    expect(readFileSync(relay, 'utf8')).toContain('lastError')
  })
})

describe("page script in the page's main world", () => {
  it.each(['chrome-mv3', 'firefox-mv3'])('runs in strict mode in %s', (build) => {
    const path = resolve(import.meta.dirname, '../.output', build, 'content-scripts/page.js')
    const script = readFileSync(path, 'utf8')
    const probe = `${script.slice(0, script.indexOf(';') + 1)}(function () { return this === undefined })()`
    expect(runInNewContext(probe)).toBe(true)
  })
})

const makers: Record<string, { like: RegExp; canaries: string[] }> = {
  eval: { like: /\beval\b/, canaries: ['eval("1")', '(0,eval)("1")', 'globalThis.eval(x)', 'let e=eval;'] },
  Function: {
    like: /\bFunction\s*\(|\bFunction\s*\)?\s*\.\s*(call|apply|bind|constructor)\b|=\s*Function\b/,
    canaries: ['new Function("1")', 'Function(x)()', 'Function.call(0,x)', 'let f=Function;'],
  },
  'the constructor of a function': {
    like: /constructor\s*\(\s*["'`]|\bconstructor\.constructor\b/,
    canaries: ['(()=>{}).constructor("1")()', '[].constructor.constructor(x)'],
  },
  'a timer with a text': {
    like: /\bset(Timeout|Interval)\s*\(\s*["'`]/,
    canaries: ["setTimeout('a()',1)", 'setInterval("a()")', 'setTimeout(`a()`)'],
  },
  'a script from elsewhere': {
    like: /\bimportScripts\b|\bimport\s*\((?!\s*["'`]\.)|\bfrom\s*["'`]https?:/,
    canaries: [
      'importScripts(x)',
      'import(x)',
      'import("https://a.example/a.js")',
      'from"https://a.example"',
    ],
  },
}

// The CSP forbids it; a library that tries logs a violation at each worker start.
describe('dynamic code', () => {
  it.each(['chrome-mv3', 'firefox-mv3'])('finds no dynamic code in the scripts of %s', (build) => {
    const built = resolve(import.meta.dirname, '../.output', build)
    const scripts = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    )
    expect(scripts).toContain('background.js')
    const found = scripts.flatMap((name) =>
      makersIn(readFileSync(join(built, name), 'utf8')).map((what) => `${name}: ${what}`),
    )
    expect(found).toEqual([])
  })

  it.each(Object.entries(makers))('detects %s', (what, { canaries }) => {
    for (const canary of canaries) expect(makersIn(canary), canary).toContain(what)
  })
})

function makersIn(script: string): string[] {
  return Object.entries(makers)
    .filter(([, { like }]) => like.test(script))
    .map(([what]) => what)
}
