import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import preact from '@preact/preset-vite'
import { minify } from 'terser'
import { defineConfig } from 'wxt'
import { createLicences } from './scripts/licences.ts'
import { packLanguages } from './scripts/packCatalogues.ts'
import { packPasswords } from './scripts/packCommonPasswords.ts'

/** The policy of our own pages (docs/security.md). Hosts beyond these are refused by the worker unless configured. */
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

/** A public key whose hash is the extension's id, so that the id is the same wherever it is loaded from. */
const publicKey =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAo9GUfOrLsmSbjbdRBKnwx8ZH7KI8pKx5eOUB4mzKIblLeUJecedkUYHtzu7R/coVrYQa6EW+yLLqI5+LgMAMppPeapxV/fGeLdLM4QgXqHCmcIUdnffYxEiWnRXgGX/U5a096kDwWtIdLHlu/y8pFD5UuBOp4dED8Iie57Inf2OnmfoGK4+431CpBBTRjGHQ/B+DiVCe/4huCDcU1FaRysEdp4eZDQklI23JpTD4dh1Z8bKEHMrf+9nDvH2HnffhbTpLeuDZrUqyF36KMj8Orl6rquTvgFIvmLwCoopqm+iy9YIW43cyRZebV6l0FY4BjNvDe7dAdXbBRhD5+NguAQIDAQAB'

/**
 * Of scripts that are one file by themselves every byte is read at each start. Terser leaves 2 % less of them than the bundler's own
 * minifier. What it may not do here is what makes a script shorter, but no smaller once it is packed. It may take for granted that to read
 * a property does nothing else, and that a function without a name is no constructor.
 */
const terserOptions = {
  ecma: 2020,
  compress: {
    ...{ passes: 3, hoist_funs: true, unsafe_arrows: true, pure_getters: true },
    ...{ sequences: false, lhs_constants: false, inline: 1 },
  },
} as const

/**
 * What several parts of the popup share is two files, not a dozen: each one is a wait. What the first screen needs is one of them;
 * the other, what only screens share that are opened later, is no part of the first wait.
 */
const fewFiles = {
  name: 'few-files',
  // Scripts that are one file by themselves (the worker) are built as libraries.
  config: ({ build }: { build?: { lib?: unknown } }) =>
    build?.lib
      ? { build: { minify: 'terser', terserOptions } }
      : {
          build: {
            modulePreload: { polyfill: false },
            rolldownOptions: {
              output: {
                codeSplitting: {
                  // What both could have, with all that it needs, is in the first.
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

/** The modules that import another one statically, of which one may be where the page starts. */
type Modules = { getModuleInfo(id: string): { isEntry: boolean; importers: string[] } | null }

function firstShared(id: string, modules: Modules): string | undefined {
  const seen = new Set([id])
  // A set may grow while it is walked.
  for (const each of seen) {
    const { isEntry = false, importers = [] } = modules.getModuleInfo(each) ?? {}
    if (isEntry) return 'shared'
    for (const importer of importers) seen.add(importer)
  }
  return undefined
}

/**
 * Scripts and styles of our own pages are asked for as the page's own. Asked for as if they were another origin's, which is what the
 * bundler writes, they come some ten milliseconds later. Nothing is painted before the script knows the theme.
 */
const ownFiles = {
  name: 'own-files',
  transformIndexHtml: {
    order: 'post' as const,
    handler: (html: string) =>
      html
        .replaceAll(' crossorigin', '')
        .replace('<script', '<script blocking="render"')
        // Comments and lines are for who reads the source.
        .replace(/<!--.*?-->/gs, '')
        .replace(/\s*\n\s*(?=<)/g, ''),
  },
}

/**
 * A script of ASCII alone the browser keeps byte by byte. One other sign makes two bytes of each of its characters, and the worker's
 * every start three milliseconds longer; the popup's is the same matter. Signs beyond ASCII stand in texts and patterns only, where they
 * can be written by their numbers: in what is read at the start, for elsewhere the larger file would cost more than it saves.
 */
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

/**
 * Terser finds one per cent more in what the bundler's own minifier made of our pages. Scripts that are one file by themselves it had
 * before: of those it chooses the names anew, now that everything has its place. What ships is the smaller one, file by file.
 */
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
 * Makes the script in the page's own world strict code, which the bundler leaves out of a single-file script. A page's sloppy function that they
 * call could read theirs from `caller` otherwise, and from there what those were given.
 */
const strictPage = {
  name: 'strict-page',
  enforce: 'post' as const,
  generateBundle(_options: unknown, files: Record<string, { code?: string }>) {
    const file = files['content-scripts/page.js']
    if (file?.code !== undefined) file.code = `"use strict";${file.code}`
  },
}

/** A constant is shorter by its name than written out wherever it is used. */
const shortConstants = { optimization: { inlineConst: false } } as const

/**
 * WXT starts a content script with a logger, and an isolated one with a context that tells the page, by events and a message with
 * the extension's id, that it has started, and lets the page end it. Ours use neither, and no page has to know. While one develops, the
 * worker's own start reloads what was changed; what ships starts plainly.
 */
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

/** What one browser's manifest has and the other does not know. */
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
        // The first that tells which document asks (MessageSender.documentId).
        strict_min_version: '153.0',
        // The node and the service that the user names hear of accounts and amounts (store/privacy.md). Nobody else does.
        data_collection_permissions: { required: ['financialAndPaymentInfo'] },
      },
    },
    // What Firefox calls a side panel. It stays closed until somebody opens it.
    sidebar_action: { default_title: 'Sluice', default_panel: 'popup.html', open_at_install: false },
  },
}

const licences = createLicences(import.meta.dirname, ['@zxcvbn-ts/language-common', '@zxcvbn-ts/language-en'])

export default defineConfig({
  imports: false,
  manifestVersion: 3,
  hooks: {
    // As scripts, the common passwords would be a third of the extension; a language is for those alone who speak it.
    'build:publicAssets': async (wxt, files) => {
      const packed = { 'passwords.gz': await packPasswords(), ...(await packLanguages()) }
      for (const [relativeDest, content] of Object.entries(packed)) {
        const absoluteSrc = join(wxt.config.wxtDir, relativeDest)
        writeFileSync(absoluteSrc, content)
        files.push({ absoluteSrc, relativeDest })
      }
    },
    'build:done': async (wxt) => writeFileSync(join(wxt.config.outDir, 'licences.gz'), await licences.pack()),
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
    // Firefox empties the clipboard of a secret, a minute after it was copied, only with leave to write it (secretClipboard.ts).
    permissions: ['storage', 'alarms', browser === 'firefox' ? 'clipboardWrite' : 'sidePanel'],
    // Asked for when the user turns notifications on.
    optional_permissions: ['notifications'],
    host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'],
    optional_host_permissions: ['https://*/*'],
    externally_connectable: { ids: [] },
    content_security_policy: { extension_pages: pagePolicy },
    ...onlyIn[browser === 'firefox' ? 'firefox' : 'chromium'],
  }),
})
