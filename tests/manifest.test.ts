import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { version } from '../package.json' with { type: 'json' }
import { extensionIdOf } from './helpers/extensionId.ts'

const manifest = read('chrome-mv3')

/** Users are asked for additions; store/listing.md justifies them. */
const whole = {
  manifest_version: 3,
  name: 'Sluice',
  description: '__MSG_description__',
  default_locale: 'en',
  version,
  minimum_chrome_version: '120',
  icons: {
    '16': 'icon/16.png',
    '32': 'icon/32.png',
    '48': 'icon/48.png',
    '96': 'icon/96.png',
    '128': 'icon/128.png',
  },
  key: expect.any(String),
  action: { default_title: 'Sluice', default_popup: 'popup.html' },
  side_panel: { default_path: 'popup.html' },
  background: { service_worker: 'background.js' },
  permissions: ['storage', 'alarms', 'sidePanel'],
  optional_permissions: ['notifications'],
  host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'],
  optional_host_permissions: ['https://*/*'],
  externally_connectable: { ids: [] },
  content_scripts: [
    {
      matches: ['http://127.0.0.1/*', 'http://localhost/*', 'https://*/*'],
      run_at: 'document_start',
      js: ['content-scripts/page.js'],
      world: 'MAIN',
    },
    {
      matches: ['http://127.0.0.1/*', 'http://localhost/*', 'https://*/*'],
      run_at: 'document_start',
      js: ['content-scripts/relay.js'],
    },
  ],
  content_security_policy: {
    extension_pages:
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
      "connect-src 'self' https: http://127.0.0.1:* http://localhost:*; object-src 'none'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  },
}

const { key, minimum_chrome_version, side_panel, background, permissions, ...both } = whole
const inFirefox = {
  ...both,
  browser_specific_settings: {
    gecko: {
      id: 'wallet@sluice',
      strict_min_version: '153.0',
      data_collection_permissions: { required: ['financialAndPaymentInfo'] },
    },
  },
  sidebar_action: { default_title: 'Sluice', default_panel: 'popup.html', open_at_install: false },
  background: { scripts: [background.service_worker] },
  // Clears a copied secret.
  permissions: ['storage', 'alarms', 'clipboardWrite'],
}

describe('manifest', () => {
  // Also: nothing web-accessible, no external connections, content scripts in the top frame only.
  it('matches the expected Chrome manifest exactly', () => {
    expect(manifest).toEqual(whole)
  })

  it('matches the expected Firefox manifest exactly (npm run build:firefox)', () => {
    expect(read('firefox-mv3')).toEqual(inFirefox)
  })

  it('has the key that determines the extension’s id', () => {
    const key = Buffer.from(manifest.key, 'base64')
    expect(extensionIdOf(key)).toBe('gnjajlgmbmfeloglbhjdpjpfjgppmakc')
  })
})

function read(build: string) {
  const file = resolve(import.meta.dirname, '../.output', build, 'manifest.json')
  return JSON.parse(readFileSync(file, 'utf8'))
}
