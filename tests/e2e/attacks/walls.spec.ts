import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { launchBrowser } from '../../../dev/browser/browser.ts'
import { callWallet } from '../../../dev/browser/popupPage.ts'
import { encode } from '../../../src/domain/json.ts'
import { getPagePortName } from '../../../src/protocol.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { test } from '../../helpers/e2e/pages.ts'
import { extension, useLocalnet } from '../../helpers/e2e/wallet.ts'
import { namesOf } from '../../helpers/e2e/walletMethods.ts'
import { extensionIdOf } from '../../helpers/extensionId.ts'

// Isolation of extension documents from pages and other extensions.

test('prevents web pages from framing, reading and opening extension files', async ({
  chrome,
  wallet,
  site,
}) => {
  const origin = wallet.page.url().replace(/\/popup\.html.*/, '')
  const files = filesOf(extension)
  expect(files).toEqual(
    expect.arrayContaining([
      ...['popup.html', 'background.js', 'content-scripts/page.js'],
      'tokenLists/8453.json',
      'tokenLogos/logos.json',
    ]),
  )
  // Control: an extension page can read each file.
  const own = await wallet.page.evaluate(
    readAll,
    files.map((file) => `${origin}/${file}`),
  )
  expect(own).toEqual(files.map(() => 'read'))

  const page = await chrome.context.newPage()
  await page.goto(site.url)
  const urls = files.map((file) => `${origin}/${file}`)
  expect(await page.evaluate(readAll, urls)).toEqual(files.map(() => 'refused'))
  expect(await page.evaluate(loadAll, urls)).toEqual(files.map(() => 'nothing'))

  // A refused frame is an error page: unreadable and without extension code.
  const shown = urls.filter((url) => /\.(html|js|json|gz|css|png)$/.test(url))
  await page.evaluate(async (urls) => {
    await Promise.all(
      urls.map((url) => {
        const frame = document.createElement('iframe')
        frame.src = url
        const loaded = new Promise((done) => frame.addEventListener('load', done))
        document.body.append(frame)
        return loaded
      }),
    )
  }, shown)
  const frames = page.frames().filter((frame) => frame !== page.mainFrame())
  expect(frames.map((frame) => frame.url())).toEqual(shown.map(() => 'chrome-error://chromewebdata/'))

  for (const url of urls.filter((url) => url.endsWith('.html'))) {
    const opening = chrome.context.waitForEvent('page')
    await page.evaluate((url) => void window.open(url), url)
    const opened = await opening
    await opened.waitForLoadState().catch(() => undefined)
    expect(opened.url(), url).not.toContain(origin)
    await opened.close()
    await page.evaluate((url) => void location.assign(url), url)
    await page
      .waitForURL((at) => at.href !== `${site.url}/` && at.protocol !== 'about:')
      .catch(() => undefined)
    expect(page.url(), url).not.toContain(origin)
    await page.goto(site.url)
  }
})

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.slice(folder.length)}/${entry.name}`.replace(/^\/+/, ''))
}

/** Runs in a page: returns 'read' or 'refused' for each file. */
function readAll(urls: string[]): Promise<string[]> {
  return Promise.all(
    urls.map((url) =>
      fetch(url).then(
        (answer) => (answer.ok ? 'read' : `status ${answer.status}`),
        () => 'refused',
      ),
    ),
  )
}

/** Runs in a page: returns 'loaded' for each file that works as script, image or style sheet. */
function loadAll(urls: string[]): Promise<string[]> {
  const load = (element: HTMLElement) =>
    new Promise<boolean>((done) => {
      element.addEventListener('load', () => done(true))
      element.addEventListener('error', () => done(false))
      document.head.append(element)
    })
  return Promise.all(
    urls.map(async (url) => {
      const loads = await Promise.all([
        load(Object.assign(document.createElement('script'), { src: url })),
        load(Object.assign(document.createElement('img'), { src: url })),
        load(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })),
      ])
      return loads.includes(true) ? 'loaded' : 'nothing'
    }),
  )
}

test('ignores messages of another extension and denies it access to files', async ({
  localnet,
  service,
  key,
}) => {
  const profile = mkdtempSync(join(tmpdir(), 'sluice-beside-'))
  const foreign = writeExtension()
  const { context, openFile, close } = await launchBrowser({
    extension: [extension, foreign].join(),
    profile,
    headless: true,
  })
  const own = await openFile('icon/16.png')
  const { host: id, origin } = new URL(own.url())
  await useLocalnet(own, localnet, service.url)
  await callWallet(own, 'create', key, await newSecret(12))
  const before = await callWallet(own, 'status')
  expect(before.vault).toBe('unlocked')

  const page = await context.newPage()
  await page.goto(`chrome-extension://${extensionIdOf(foreign)}/page.html`)
  const methods = namesOf('WalletApi')
  expect(methods).toEqual(expect.arrayContaining(['status', 'reveal', 'unlock', 'approve']))
  const calls = methods.map((method) => encode({ channel: 'wallet', method, args: [] }))
  const events = namesOf('WalletEvents').map((method) => encode({ channel: 'events', method, args: [{}] }))
  expect(await page.evaluate(sendAll, { id, messages: [...calls, ...events] })).toEqual(
    [...calls, ...events].map(() => noReceiver),
  )
  const { version } = JSON.parse(readFileSync(join(extension, 'manifest.json'), 'utf8'))
  // The relay's port name, and others.
  for (const name of [getPagePortName(version), 'wallet', '']) {
    expect(await page.evaluate(askByPort, { id, name }), name).toBe(noReceiver)
  }
  // Control: the extension can read its own page.
  expect(await page.evaluate(readAll, ['page.html'])).toEqual(['read'])
  const files = filesOf(extension).map((file) => `${origin}/${file}`)
  expect(await page.evaluate(readAll, files)).toEqual(files.map(() => 'refused'))
  expect(await page.evaluate(loadAll, files)).toEqual(files.map(() => 'nothing'))

  expect(await callWallet(own, 'status')).toEqual(before)
  expect(await callWallet(own, 'approvals')).toEqual([])
  await close()
  for (const folder of [profile, foreign]) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
})

