import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import preact from '@preact/preset-vite'
import { minify } from 'terser'
import { defineConfig } from 'wxt'
import { gzip } from './scripts/gzip.ts'
import { createLicences } from './scripts/licences.ts'
import { packLanguages } from './scripts/packCatalogues.ts'
import { packPasswords } from './scripts/packCommonPasswords.ts'

/** CSP (docs/security/storage.md). The worker refuses other hosts unless configured. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' https: http://127.0.0.1:* http://localhost:*",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Fixes the extension id. */
const publicKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAo9GUfOrLsmSbjbdRBKnwx8ZH7KI8pKx5eOUB4mzKIblLeUJecedkUYHtzu7R/coVrYQa6EW+yLLqI5+LgMAMppPeapxV/fGeLdLM4QgXqHCmcIUdnffYxEiWnRXgGX/U5a096kDwWtIdLHlu/y8pFD5UuBOp4dED8Iie57Inf2OnmfoGK4+431CpBBTRjGHQ/B+DiVCe/4huCDcU1FaRysEdp4eZDQklI23JpTD4dh1Z8bKEHMrf+9nDvH2HnffhbTpLeuDZrUqyF36KMj8Orl6rquTvgFIvmLwCoopqm+iy9YIW43cyRZebV6l0FY4BjNvDe7dAdXbBRhD5+NguAQIDAQAB'

/**
 * For single-file scripts: 2 % smaller than with the bundler's minifier. Assumes getters without side
 * effects.
 */
const terserOptions = {
  ecma: 2020,
  compress: {
    ...{ passes: 3, hoist_funs: true, unsafe_arrows: true, pure_getters: true },
    ...{ sequences: false, lhs_constants: false, inline: 1 },
  },
} as const

/** Two shared files, one for the first screen: each file is a delay. */
const fewFiles = {
  name: 'few-files',
  // Single-file scripts are libraries.
  config: ({ build }: { build?: { lib?: unknown } }) =>
    build?.lib
      ? { build: { minify: 'terser', terserOptions } }
      : {
          build: {
            modulePreload: { polyfill: false },
            rolldownOptions: {
              output: {
                codeSplitting: {
                  groups: [
                    { name: firstShared, debugName: 'shared', minShareCount: 2, priority: 1 },
                    { name: 'later', minShareCount: 2 },
                  ],
                },
              },
            },
          },
        },
}

type Modules = { getModuleInfo(id: string): { isEntry: boolean; importers: string[] } | null }

function firstShared(id: string, modules: Modules): string | undefined {
  const seen = new Set([id])
  // Grows during iteration.
  for (const each of seen) {
    const { isEntry = false, importers = [] } = modules.getModuleInfo(each) ?? {}
    if (isEntry) return 'shared'
    for (const importer of importers) seen.add(importer)
  }
  return undefined
}

/**
 * Without `crossorigin`, files load about 10 ms faster. Nothing is painted before the script knows the theme.
 */
const ownFiles = {
  name: 'own-files',
  transformIndexHtml: {
    order: 'post' as const,
    handler: (html: string) =>
      html
        .replaceAll(' crossorigin', '')
        .replace('<script', '<script blocking="render"')
        .replace(/<!--.*?-->/gs, '')
        .replace(/\s*\n\s*(?=<)/g, ''),
  },
}

