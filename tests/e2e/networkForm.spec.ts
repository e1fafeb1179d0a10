import { expect, type Page } from '@playwright/test'
import { callWallet, openSettings } from '../../dev/browser/popupPage.ts'
import { startAnvil } from '../../dev/chain/anvil.ts'
import { test } from '../helpers/e2e/wallet.ts'
import { notFound, startProxy } from '../helpers/node/rpcProxy.ts'

test('checks an RPC on saving, says what it cannot do, and offers a public one', async ({
  wallet: { page },
}) => {
  const base = await startAnvil({ chainId: 8453, port: 0 })
  const lacking = new Set(['eth_simulateV1', 'eth_getLogs'])
  const proxy = await startProxy(base.rpcUrl, ({ method }) => (lacking.has(method) ? notFound : undefined))
  await openSettings(page, 'Networks', 'Base')
  const form = page.getByRole('form', { name: 'Base' })
  await form.getByLabel('RPC URL').fill(proxy.url)
  await form.getByLabel('RPC URL').press('Enter')
  const result = form.getByRole('status')
  await expect(result).toContainText('This RPC can’t simulate transactions. Sluice checks their data alone')
  await expect(result).toContainText('This RPC doesn’t serve logs.')
  await expect(result).not.toContainText('fee history')
  await expect(result).toBeInViewport()
  expect(new Set(proxy.methods)).toEqual(
    new Set([
      'eth_chainId',
      'eth_getBlockByNumber',
      'eth_feeHistory',
      'eth_maxPriorityFeePerGas',
      'eth_simulateV1',
      'eth_getLogs',
      'eth_getCode',
    ]),
  )
  // A missing feature does not block.
  await expect(form.getByRole('button', { name: 'Saved' })).toBeVisible()
  expect(await networkOf(page, 8453)).toMatchObject({ rpcUrl: proxy.url })
  await expect(form.getByRole('button', { name: 'Try mainnet.base.org' })).toBeEnabled()
  await expect(page.locator('[data-part="node"]')).toContainText('This RPC can’t simulate transactions.')

  lacking.clear()
  await form.getByLabel('RPC URL').fill(`${proxy.url}/`)
  await expect(result).toBeEmpty()
  await form.getByRole('button', { name: 'Save and check' }).click()
  // Anvil deploys no Multicall3.
  await expect(result).toContainText('Multicall3 isn’t available here.')
  await expect(result).not.toContainText('simulate')
  await proxy.stop()
  await base.stop()
})

test('reports an RPC with all features', async ({ wallet: { page }, localnet }) => {
  await openSettings(page, 'Networks', 'Local')
  const form = page.getByRole('form', { name: 'Local' })
  await form.getByLabel('RPC URL').fill(localnet.rpcUrl.replace('127.0.0.1', 'localhost'))
  await form.getByRole('button', { name: 'Save and check' }).click()
  await expect(form.getByRole('status')).toHaveText('Connected. This RPC supports everything Sluice needs.')
})

test('shows the RPC and the swap service first, and opens the rest when it is set or invalid', async ({
  wallet: { page },
}) => {
  await openSettings(page, 'Networks', 'Ethereum')
  const form = page.getByRole('form', { name: 'Ethereum' })
  await expect(form.getByRole('textbox')).toHaveCount(2)
  await expect(form.getByRole('textbox').first()).toHaveAccessibleName('RPC URL')
  await form.getByText('Advanced', { exact: true }).click()
  await form.getByLabel('Fee limit (ETH)').fill('0')
  await expect(form.getByRole('button', { name: 'Save and check' })).toBeDisabled()
  // The unsaved, invalid field is shown at once.
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /^Ethereum/ }).click()
  await expect(form.getByLabel('Fee limit (ETH)')).toHaveValue('0')
  await expect(form.getByText('Enter an amount greater than 0')).toBeVisible()
})

test('fills in the public aggregation service with one press, and contacts it only once saved', async ({
  wallet: { page },
}) => {
  const requests: string[] = []
  page.context().on('request', (request) => requests.push(request.url()))
  await openSettings(page, 'Networks', 'Base')
  const form = page.getByRole('form', { name: 'Base' })
  await expect(form.getByLabel('API key')).toHaveCount(0)
  await expect(form.getByText('Without one, Sluice swaps in Uniswap pools through your RPC.')).toBeVisible()
  await form.getByRole('button', { name: 'Use 1inch' }).click()
  await expect(form.getByLabel('Swap service (optional)')).toHaveValue('https://api.1inch.dev/swap')
  await expect(form.getByLabel('API key')).toBeFocused()
  await expect(form.getByText('1inch sees your IP address')).toBeVisible()
  const link = form.getByRole('link', { name: 'Get a key' })
  await expect(link).toHaveAttribute('href', 'https://portal.1inch.dev')
  await expect(link).toHaveAttribute('target', '_blank')
  // A chain without Uniswap pools.
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /^Gnosis/ }).click()
  await expect(page.getByRole('button', { name: 'Use 1inch' })).toBeVisible()
  await expect(page.getByText(/through Uniswap pools/)).toHaveCount(0)
  expect(requests.filter((url) => url.includes('1inch'))).toEqual([])
})

test('lists used networks first, each with its bundled logo', async ({ wallet: { page } }) => {
  const requests: string[] = []
  page.context().on('request', (request) => requests.push(request.url()))
  const polygon = await networkOf(page, 137)
  await callWallet(page, 'saveSettings', { networks: [{ ...polygon!, rpcUrl: 'http://127.0.0.1:9' }] })
  await openSettings(page, 'Networks')
  await expect(page.locator('.place-name')).toHaveText([
    'Local',
    'Polygon',
    'Base',
    'Ethereum',
    'Arbitrum',
    'BNB Chain',
    'Optimism',
    'Avalanche',
    'Unichain',
    'Linea',
    'Gnosis',
  ])
  const logos = page.locator('img.network-logo')
  await expect(logos).toHaveCount(10)
  for (const logo of await logos.all()) {
    await expect.poll(() => logo.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
  }
  const fetched = requests.filter((url) => url.endsWith('.svg'))
  expect(fetched).toHaveLength(10)
  for (const url of fetched) expect(url).toMatch(/^chrome-extension:/)
})

async function networkOf(page: Page, chainId: number) {
  return (await callWallet(page, 'settings')).networks.find((one) => one.chainId === chainId)
}