const noReceiver = 'Could not establish connection. Receiving end does not exist.'

/** Writes another extension with access to every site. */
function writeExtension(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-foreign-')))
  const manifest = { manifest_version: 3, name: 'Foreign', version: '1', host_permissions: ['<all_urls>'] }
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'page.html'), '<!doctype html>')
  return folder
}

type WithRuntime = {
  chrome: {
    runtime: {
      lastError?: { message: string }
      sendMessage(id: string, message: string): Promise<unknown>
      connect(
        id: string,
        options: { name: string },
      ): {
        postMessage(text: string): void
        onMessage: { addListener(hear: (said: string) => void): void }
        onDisconnect: { addListener(hear: () => void): void }
      }
    }
  }
}

/** Runs in the other extension: returns the result of each message. */
function sendAll({ id, messages }: { id: string; messages: string[] }): Promise<unknown[]> {
  const { runtime } = (globalThis as unknown as WithRuntime).chrome
  return Promise.all(
    messages.map((message) => runtime.sendMessage(id, message).catch((error: Error) => error.message)),
  )
}

/** Sends over a port as the relay does. Returns the answer or the reason it closed. */
function askByPort({ id, name }: { id: string; name: string }): Promise<string | undefined> {
  const { runtime } = (globalThis as unknown as WithRuntime).chrome
  return new Promise((done) => {
    const port = runtime.connect(id, { name })
    port.onMessage.addListener(done)
    port.onDisconnect.addListener(() => done(runtime.lastError?.message))
    port.postMessage(JSON.stringify({ id: 1, method: 'eth_chainId', params: [] }))
  })
}
