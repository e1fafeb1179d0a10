import { expect, type Page } from '@playwright/test'
import {
  callWallet,
  chooseToken,
  confirm,
  password,
  readShownState,
  review,
  sellAmount,
  setLocalNetwork,
  waitUntilDone,
} from '../../../dev/browser/popupPage.ts'
import type { Fault } from '../../helpers/e2e/faultProxy.ts'
import { lookAway } from '../../helpers/e2e/pages.ts'
import { balanceOf, test } from '../../helpers/e2e/wallet.ts'
import { lies, startLiar, thief } from '../../helpers/service/lyingService.ts'

const moment = 'Try again in a moment.'
const garbled = 'Unexpected response from the swap service. Check its URL in the network settings.'
const noKey = 'The API key is missing or invalid. Check the API key in the network settings.'

/** Fault, expected message, and maximum requests per question: permanent failures are not retried. */
const faults: [fault: Exclude<Fault, 'none'>, says: string, mostTries: number][] = [
  ['400', 'Not enough liquidity for this swap. Try a smaller amount or another token.', 1],
  ['401', noKey, 1],
  ['403', noKey, 1],
  ['html 403', 'The swap service rejected your API key. Check the API key in the network settings.', 1],
  ['404', 'Wrong swap service URL or network. Check its URL', 1],
  ['html 404', garbled, 1],
  ['429', `The swap service is busy. ${moment}`, 3],
  ['500', `The swap service had an internal error. ${moment}`, 3],
  ['502', `The swap service returned an error. ${moment}`, 3],
  ['html', `The swap service returned an error. ${moment}`, 3],
  ['garbage', garbled, 1],
  ['cut', garbled, 1],
  ['huge', garbled, 1],
]

test('shows a specific message for each quote failure and keeps the form usable', async ({
  wallet: { page },
  service,
}) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  await chooseToken(page, 'sell', 'DAI')
  const questions = await countQuotes(page)
  for (const [index, [fault, says, mostTries]] of faults.entries()) {
    const amount = `12.${index + 1}5`
    service.set(fault)
    service.asked.length = 0
    const before = await questions()
    await sellAmount(page).fill(amount)
    const note = page.getByRole('alert').filter({ hasText: says })
    await expect(note.first(), fault).toBeVisible()
    const asked = service.asked.filter(
      (path) => path.includes('/quote?') && path.includes(amount.replace('.', '')),
    )
    expect(asked.length, fault).toBeGreaterThan(0)
    // On a slow machine the form may have refreshed once more by now.
    const asking = (await questions()) - before
    expect(asking, fault).toBeLessThanOrEqual(2)
    expect(asked.length, fault).toBeLessThanOrEqual(mostTries * asking)
    await expect(page.getByRole('button', { name: 'No quote available' })).toBeDisabled()
    await expect(sellAmount(page)).toHaveValue(amount)
    await expect(page.getByRole('button', { name: 'Token to sell: DAI' })).toBeVisible()

    service.set('none')
    await page.getByRole('button', { name: /^Refresh quote/ }).click()
    await expect(page.getByRole('button', { name: 'Review swap' }), fault).toBeVisible()
  }
  expect(errors).toEqual([])
})

/** Returns a counter of the form's quote requests from now on. */
async function countQuotes(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const { chrome } = globalThis as unknown as { chrome: typeof import('wxt/browser').browser }
    const send = chrome.runtime.sendMessage as (message: string) => Promise<unknown>
    Object.assign(globalThis, { quotes: 0 })
    Object.assign(chrome.runtime, {
      sendMessage(message: string) {
        if (message.includes('"method":"quote"')) (globalThis as unknown as { quotes: number }).quotes++
        return send(message)
      },
    })
  })
  return () => page.evaluate(() => (globalThis as unknown as { quotes: number }).quotes)
}

test('shows a timeout when the swap service does not answer a quote', async ({
  wallet: { page },
  service,
}) => {
  service.set('silence')
  await sellAmount(page).fill('1')
  const asked = Date.now()
  await expect(page.getByText('Still fetching quote…')).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'The swap service timed out.' })).toBeVisible()
  test.info().annotations.push({ type: 'ms until said', description: String(Date.now() - asked) })
  await expect(sellAmount(page)).toHaveValue('1')
})

test('requires the password to trust an unknown router, and still verifies the transaction', async ({
  wallet: { page },
  service,
  localnet,
}) => {
  const liar = await startLiar(service.url)
  // A contract with unknown code.
  await localnet.client.setCode({ address: thief, bytecode: '0x00' })
  try {
    await setLocalNetwork(page, { serviceUrl: liar.url })
    liar.tell(lies['another spender'], lies['another router'])
    await sellAmount(page).fill('1')
    await page.getByRole('button', { name: 'Review swap' }).click()
    await expect(page.getByText('The swap service uses an unknown router.')).toBeVisible()
    const pinned = async () => {
      const { networks } = await callWallet(page, 'settings')
      return networks.find(({ chainId }) => chainId === 31337)?.router
    }

    await page.getByRole('button', { name: 'Trust this router on Local' }).click()
    const field = page.getByLabel('Password', { exact: true })
    await expect(field).toBeFocused()
    await page.screenshot({ path: 'test-results/screenshots/trust-router.png' })
    await field.fill('not the password')
    await page.getByRole('button', { name: 'Trust router' }).click()
    await expect(page.getByText('Incorrect password.')).toBeVisible()
    expect(await pinned()).toBeUndefined()

    // The next swap goes to the first router again.
    liar.tell(lies['another spender'])
    await field.fill(password)
    await page.getByRole('button', { name: 'Trust router' }).click()
    await expect(page.getByText('The transaction isn’t for the router you reviewed.')).toBeVisible()
    expect(await pinned()).toBe(thief)
  } finally {
    await localnet.client.setCode({ address: thief, bytecode: '0x' })
    await liar.stop()
  }
})

for (const fault of ['400', '500', 'garbage'] as const) {
  test(`signs no swap and keeps the form when the service answers ${fault} after confirmation`, async ({
    wallet: { page, address },
    service,
    localnet,
  }) => {
    const { DAI } = localnet.tokens
    await chooseToken(page, 'sell', 'DAI')
    await chooseToken(page, 'buy', 'WBTC')
    await sellAmount(page).fill('100')
    await review(page)
    // A visible review is refreshed when it is old, which would request the service.
    await lookAway(page)
    const before = await balanceOf(localnet, DAI, address)
    service.set(fault)
    await confirm(page)

    await readShownState(page, 'Failed').waitFor()
    await expect(page.getByRole('alert').first()).toBeVisible()
    await page.screenshot({ path: `test-results/screenshots/swap-fault-${fault}.png` })
    const [swap] = await callWallet(page, 'swaps')
    expect(swap?.outcome.status).toBe('failed')
    expect(swap?.steps.find(({ kind }) => kind === 'swap')).toMatchObject({ state: 'waiting' })
    expect(await balanceOf(localnet, DAI, address)).toBe(before)

    service.set('none')
    await page.getByRole('button', { name: 'Back to swap' }).click()
    await expect(sellAmount(page)).toHaveValue('100')
    await expect(page.getByRole('button', { name: 'Token to buy: WBTC' })).toBeVisible()
    await review(page)
    await confirm(page)
    await waitUntilDone(page)
  })
}
