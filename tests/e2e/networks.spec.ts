import { expect, type Locator, type Page } from '@playwright/test'
import {
  callWallet,
  leavePages,
  openSettings,
  sellAmount,
  setLocalNetwork,
} from '../../dev/browser/popupPage.ts'
import { type Anvil, startAnvil } from '../../dev/chain/anvil.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { etherBalance } from '../helpers/e2e/home.ts'
import { createLook } from '../helpers/e2e/looks.ts'
import { test } from '../helpers/e2e/wallet.ts'
import { startHttpServer } from '../helpers/httpServer.ts'

let other: Anvil

test.beforeAll(async () => {
  other = await startAnvil({ chainId: 777, port: 0 })
})
test.afterAll(() => other.stop())

test('adds a network from the chain ID of its RPC, uses it and removes it', async ({ wallet: { page } }) => {
  await openSettings(page, 'Networks')
  await page.getByRole('button', { name: 'Add a network' }).click()
  const ready = page.getByRole('listitem').locator('.place-name')
  await expect(ready.filter({ hasText: /^(Ethereum|Polygon)$/ })).toHaveCount(2)
  await expect(ready.filter({ hasText: 'Local' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add manually' }).click()
  await page.getByLabel('RPC URL').fill(other.rpcUrl)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Network found: chain ID 777')).toBeVisible()
  const form = page.getByRole('form', { name: 'New network' })
  await form.getByLabel('Name').fill('')
  await expect(form.getByText('This field is required')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Add network' })).toBeDisabled()
  await form.getByLabel('Name').fill('local')
  await expect(form.getByText('You already have a network named Local')).toBeVisible()
  await form.getByLabel('Name').fill('Mill')
  await form.getByLabel('Native token').fill('MIL')
  await form.getByRole('button', { name: 'Add network' }).click()

  // Its page says what the RPC can do.
  await expect(page.getByRole('heading', { name: 'Mill', level: 1 })).toBeVisible()
  await expect(part(page, 'node')).toContainText(/Connected · .* block 0/)
  await expect(part(page, 'node')).toContainText('Multicall3 isn’t available here.')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  const line = page.getByRole('button', { name: /^Mill/ })
  await expect(line).toContainText('MIL · Chain ID 777')
  await expect(line).toContainText('No swap service')
  await line.click()
  await page.getByRole('button', { name: 'Use this network' }).click()
  await leavePages(page)
  await expect(page.getByRole('button', { name: 'Network: Mill' })).toBeVisible()

  // The network in use cannot be removed.
  await openSettings(page, 'Networks', 'Mill')
  await expect(page.getByText('This is your current network.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove network' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /^Local/ }).click()
  await page.getByRole('button', { name: 'Use this network' }).click()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /^Mill/ }).click()
  await remove(page)
  await expect(page.getByRole('heading', { name: 'Networks' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Mill/ })).toHaveCount(0)
  expect((await callWallet(page, 'settings')).networks.some(({ chainId }) => chainId === 777)).toBe(false)
})

test('opens an existing network instead of adding it again', async ({ wallet: { page }, localnet }) => {
  await openSettings(page, 'Networks')
  await addManually(page)
  await page.getByLabel('RPC URL').fill(localnet.rpcUrl)
  await page.keyboard.press('Enter')
  await expect(page.getByText('You already have this network: Local (chain ID 31337).')).toBeVisible()
  await page.getByRole('button', { name: 'Open Local' }).click()
  await expect(page.getByRole('form', { name: 'Local' })).toBeVisible()
})

test('does not overwrite a network that another window has added meanwhile', async ({ wallet: { page } }) => {
  await openSettings(page, 'Networks')
  await addManually(page)
  await page.getByLabel('RPC URL').fill(other.rpcUrl)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('form', { name: 'New network' }).getByLabel('Name').fill('Mine')
  const [local] = (await callWallet(page, 'settings')).networks
  if (local === undefined) throw new Error('There is no network.')
  await callWallet(page, 'saveSettings', { added: [{ ...local, chainId: 777, name: 'Theirs' }] })
  await expect(page.getByText('You already have this network: Theirs (chain ID 777).')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add network' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Open Theirs' }).click()
  await expect(page.getByRole('form', { name: 'Theirs' }).getByLabel('Name')).toHaveValue('Theirs')
})

test('explains why a URL cannot add a network, and restores the input after going back', async ({
  wallet: { page },
  service,
}) => {
  await openSettings(page, 'Networks')
  await addManually(page)
  const field = page.getByLabel('RPC URL')
  await field.fill('http://127.0.0.1:9')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This RPC isn’t responding.')).toBeVisible()
  await field.fill(service.url)
  await expect(page.getByText('This RPC isn’t responding.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('This URL isn’t an RPC endpoint.')).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /^Polygon/ }).click()
  await page.getByLabel('Swap service (optional)').fill('https://half.example')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await addManually(page)
  await expect(field).toHaveValue(service.url)
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /^Polygon/ }).click()
  await expect(page.getByLabel('Swap service (optional)')).toHaveValue('https://half.example')
  await expect(page.getByRole('button', { name: 'Save and check' })).toBeEnabled()
})

test('rejects an RPC of another chain, and saves an unresponsive one only after confirmation', async ({
  wallet: { page },
  localnet,
}) => {
  await openSettings(page, 'Networks', 'Local')
  const form = page.getByRole('form', { name: 'Local' })
  const before = await nodesOf(page)
  await form.getByLabel('RPC URL').fill(other.rpcUrl)
  await form.getByRole('button', { name: 'Save and check' }).click()
  await expect(form.getByText('This RPC is on chain 777, not 31337. Nothing was saved')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Save anyway' })).toHaveCount(0)
  expect(await nodesOf(page)).toEqual(before)

  await form.getByLabel('RPC URL').fill(localnet.rpcUrl)
  const nobody = 'http://127.0.0.1:9'
  await form.getByText('Advanced', { exact: true }).click()
  await form.getByLabel('Backup RPC').fill(nobody)
  await form.getByRole('button', { name: 'Save and check' }).click()
  await expect(form.getByText('This RPC isn’t responding. Nothing was saved')).toBeVisible()
  expect(await nodesOf(page)).toEqual(before)
  await form.getByRole('button', { name: 'Save anyway' }).click()
  await expect(form.getByRole('button', { name: 'Saved' })).toBeVisible()
  expect(await nodesOf(page)).toEqual({ ...before, spareRpcUrl: nobody })
  // The form and the page check the saved RPCs again.
  await expect(form.getByRole('status')).toContainText('Backup RPCCan’t reach the RPC.')
  await expect(part(page, 'spare')).toContainText('Can’t reach the RPC.')

  await setBase(page, { rpcUrl: nobody })
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /^Base/ }).click()
  await page.getByRole('button', { name: 'Reset network' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const [reset] = (await callWallet(page, 'settings')).networks.filter(({ chainId }) => chainId === 8453)
  expect(reset).toMatchObject({ rpcUrl: '' })
})

test('shows the state of each RPC and the service, and checks them again on request', async ({
  wallet: { page },
  localnet,
  service,
}) => {
  await setLocalNetwork(page, { spareRpcUrl: other.rpcUrl })
  await openSettings(page, 'Networks', 'Local')
  const height = await localnet.client.getBlockNumber()
  await expect(part(page, 'node')).toContainText(`block ${height.toLocaleString('en')}`)
  await expect(part(page, 'spare')).toContainText('Wrong network (chain ID 777), so it isn’t used.')
  await expect(part(page, 'service')).toContainText('Connected')
  service.set('500')
  await localnet.client.mine({ blocks: 1 })
  await page.getByRole('button', { name: 'Check again' }).click()
  await expect(part(page, 'service')).not.toContainText('Connected')
  await expect(part(page, 'node')).toContainText(`block ${(height + 1n).toLocaleString('en')}`)
  service.set('none')
})

test('switches to the backup RPC when the first one fails, and shows a banner', async ({
  wallet: { page },
  localnet,
}) => {
  const first = await startRelay(localnet.rpcUrl)
  await setLocalNetwork(page, { rpcUrl: first.url, spareRpcUrl: localnet.rpcUrl })
  await leaveFor(page, 'Wallet')
  await expect(etherBalance(page)).toHaveText('10')
  const banner = page.getByRole('status').filter({ hasText: 'Using the backup RPC for Local.' })
  await expect(banner).toHaveCount(0)
  const [own] = (await callWallet(page, 'health', 31337)).nodes
  expect(own).toMatchObject({ isInUse: true, number: expect.anything() })
  await first.stop()
  // Reads continue. The next balance refresh reports the RPC that answered.
  await page.reload()
  await expect(etherBalance(page)).toHaveText('10')
  await expect(banner).toContainText('Can’t reach the RPC.')
  await banner.getByRole('button', { name: 'Network settings' }).click()
  await expect(part(page, 'spare')).toContainText('Active')
  await expect(part(page, 'node')).toContainText('Can’t reach the RPC.')
})

test('shows a banner with the reason when no RPC responds', async ({ wallet: { page } }) => {
  await setLocalNetwork(page, { rpcUrl: 'http://127.0.0.1:9', spareRpcUrl: '' })
  await page.reload()
  const banner = page.getByRole('alert').filter({ hasText: 'Local:' })
  await expect(banner).toContainText('Can’t reach the RPC.')
  await expect(banner.getByRole('button', { name: 'Try again' })).toBeVisible()
  await banner.getByRole('button', { name: 'Network settings' }).click()
  await expect(page.getByRole('form', { name: 'Local' })).toBeVisible()
})

test('blocks swap review and sending without an RPC, and shows the reason', async ({
  wallet: { page },
  localnet,
}) => {
  const node = await startRelay(localnet.rpcUrl)
  await setLocalNetwork(page, { rpcUrl: node.url, spareRpcUrl: '' })
  await sellAmount(page).fill('1')
  const review = page.getByRole('button', { name: 'Review swap' })
  await expect(review).toBeEnabled()
  await node.stop()
  await review.click()
  const fault = page.getByRole('alert').filter({ hasText: 'Can’t reach the RPC.' })
  await expect(fault).toContainText('Check your connection and the RPC URL in the network settings.')
  // Unknown values are omitted, not shown empty.
  await expect(page.getByRole('definition')).toHaveCount(0)
  await fault.getByRole('button', { name: 'Network settings' }).click()
  await expect(page.getByRole('form', { name: 'Local' })).toBeVisible()

  await leavePages(page)
  await page.reload()
  await expect(sellAmount(page)).toHaveValue('1')
  await expect(fault).toBeVisible()
  await expect(page.getByRole('button', { name: 'Can’t reach the RPC' })).toBeDisabled()

  await leaveFor(page, 'Wallet')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Send' })).toBeVisible()
  await expect(fault).toBeVisible()
  await page.getByLabel('You send').fill('1')
  await expect(page.getByRole('button', { name: 'Can’t reach the RPC' })).toBeDisabled()

  await setLocalNetwork(page, { rpcUrl: localnet.rpcUrl })
  await expect(fault).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Enter a recipient' })).toBeVisible()
})

test('finds a network by name in the sheet and opens the network pages', async ({ wallet: { page } }) => {
  const open = page.getByRole('button', { name: /^Network: / })
  await open.click()
  const sheet = page.getByRole('dialog', { name: 'Network' })
  await expect(sheet.getByRole('listitem').first()).toContainText('Local')
  await sheet.getByRole('searchbox').fill('poly')
  await expect(sheet.getByRole('listitem')).toHaveCount(1)
  await sheet.getByRole('searchbox').press('Enter')
  // The network has no service or RPC yet.
  await expect(page.getByRole('heading', { name: 'Polygon', level: 1 })).toBeVisible()
  await expect(page.getByText('Not set up')).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await open.click()
  await sheet.getByRole('button', { name: 'Manage networks' }).click()
  await expect(page.getByRole('heading', { name: 'Networks', level: 1 })).toBeVisible()
})

test('meets the accessibility checks on the network pages', async ({ wallet: { page } }) => {
  const look = createLook(page)
  await setLocalNetwork(page, { spareRpcUrl: 'http://127.0.0.1:9' })
  await openSettings(page, 'Networks')
  await look('networks')
  await page.getByRole('button', { name: /^Local/ }).click()
  await expect(part(page, 'spare')).toContainText('Can’t reach the RPC.')
  await look('network')
  await setBase(page, { rpcUrl: 'http://127.0.0.1:9' })
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: /^Base/ }).click()
  await page.getByRole('button', { name: 'Reset network' }).click()
  await look('network-reset')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await addManually(page)
  await page.getByLabel('RPC URL').fill(other.rpcUrl)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Network found: chain ID 777')).toBeVisible()
  await look('network-new')
  await leavePages(page)
  await page.getByRole('button', { name: /^Network: / }).click()
  await look('network-sheet')
})

