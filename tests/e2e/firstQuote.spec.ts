import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { erc20Abi, parseUnits } from 'viem'
import { launchBrowser } from '../../dev/browser/browser.ts'
import { callWallet, confirm, password, review, waitUntilDone } from '../../dev/browser/popupPage.ts'
import { createPublicLocalnet, type PublicLocalnet } from '../../dev/chain/publicChain.ts'
import { findPublicChain } from '../../src/domain/network/chains.ts'
import { languages } from '../../src/domain/preferences.ts'
import { isBrowsersOwn } from '../helpers/e2e/logProxy.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { firstOf, phrases } from '../helpers/e2e/phrases.ts'
import { copyWithHosts, type PublicRpc, startPublicRpc } from '../helpers/e2e/publicRpc.ts'
import { extension } from '../helpers/e2e/wallet.ts'

// From the password to a quote and a swap on a public chain, without a service and without typing.

/** The browser's prompt, which headless browsers cannot show (publicRpc.spec.ts has it), is one more. */
const promptTaps = 1
const maxTaps = 6

const [phrase = ''] = phrases
const account = firstOf(phrase)

for (const chainId of [8453, 1] as const) {
  const name = findPublicChain(chainId)?.name ?? ''
  const hosts = (findPublicChain(chainId)?.rpcs ?? []).map(({ url }) => new URL(url).host)

  test.describe(name, () => {
    let localnet: PublicLocalnet
    let rpc: PublicRpc
    let folder: string

    test.beforeAll(async () => {
      localnet = await createPublicLocalnet({ chainId })
      await localnet.fund(account)
      rpc = await startPublicRpc(Object.fromEntries(hosts.map((host) => [host, localnet.rpcUrl])))
      folder = mkdtempSync(join(tmpdir(), 'sluice-first-'))
      copyWithHosts(extension, hosts, join(folder, 'extension'))
    })
    test.afterAll(async () => {
      await rpc?.stop()
      await localnet?.stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    })

    for (const language of languages) {
      test(`shows a first quote on ${name} after ${maxTaps} taps (${language})`, async () => {
        rpc.hosts.clear()
        const chrome = await launchBrowser({
          extension: join(folder, 'extension'),
          profile: join(folder, language),
          headless: true,
          isStill: true,
          args: rpc.args,
        })
        try {
          const page = await chrome.openPopup()
          await callWallet(page, 'saveSettings', { language })
          await page.reload()
          await typePhraseAndPassword(page)
          const taps = countTaps(page)
          await taps.press('form button.main')
          await taps.press(`.place-row:has-text("${name}")`)
          await taps.press('button.main')
          await taps.press('.shares button:nth-of-type(2)')
          await expect(page.locator('.quote .rate')).toContainText(/1\s?ETH.*USDC|1 ETH/)
          await expect(page.locator('#buy-amount')).not.toHaveValue('')
          expect(taps.count() + promptTaps).toBeLessThanOrEqual(maxTaps)
          expect(publicHosts(rpc)).toEqual(hosts.slice(0, 2).toSorted())
          // Without the hint of the first visit, under which the form would not fit.
          await page.evaluate(() => location.assign('#/swap'))
          await expect(page.locator('.quote .route')).toBeVisible()
          await createLook(page)(`first-quote-${chainId}-${language}`)
        } finally {
          await chrome.close()
        }
      })
    }

    test(`swaps on ${name} through Uniswap pools, and contacts only the chosen RPCs`, async () => {
      rpc.hosts.clear()
      const chrome = await launchBrowser({
        extension: join(folder, 'extension'),
        profile: join(folder, 'swap'),
        headless: true,
        isStill: true,
        args: rpc.args,
      })
      try {
        const page = await chrome.openPopup()
        await typePhraseAndPassword(page)
        const taps = countTaps(page)
        for (const button of ['form button.main', `.place-row:has-text("${name}")`, 'button.main'])
          await taps.press(button)
        await taps.press('.shares button:nth-of-type(1)')
        const balance = () =>
          localnet.client.readContract({
            address: localnet.tokens.USDC,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [account],
          })
        const before = await balance()
        // Bundled, and by address: the sides of the form are ETH and USDC.
        const logos = page.locator('main.swap .pair img.token-icon')
        await expect(logos).toHaveCount(2)
        for (const logo of await logos.all()) {
          await expect(logo).toHaveAttribute('src', /^data:image\/svg\+xml,/)
          await expect
            .poll(() => logo.evaluate((one: HTMLImageElement) => one.naturalWidth))
            .toBeGreaterThan(0)
        }
        const { expected } = await review(page)
        await confirm(page)
        await waitUntilDone(page)
        expect((await balance()) - before).toBe(parseUnits(expected.replace(/[^\d.]/g, ''), 6))
        expect(publicHosts(rpc)).toEqual(hosts.slice(0, 2).toSorted())
      } finally {
        await chrome.close()
      }
    })
  })
}

async function typePhraseAndPassword(page: Page): Promise<void> {
  await page.locator('.hero .second').click()
  await page.locator('.list-row, .place-row').first().click()
  for (const [index, word] of phrase.split(' ').entries()) {
    await page.locator('input:not([type="radio"])').nth(index).fill(word)
  }
  await page.locator('button.main').click()
  await page.locator('input[autocomplete="new-password"]').first().fill(password)
  await page.locator('input[autocomplete="new-password"]').nth(1).fill(password)
}

function countTaps(page: Page) {
  let count = 0
  return {
    count: () => count,
    async press(selector: string): Promise<void> {
      count += 1
      await page.locator(selector).first().click()
    },
  }
}

function publicHosts({ hosts }: PublicRpc): string[] {
  return [...hosts]
    .filter((host) => !isBrowsersOwn.test(host))
    .map((host) => host.replace(/:443$/, ''))
    .toSorted()
}
