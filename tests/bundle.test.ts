import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureBundles } from '../bench/bytes.ts'

const folder = resolve(import.meta.dirname, '../.output/chrome-mv3')

describe('the built extension', () => {
  it('has been built: npm run build', () => {
    expect(existsSync(join(folder, 'manifest.json'))).toBe(true)
  })

  // The limits are the product's own (README, Small and fast), in bytes of the default gzip.
  it('keeps every world within its budget', () => {
    const { popupScript, popupStyle, worker, unpacked } = measureBundles(folder)
    expect(popupScript.gzip).toBeLessThanOrEqual(32_000)
    expect(popupStyle.gzip).toBeLessThanOrEqual(7_000)
    expect(worker.gzip).toBeLessThanOrEqual(85_000)
    expect(unpacked).toBeLessThanOrEqual(1_000_000)
  })

  // Not compressed: the browser reads them from the disk for every page.
  it('keeps what every web page loads within its budget', () => {
    const bytesOf = (name: string) => statSync(join(folder, 'content-scripts', name)).size
    expect(bytesOf('page.js')).toBeLessThanOrEqual(6_000)
    expect(bytesOf('relay.js')).toBeLessThanOrEqual(4_000)
  })

  // An extension's pages and its worker may not, and a library that tries is told so each time the worker starts.
  it('never makes code from text', () => {
    const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    )
    const makers = scripts.filter((name) =>
      /\beval\(|\bFunction\(/.test(readFileSync(join(folder, name), 'utf8')),
    )
    expect(scripts).toContain('background.js')
    expect(makers).toEqual([])
  })

  it('starts the provider in the top frame of secure pages, before their own scripts', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    const matches = ['http://127.0.0.1/*', 'http://localhost/*', 'https://*/*']
    expect(manifest.content_scripts).toEqual([
      { matches, run_at: 'document_start', js: ['content-scripts/page.js'], world: 'MAIN' },
      { matches, run_at: 'document_start', js: ['content-scripts/relay.js'] },
    ])
  })

  it('asks for no more than it needs', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    // The side panel is the popup in another place.
    expect(manifest.permissions).toEqual(['storage', 'alarms', 'sidePanel'])
    expect(manifest.side_panel).toEqual({ default_path: 'popup.html' })
    expect(manifest.optional_permissions).toEqual(['notifications'])
    expect(manifest.host_permissions).toEqual(['http://127.0.0.1/*', 'http://localhost/*'])
    expect(manifest.optional_host_permissions).toEqual(['https://*/*'])
    expect(manifest.externally_connectable).toEqual({ ids: [] })
    expect(manifest.web_accessible_resources).toBeUndefined()
    expect(manifest.content_security_policy.extension_pages).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self' https: http://127.0.0.1:* http://localhost:*; object-src 'none'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
  })
})
