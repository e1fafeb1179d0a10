import { expect, type Page } from '@playwright/test'
import { callWallet } from '../../../dev/browser/popupPage.ts'
import { encode } from '../../../src/domain/json.ts'
import type { Settings } from '../../../src/domain/network/network.ts'
import { getPagePortName, type Status } from '../../../src/protocol.ts'
import { test } from '../../helpers/e2e/pages.ts'
import { namesOf } from '../../helpers/e2e/walletMethods.ts'

// A compromised content script has only the extension's id and the browser's messaging.

test('denies a content script storage access, the popup’s methods and events for open views', async ({
  chrome,
  wallet: { page: popup, address },
  site,
}) => {
  const inScript = await enterContentScript(await chrome.context.newPage(), site.url)

  // Proof of extension access: the sync area holds one setting for the relay and is readable.
  expect(await inScript('chrome.storage.sync.get(null)')).toEqual({ defaultWallet: expect.any(Boolean) })
  for (const area of ['local', 'session']) {
    for (const act of ['get(null)', 'getBytesInUse(null)', 'set({ vault: 1 })', 'clear()']) {
      expect(await inScript(`chrome.storage.${area}.${act}.catch(String)`), `${area}.${act}`).toContain(
        'Access to storage is not allowed from this context',
      )
    }
  }

  const kept = await popup.evaluate(readStorage)
  const methods = namesOf('WalletApi')
  expect(methods).toEqual(expect.arrayContaining(['status', 'reveal', 'unlock', 'approve', 'disconnect']))
  const calls = methods.flatMap((method) => [
    encode({ channel: 'wallet', method, args: [] }),
    encode({ channel: 'wallet', method, args: ['1', '2'] }),
  ])
  const answers = await inScript(
    `Promise.all(${JSON.stringify(calls)}.map((call) => chrome.runtime.sendMessage(call).catch(String)))`,
  )
  // No listener kept the channel open for an answer.
  expect(answers).toEqual(calls.map(() => null))
  // A port only has the rights of its page, so every name is an unknown page method.
  const version = String(await inScript('chrome.runtime.getManifest().version'))
  const ask = (name: string) =>
    inScript(`(${askOverPort})(${JSON.stringify(name)}, ${JSON.stringify(methods)})`)
  expect(await ask(getPagePortName(version))).toEqual(methods.map(() => 'unknown-method'))
  expect(await ask(getPagePortName('0.0.0'))).toBe('disconnected')

  await popup.goto(popup.url().replace(/(#.*)?$/, '#/receive'))
  const shown = popup.locator('.receive .groups')
  await expect(shown).toHaveText(new RegExp(address, 'i'))
  const before = await popup.locator('body').innerHTML()
  const status = await callWallet(popup, 'status')
  const settings = await callWallet(popup, 'settings')
  const forged = forge(status, settings)
  expect(Object.keys(forged).sort()).toEqual(namesOf('WalletEvents').sort())
  const events = Object.entries(forged).map(([method, value]) =>
    encode({ channel: 'events', method, args: [value] }),
  )
  const tell = `Promise.all(${JSON.stringify(events)}.map((event) => chrome.runtime.sendMessage(event).catch(String)))`
  expect(await inScript(tell)).toEqual(events.map(() => null))
  expect(await popup.locator('body').innerHTML()).toBe(before)
  expect(await popup.evaluate(readStorage)).toEqual(kept)
  expect(await callWallet(popup, 'status')).toEqual(status)

  // Control: the same messages from an extension page are accepted as events.
  const own = await chrome.openFile('icon/16.png')
  await own.evaluate(tell)
  await expect(shown).toHaveText(/^0x(bad0){10}$/i)
  await expect(popup.locator('html')).toHaveAttribute('data-theme', 'dark')
})

/** Returns events that would show another account and other settings. */
function forge(status: Status, settings: Settings): Record<string, unknown> {
  if (status.vault !== 'unlocked') throw new Error('The wallet is locked.')
  const accounts = status.accounts.map((one) => ({ ...one, address: `0x${'bad0'.repeat(10)}` }))
  return {
    status: { ...status, accounts },
    settings: { ...settings, theme: 'dark' },
    swap: { id: 'forged' },
    callBatch: { id: 'forged' },
    incoming: {
      id: 'forged',
      account: accounts[0]?.address,
      chainId: settings.chainId,
      token: `0x${'bad0'.repeat(10)}`,
      amount: 1n,
      createdAt: 1,
    },
    approvals: [{ id: 'forged', kind: 'connect', origin: 'https://forged.example' }],
    sites: [{ origin: 'https://forged.example', accounts: [] }],
  }
}

/** Opens a page and returns an evaluator for the content script's world. */
async function enterContentScript(
  page: Page,
  url: string,
): Promise<(expression: string) => Promise<unknown>> {
  const session = await page.context().newCDPSession(page)
  const worlds: { id: number; origin: string; auxData: { type?: string } }[] = []
  session.on('Runtime.executionContextCreated', ({ context }) => {
    worlds.push(context as (typeof worlds)[number])
  })
  await session.send('Runtime.enable')
  await page.goto(url)
  const isolated = worlds.findLast(
    ({ origin, auxData }) => auxData.type === 'isolated' && origin.startsWith('chrome-extension:'),
  )
  if (isolated === undefined) throw new Error('There is no content script in the page.')
  return async (expression) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: `(async () => JSON.stringify(await (${expression})))()`,
      contextId: isolated.id,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return JSON.parse(result.value)
  }
}

/** Runs in the content script: calls each method and returns the error codes. */
function askOverPort(name: string, methods: string[]): Promise<unknown[] | 'disconnected'> {
  const { runtime } = (globalThis as unknown as WithChrome).chrome
  const port = runtime.connect({ name })
  return new Promise((done) => {
    port.onDisconnect.addListener(() => done('disconnected'))
    const codes: unknown[] = []
    port.onMessage.addListener((text) => {
      const { id, error } = JSON.parse(text)
      if (id === undefined) return
      codes[id] = error?.code
      if (Object.keys(codes).length === methods.length) done(codes)
    })
    methods.forEach((method, id) => {
      port.postMessage(JSON.stringify({ id, method, params: [] }))
    })
  })
}

type WithChrome = {
  chrome: {
    runtime: {
      connect(options: { name: string }): {
        postMessage(text: string): void
        onMessage: { addListener(hear: (text: string) => void): void }
        onDisconnect: { addListener(hear: () => void): void }
      }
    }
    storage: { local: { get(keys: null): Promise<object> } }
  }
}

/** Runs in an extension page: returns everything in persistent storage. */
function readStorage(): Promise<object> {
  return (globalThis as unknown as WithChrome).chrome.storage.local.get(null)
}