/** Browsers store pure ASCII in one byte per character: 3 ms less per start. */
const asciiAtStart = {
  name: 'ascii-at-start',
  enforce: 'post' as const,
  generateBundle(
    _options: unknown,
    files: Record<string, { code?: string; isEntry?: boolean; name?: string }>,
  ) {
    for (const file of Object.values(files)) {
      if (file.code === undefined || !(file.isEntry || file.name === 'shared')) continue
      if (/\\[^\0-\x7f]|String\.raw/.test(file.code))
        throw new Error(`${file.name}: a number would be read as another text.`)
      file.code = file.code.replace(
        /[^\0-\x7f]/g,
        (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
}

/** Terser again: 1 % smaller pages, new names in single-file scripts. */
const lastWord = {
  name: 'last-word',
  enforce: 'post' as const,
  async generateBundle({ format }: { format: string }, files: Record<string, { code?: string }>) {
    const isPages = format === 'es'
    for (const file of Object.values(files)) {
      if (file.code === undefined) continue
      const { code = file.code } = await minify(file.code, {
        ecma: 2020,
        module: isPages,
        compress: isPages && { passes: 3, unsafe_arrows: true },
      })
      if (code.length < file.code.length) file.code = code
    }
  },
}

/**
 * The bundler omits strict mode, and sloppy page functions could reach the script's functions and arguments
 * through `caller`.
 */
const strictPage = {
  name: 'strict-page',
  enforce: 'post' as const,
  generateBundle(_options: unknown, files: Record<string, { code?: string }>) {
    const file = files['content-scripts/page.js']
    if (file?.code !== undefined) file.code = `"use strict";${file.code}`
  },
}

/** Names are shorter than values. */
const shortConstants = { optimization: { inlineConst: false } } as const

/** WXT's start reveals content scripts to pages by events and the extension's id, and lets pages end them. */
function plainStart(command: 'build' | 'serve') {
  const kinds = command === 'build' ? 'content-script-\\w+-world|background' : 'content-script-\\w+-world'
  const entrypoint = new RegExp(`^\0virtual:wxt-(?:${kinds})-entrypoint\\?(.+)$`)
  return {
    name: 'plain-start',
    enforce: 'pre' as const,
    load(id: string) {
      const [, path] = entrypoint.exec(id) ?? []
      return path === undefined ? undefined : `import script from ${JSON.stringify(path)}\nscript.main()`
    },
  }
}

const onlyIn = {
  chromium: {
    key: publicKey,
    minimum_chrome_version: '120',
    side_panel: { default_path: 'popup.html' },
  },
  firefox: {
    browser_specific_settings: {
      gecko: {
        id: 'wallet@sluice',
        // MessageSender.documentId.
        strict_min_version: '153.0',
        // Only the user's RPC and swap service get accounts and amounts (store/privacy.md).
        data_collection_permissions: { required: ['financialAndPaymentInfo'] },
      },
    },
    // Firefox's side panel.
    sidebar_action: { default_title: 'Sluice', default_panel: 'popup.html', open_at_install: false },
  },
}

const licences = createLicences(
  import.meta.dirname,
  ['@aave-dao/aave-address-book', '@zxcvbn-ts/language-common', '@zxcvbn-ts/language-en'],
  { '@web3icons/core 4.0.56': 'public/networks' },
)

export default defineConfig({
  imports: false,
  manifestVersion: 3,
  hooks: {
    // As scripts, common passwords would be a third of the extension.
    'build:publicAssets': async (wxt, files) => {
      const packed = { 'passwords.gz': await packPasswords(), ...(await packLanguages()) }
      for (const [relativeDest, content] of Object.entries(packed)) {
        const absoluteSrc = join(wxt.config.wxtDir, relativeDest)
        writeFileSync(absoluteSrc, content)
        files.push({ absoluteSrc, relativeDest })
      }
    },
    'build:done': async (wxt) =>
      writeFileSync(join(wxt.config.outDir, 'licences.gz'), await gzip(licences.list())),
  },
  vite: ({ command }) => ({
    build: { rolldownOptions: shortConstants },
    plugins: [
      preact(),
      fewFiles,
      ownFiles,
      plainStart(command),
      licences.plugin,
      lastWord,
      strictPage,
      asciiAtStart,
    ],
  }),
  manifest: ({ browser }) => ({
    name: 'Sluice',
    description: '__MSG_description__',
    default_locale: 'en',
    // Firefox: clears a copied secret after a minute (secretClipboard.ts).
    permissions: ['storage', 'alarms', browser === 'firefox' ? 'clipboardWrite' : 'sidePanel'],
    // When the user turns notifications on.
    optional_permissions: ['notifications'],
    host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'],
    optional_host_permissions: ['https://*/*'],
    externally_connectable: { ids: [] },
    content_security_policy: { extension_pages: pagePolicy },
    ...onlyIn[browser === 'firefox' ? 'firefox' : 'chromium'],
  }),
})