test('reports a token as missing only when the RPC has answered', async ({ wallet: { page }, localnet }) => {
  const nobody = 'http://127.0.0.1:9'
  await setLocalNetwork(page, { rpcUrl: nobody, spareRpcUrl: nobody })
  await page.goto(`${page.url().split('#')[0]}#/token/0x${'9'.repeat(40)}`)
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expect(page.getByText('No token found')).toHaveCount(0)
  await setLocalNetwork(page, { rpcUrl: localnet.rpcUrl, spareRpcUrl: localnet.rpcUrl })
  await expect(page.getByText('No token found at this address on Local')).toBeVisible()
})

function part(page: Page, name: 'node' | 'spare' | 'service'): Locator {
  return page.locator(`[data-part="${name}"]`)
}

/** Changes a built-in network. */
async function setBase(page: Page, changes: Partial<Network>): Promise<void> {
  const { networks } = await callWallet(page, 'settings')
  const base = networks.filter(({ chainId }) => chainId === 8453).map((one) => ({ ...one, ...changes }))
  await callWallet(page, 'saveSettings', { networks: base })
}

async function addManually(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a network' }).click()
  await page.getByRole('button', { name: 'Add manually' }).click()
}

async function remove(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Remove network' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
}

async function nodesOf(page: Page) {
  const { networks } = await callWallet(page, 'settings')
  const { rpcUrl, spareRpcUrl } = networks.find(({ chainId }) => chainId === 31337) ?? {}
  return { rpcUrl, spareRpcUrl }
}

async function leaveFor(page: Page, tab: string): Promise<void> {
  await sellAmount(page).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: tab }).click()
}

/** Proxies an RPC at its own URL until stopped. */
function startRelay(rpcUrl: string) {
  return startHttpServer(async (_request, response, body) => {
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
}
