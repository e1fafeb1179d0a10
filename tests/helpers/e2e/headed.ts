import type { Page } from 'puppeteer-core'
import { toPageRunner } from '../../../dev/browser/firefox.ts'
import { callWallet } from '../../../dev/browser/popupPage.ts'
import { type HeadedBrowser, launchHeaded } from '../../../dev/browser/realPopup.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { test as base, extension, useLocalnet } from './wallet.ts'

type Own = {
  /** A browser with a window, a funded wallet, and the browser's real toolbar popup. */
  headed: HeadedBrowser
}

/** Test fixture for behaviour of the real toolbar popup. */
export const test = base.extend<Own>({
  headed: async ({ localnet, service, key }, use) => {
    const headed = await launchHeaded({ extension })
    try {
      const view = await headed.openPopup()
      const runs = toPageRunner(view)
      await useLocalnet(runs, localnet, service.url)
      await callWallet(runs, 'create', key, await newSecret(12))
      await callWallet(runs, 'confirmBackup')
      const status = await callWallet(runs, 'status')
      const address = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
      if (address === undefined) throw new Error('The new wallet has no account.')
      await localnet.fund(address)
      await headed.closePopup()
      await use(headed)
    } finally {
      await headed.close()
    }
  },
})

/** Waits for an element by selector and optional text. */
export async function see(page: Page, selector: string, text?: string | RegExp): Promise<void> {
  await page.waitForFunction(
    (selector, source) =>
      [...document.querySelectorAll(selector)].some((one) => new RegExp(source).test(one.textContent ?? '')),
    { timeout: 120_000 },
    selector,
    text instanceof RegExp ? text.source : (text ?? ''),
  )
}
