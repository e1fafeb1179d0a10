import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { erc20Abi, type Hex } from 'viem'
import { launchBrowser } from '../../../dev/browser/browser.ts'
import { callWallet, createWallet, requestWindow } from '../../../dev/browser/popupPage.ts'
import { type Site, serveSite } from '../../../dev/browser/site.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { approve } from '../../helpers/e2e/pages.ts'
import { test as base, extension, keepBlocksComing, useLocalnet } from '../../helpers/e2e/wallet.ts'

// The MetaMask test dapp, used through its own buttons: https://github.com/MetaMask/test-dapp.

const files = resolve(import.meta.dirname, '../../../node_modules/@metamask/test-dapp/dist')

type Dapp = {
  page: Page
  /** Console messages and uncaught errors of the page. */
  logs: string[]
  /** Hosts whose requests were blocked. */
  absent: Set<string>
  press(id: string): Promise<void>
  part(id: string): Locator
}

/** One browser and wallet for the whole file, to save time. */
type Shared = { host: Site; owner: { context: BrowserContext; address: Address } }

const test = base.extend<{ dapp: Dapp }, Shared>({
  host: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const host = await serveSite(files)
      await use(host)
      await host.stop()
    },
    { scope: 'worker' },
  ],
  owner: [
    async ({ localnet, service }, use) => {
      const profile = mkdtempSync(join(tmpdir(), 'sluice-dapp-'))
      const chrome = await launchBrowser({ extension, profile, headless: true })
      const popup = await chrome.openPopup()
      await useLocalnet(popup, localnet, service.url)
      await createWallet(popup)
      const status = await callWallet(popup, 'status')
      const address = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
      if (address === undefined) throw new Error('The new wallet has no account.')
      await localnet.fund(address)
      await popup.close()
      await use({ context: chrome.context, address })
      await chrome.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
    { scope: 'worker' },
  ],
  dapp: async ({ owner, host, localnet }, use) => {
    const page = await owner.context.newPage()
    const stopBlocks = keepBlocksComing(localnet)
    await use(await openDapp(page, host.url))
    stopBlocks()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close()
  },
})

test('connects the test dapp, shows it accounts and revokes its permission', async ({ owner, dapp }) => {
  const { context } = owner
  const { press, part } = dapp
  await expect(part('chainId')).toHaveText('0x7a69')
  await expect(part('network')).toHaveText('31337')
  await expect(part('activeProviderIcon').locator('img')).toHaveJSProperty('naturalWidth', 96)
  // Blocked hosts only serve the page's styling and other wallets.
  await expect
    .poll(() => [...dapp.absent].sort())
    .toEqual(['api.web3modal.com', 'cdnjs.cloudflare.com', 'fonts.googleapis.com'])

  await press('getPermissions')
  await expect(part('permissionsResult')).toHaveText('No permissions found.')

  await press('connectButton')
  await approve(await requestWindow(context), /^Connect$/)
  await expect(part('connectButton')).toHaveText('Connected')
  await expect(part('accounts')).toHaveText(owner.address)
  await press('getAccounts')
  await expect(part('getAccountsResult')).toHaveText(owner.address)
  await press('getPermissions')
  await expect(part('permissionsResult')).toHaveText('eth_accounts')

  await press('revokeAccountsPermission')
  await expect(part('accounts')).toHaveText('')
  await expect(part('connectButton')).toHaveText('Connect')
  await clear(part('permissionsResult'))
  await press('requestPermissions')
  await approve(await requestWindow(context), /^Connect$/)
  await expect(part('permissionsResult')).toHaveText('eth_accounts')
  await expect(part('accounts')).toHaveText(owner.address)

  // A second permission request keeps the current accounts selected.
  await clear(part('permissionsResult'))
  await press('requestPermissions')
  await approve(await requestWindow(context), /^Allow$/)
  await expect(part('permissionsResult')).toHaveText('eth_accounts')
})

test('signs messages and typed data that the test dapp verifies', async ({ owner, dapp }) => {
  const { context } = owner
  const { press, part } = dapp
  await connectDapp(context, dapp)

  await press('personalSign')
  const message = await requestWindow(context)
  await expect(message.getByText('Example `personal_sign` message')).toBeVisible()
  await approve(message, /^Sign$/)
  await press('personalSignVerify')
  await expect(part('personalSignVerifySigUtilResult')).toHaveText(owner.address)
  await expect(part('personalSignVerifyECRecoverResult')).toHaveText(owner.address)

  await press('signTypedDataV4')
  const mail = await requestWindow(context)
  await expect(mail.getByText('Hello, Bob!')).toBeVisible()
  await approveTicked(mail)
  await press('signTypedDataV4Verify')
  await expect(part('signTypedDataV4VerifyResult')).toHaveText(owner.address)

  // The permit's amount and spender are shown in words; an unknown spender requires the checkbox.
  await press('signPermit')
  await approveInDoubt(
    await requestWindow(context),
    'Sign',
    /spending permit/,
    /Sluice doesn’t recognize the spender/,
  )
  await press('signPermitVerify')
  await expect(part('signPermitVerifyResult')).toHaveText(owner.address)
  for (const id of ['signPermitSingle', 'signPermitBatch']) {
    await press(id)
    // The spender is a known public router; the token has no code on this chain.
    const doubts = /balance couldn’t be read\. 0x3fc9…7fad may be able to take all of it/
    await approveInDoubt(await requestWindow(context), 'Sign', /spending permit/, doubts)
    await expect(part('signPermitVariantResult')).toHaveText(signature)
    await clear(part('signPermitVariantResult'))
  }
  // Not a type of Seaport: unknown types also require the checkbox.
  await press('signSeaportBulkOrder')
  await approveTicked(await requestWindow(context))
  await expect(part('signPermitVariantResult')).toHaveText(signature)
})

test('rejects unsupported methods and malformed requests with an error and without a prompt', async ({
  owner,
  dapp,
}) => {
  const { context } = owner
  const { press, part, logs } = dapp
  await connectDapp(context, dapp)

  const refused: [button: string, place: string, words: RegExp][] = [
    ['ethSign', 'ethSign', /does not sign with eth_sign.*use personal_sign/],
    ['signTypedData', 'signTypedDataResult', /use eth_signTypedData_v4/],
    ['signTypedDataV3', 'signTypedDataV3Result', /use eth_signTypedData_v4/],
    ['getEncryptionKeyButton', 'encryptionKeyDisplay', /does not read or write encrypted messages/],
    ['signInvalidType', 'signMalformedResult', /types\.OrderComponents\.0\.type: is not a type/],
    ['signEmptyDomain', 'signMalformedResult', /domain\.name: is missing/],
    ['signInvalidPrimaryType', 'signMalformedResult', /primaryType: is not among the types/],
    ['signNoPrimaryTypeDefined', 'signMalformedResult', /primaryType: is not among the types/],
    [
      'signInvalidVerifyingContractType',
      'signMalformedResult',
      /domain\.verifyingContract: is not of type address/,
    ],
    ['sendWithInvalidValue', 'sendMalformedResult', /value: is not a number in hex/],
    ['sendWithInvalidTxType', 'sendMalformedResult', /type: is neither 0x0, 0x1 nor 0x2/],
    ['sendWithInvalidRecipient', 'sendMalformedResult', /to: is not an address/],
    ['sendWithInvalidGasLimit', 'sendMalformedResult', /gasLimit: is not a number in hex/],
    ['sendWithInvalidMaxFeePerGas', 'sendMalformedResult', /maxFeePerGas: is not a number in hex/],
    // Malformed hex that some wallets repair, or check before repairing.
    ['maliciousSendWithOddHexData', 'maliciousWarningBypassResult', /data: is not hex/],
    ['maliciousApproveERC20WithOddHexData', 'maliciousWarningBypassResult', /data: is not hex/],
    ['maliciousSendWithoutHexPrefixValue', 'maliciousWarningBypassResult', /value: is not a number in hex/],
  ]
  for (const [button, place, words] of refused) {
    await press(button)
    await expect(part(place), button).toHaveText(/^Error: /)
    await expect(part(place), button).toHaveText(words)
    if (place !== button) await clear(part(place))
  }
  await press('maliciousPermitHexPaddedChain')
  await expect.poll(() => logs.join()).toContain('domain.chainId: is not of type uint256')
  await press('maliciousPermitIntAddress')
  await expect.poll(() => logs.join()).toContain('domain.verifyingContract: is not of type address')
  // The page enables this button only after the key was provided.
  await part('decryptButton').evaluate((button: HTMLButtonElement) => {
    button.disabled = false
  })
  await press('decryptButton')
  await expect(part('cleartextDisplay')).toHaveText(/does not read or write encrypted messages/)
  expect(openWindows(context.pages())).toEqual([])

  // Fields outside the type are not signed and not shown as signed.
  await press('signExtraDataNotTyped')
  const window = await requestWindow(context)
  await expect(window.getByText('Hello, Bob!')).toBeVisible()
  await expect(window.getByText('This data is not typed!')).toHaveCount(0)
  await approveTicked(window)
  await expect(part('signMalformedResult')).toHaveText(signature)
})

test('checks a sign-in message against the requesting site', async ({ owner }) => {
  const { context } = owner
  // These messages are for an HTTPS site on chain 1.
  const page = await context.newPage()
  await page.route(`${secure}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    await route.fulfill({ path: join(files, pathname === '/' ? 'index.html' : pathname) })
  })
  const dapp = await openDapp(page, secure)
  const { press, part } = dapp
  await connectDapp(context, dapp)
  await press('openNetworkPicker')
  await page.getByText('Ethereum Mainnet', { exact: true }).click()
  await approve(await requestWindow(context), /^Switch$/)
  await expect(part('chainId')).toHaveText('0x1')

  for (const id of ['siwe', 'siweResources']) {
    await press(id)
    const window = await requestWindow(context)
    await expect(window.getByRole('heading', { level: 1 })).toHaveText('Sign in to test-dapp.example?')
    await expect(window.getByRole('alert')).toHaveCount(0)
    await approve(window, /^Sign in$/)
    await expect(part('siweResult')).toHaveText(signature)
    await clear(part('siweResult'))
  }

  await press('siweBadDomain')
  const foreign = await requestWindow(context)
  // Longer than any button stays disabled.
  await foreign.waitForTimeout(1_500)
  await approveInDoubt(
    foreign,
    'Sign in',
    'Sign in?',
    /This sign-in is for a different site.*metamask\.badactor\.io, which isn’t the requesting site/s,
  )
  await expect(part('siweResult')).toHaveText(signature)

  for (const [id, words] of [
    ['siweBadAccount', 'The message is for another account.'],
    ['siweMalformed', 'This looks like a sign-in message, but its format is invalid.'],
  ] as const) {
    await press(id)
    const window = await requestWindow(context)
    await expect(window.getByRole('alert')).toContainText(words)
    await expect(window.getByRole('button', { name: 'Sign in' })).toBeDisabled()
    await reject(window)
    await expect(part('siweResult')).toHaveText('Error: The user rejected the request.')
  }
})

test('sends native tokens, deploys contracts and calls them', async ({ owner, localnet, dapp }) => {
  const { context } = owner
  const { press, part, logs } = dapp
  await connectDapp(context, dapp)

  for (const id of ['sendButton', 'sendEIP1559Button', 'sendEIP1559WithoutGasButton']) {
    await press(id)
    await approve(await requestWindow(context), /^Send$/)
    const { to, status } = await receiptOf(dapp, localnet)
    expect([to, status]).toEqual(['0x0c54fccd2e384b4bb6f2e405bf5cbc15a017aafb', 'success'])
  }

  await press('deployButton')
  const creation = await requestWindow(context)
  await expect(creation.getByRole('heading', { level: 1 })).toHaveText('Create a contract?')
  await approveCreation(creation)
  await expect(part('contractStatus')).toHaveText('Deployed')
  await press('depositButton')
  await approve(await requestWindow(context), /^Confirm$/)
  await expect(part('contractStatus')).toHaveText('Deposit completed')
  const before = await localnet.client.getBalance({ address: owner.address })
  await press('withdrawButton')
  await approve(await requestWindow(context), /^Confirm$/)
  await expect(part('contractStatus')).toHaveText('Withdrawn')
  const gain = (await localnet.client.getBalance({ address: owner.address })) - before
  expect(gain).toBeGreaterThan(990_000_000_000_000_000n)

  await press('deployFailingButton')
  await approveCreation(await requestWindow(context))
  await expect(part('failingContractStatus')).toHaveText('Deployed')
  logs.length = 0
  await press('sendFailingButton')
  const failing = await requestWindow(context)
  await expect(failing.getByRole('alert')).toContainText('Transaction will likely fail')
  await expect(failing.getByRole('button', { name: 'Send anyway', exact: true })).toBeDisabled()
  await failing.getByRole('checkbox', { name: /^I accept the risk to / }).check()
  await approve(failing, /^Send anyway$/)
  expect((await receiptOf(dapp, localnet)).status).toBe('reverted')
  await expect(part('failingContractStatus')).toHaveText('Failed transaction process completed as expected.')
})

test('deploys a token, watches it, transfers it and approves a spender', async ({
  owner,
  localnet,
  dapp,
}) => {
  const { context } = owner
  const { press, part } = dapp
  await connectDapp(context, dapp)
  await press('createToken')
  await approveCreation(await requestWindow(context))
  await expect(part('erc20TokenAddresses')).toHaveText(/^0x[0-9a-fA-F]{40}$/)
  const token = (await part('erc20TokenAddresses').textContent()) as Address
  const read = (functionName: 'balanceOf' | 'allowance', args: Address[]) =>
    localnet.client.readContract({ address: token, abi: erc20Abi, functionName, args } as never)

  // A symbol that differs from the contract's is rejected.
  await part('eip747ContractAddress').fill(token)
  await part('eip747Symbol').fill('USDC')
  await part('eip747Decimals').fill('4')
  await press('eip747WatchButton')
  await expect(part('eip747Status')).toHaveText(/There was an error/)
  await press('watchAssets')
  const watching = await requestWindow(context)
  await expect(watching.getByText('TST').first()).toBeVisible()
  await expect(watching.getByText(token.toLowerCase())).toBeVisible()
  await approve(watching, /^Add token$/)

  await press('transferTokens')
  const transfer = await requestWindow(context)
  await expect(transfer.getByRole('heading', { level: 1 })).toHaveText(/^Send .+\?$/)
  await expect(transfer.getByText(/1\.5\s*TST/).first()).toBeVisible()
  await approve(transfer, /^Send$/)
  await expect.poll(() => read('balanceOf', ['0x2f318C334780961FB129D2a6c30D0763d9a5C970'])).toBe(15_000n)

  const spender = '0x9bc5baF874d2DA8D216aE9f137804184EE5AfEF4'
  await press('approveTokens')
  const permission = await requestWindow(context)
  await expect(permission.getByRole('heading', { level: 1 })).toHaveText(/^Approve .+ spending\?$/)
  await expect(permission.getByText(/isn’t a known router/)).toBeVisible()
  await approve(permission, /^Approve$/)
  await expect.poll(() => read('allowance', [owner.address, spender])).toBe(70_000n)
  await press('increaseTokenAllowance')
  const more = await requestWindow(context)
  await expect(more.getByText('Increase allowance by')).toBeVisible()
  await approve(more, /^Approve$/)
  await expect.poll(() => read('allowance', [owner.address, spender])).toBe(80_000n)

  await part('allowanceOwner').fill(owner.address)
  await part('allowanceSpender').fill(spender)
  await press('getAllowance')
  await expect(part('allowanceAmountResult')).toHaveText('8.0000')
})

test('does not add a chain with an unreachable RPC, nor switch to an unknown chain', async ({
  owner,
  dapp,
}) => {
  const { context } = owner
  const { page, press, part, logs } = dapp
  await connectDapp(context, dapp)
  await press('switchEthereumChain')
  await expect.poll(() => logs.join()).toContain('The wallet knows no network 1338')
  await press('openNetworkPicker')
  await page.getByText('Sepolia', { exact: true }).click()
  await expect(page.getByText('Sepolia is not available in your wallet')).toBeVisible()

  await press('addEthereumChain')
  const window = await requestWindow(context)
  await expect(window.getByText('http://127.0.0.1:8546')).toBeVisible()
  // On an overloaded machine its retries may time out first.
  await expect(async () => {
    await window.getByRole('button', { name: 'Add network' }).click()
    await expect(window.getByRole('alert')).toContainText(/Can’t reach the RPC|The RPC timed out/)
    await expect(window.getByRole('alert')).toContainText(/Can’t reach the RPC/, { timeout: 1 })
  }).toPass()
  await reject(window)
  await expect.poll(() => logs.join()).toContain('The user rejected the request.')
  await expect(part('chainId')).toHaveText('0x7a69')
})

test('sends a batch of calls one after the other and reports its status', async ({ owner, dapp }) => {
  const { context } = owner
  const { page, press, part } = dapp
  await connectDapp(context, dapp)
  await press('eip5792GetCapabilitiesButton')
  const capabilities = await jsonOf(part('eip5792GetCapabilitiesResult'))
  expect(capabilities['0x7a69']).toEqual({ atomic: { status: 'unsupported' }, swap: { supported: true } })

  // The page requires atomic execution, which is rejected.
  await press('eip5792SendCallsButton')
  await expect(part('eip5792SendCallsError')).toHaveText(/one call after the other/)

  const asked = page.evaluate(
    async ([from]) => {
      const { provider } = (window as unknown as { sluice: { provider: Provider } }).sluice
      const calls = [
        { to: '0x0c54FcCd2e384b4BB6f2E405Bf5Cbc15a017AaFb', value: '0x38d7ea4c68000' },
        { to: '0xbc2114a988e9CEf5bA63548D432024f34B487048', value: '0x71afd498d0000' },
      ]
      const params = [{ version: '2.0.0', from, chainId: '0x7a69', atomicRequired: false, calls }]
      return provider.request({ method: 'wallet_sendCalls', params }) as Promise<{ id: string }>
    },
    [owner.address],
  )
  await approve(await requestWindow(context), /^Send all 2$/)
  await part('eip5792RequestIdInput').fill((await asked).id)
  await expect(async () => {
    await press('eip5792GetCallsStatusButton')
    const { status, receipts } = await jsonOf(part('eip5792GetCallsStatusResult'))
    expect([status, receipts]).toMatchObject([200, [{ status: '0x1' }, { status: '0x1' }]])
  }).toPass()

  await part('eip5792RequestIdInput').fill('0x00')
  await press('eip5792GetCallsStatusButton')
  await expect(part('eip5792GetCallsStatusResult')).toHaveText(/asked for nothing under this id/)
})

test('queues simultaneous requests in one window, where the user rejects them singly or together', async ({
  owner,
  dapp,
}) => {
  const { context } = owner
  const { press, logs } = dapp
  await connectDapp(context, dapp)
  logs.length = 0
  // Ten signature requests at once: five are queued.
  await press('signTypedDataV4Batch')
  const window = await requestWindow(context)
  await expect(window.getByText('1 of 5')).toBeVisible()
  await expect.poll(() => logs.filter((one) => one.includes('Too many requests')).length).toBe(5)
  expect(openWindows(context.pages())).toHaveLength(1)
  // Rejects the first one alone, the others together.
  await reject(window, 'stays')
  await expect(window.getByText('1 of 4')).toBeVisible()
  const closed = window.waitForEvent('close')
  await window.getByRole('button', { name: 'Reject all' }).click()
  await closed
  await expect.poll(() => logs.filter((one) => one.includes('The user rejected')).length).toBe(5)
})

/**
 * Approves a contract creation. Anvil's eth_simulateV1 requires `to`, and an unsimulated transaction requires
 * the checkbox.
 */
async function approveCreation(window: Page): Promise<void> {
  await expect(window.getByRole('button', { name: 'Send without simulation', exact: true })).toBeDisabled()
  await window.getByRole('checkbox', { name: 'I accept the risk to all my assets.' }).check()
  await approve(window, /^Send without simulation$/)
}
const secure = 'https://test-dapp.example'
const signature = /^0x[0-9a-f]{130}$/

type Provider = { request(ask: { method: string; params?: unknown }): Promise<unknown> }

/** Opens the page without internet access and selects our wallet. */
async function openDapp(page: Page, origin: string): Promise<Dapp> {
  const logs: string[] = []
  const absent = new Set<string>()
  page.on('console', (line) => logs.push(line.text()))
  page.on('pageerror', ({ message }) => logs.push(message))
  await page.route(
    (url) => url.origin !== origin && url.protocol !== 'data:',
    async (route) => {
      absent.add(new URL(route.request().url()).hostname)
      await route.abort('internetdisconnected')
    },
  )
  // Its buttons only work for MetaMask, so our wallet is marked as that.
  await page.addInitScript(() => {
    addEventListener('eip6963:announceProvider', (event) => {
      const { detail } = event as CustomEvent<{ info: { name: string }; provider: object }>
      if (detail.info.name !== 'Sluice') return
      Object.assign(detail.provider, { isMetaMask: true })
      Object.assign(window, { sluice: detail })
    })
  })
  await page.goto(origin)
  await useSluice(page)
  return {
    page,
    logs,
    absent,
    press: (id) => page.locator(`#${id}`).click(),
    part: (id) => page.locator(`#${id}`),
  }
}

/** Selects our wallet explicitly, as the page takes the first one announced. */
async function useSluice(page: Page): Promise<void> {
  const name = page.locator('#activeProviderName')
  await expect(name).toHaveText('Sluice')
  await clear(name)
  await page.getByRole('button', { name: 'Use Sluice' }).click()
  await expect(name).toHaveText('Sluice')
}

/** Connects the page unless an earlier test did. */
async function connectDapp(context: BrowserContext, { press, part }: Dapp): Promise<void> {
  const button = part('connectButton')
  if ((await button.textContent()) === 'Connected') return
  await press('connectButton')
  await approve(await requestWindow(context), /^Connect$/)
  await expect(button).toHaveText('Connected')
}

/** Clears the result, so that a new one is noticed. */
async function clear(part: Locator): Promise<void> {
  await part.evaluate((element) => element.replaceChildren())
}

/** Approves a request with warnings: the button is disabled until the checkbox is set. */
async function approveInDoubt(
  window: Page,
  label: string,
  title: string | RegExp,
  doubts: RegExp,
): Promise<void> {
  await expect(window.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(window.getByRole('alert')).toHaveText(doubts)
  const button = window.getByRole('button', { name: label, exact: true })
  await expect(button).toBeDisabled()
  await window.getByRole('checkbox', { name: 'I understand the risk and want to sign' }).check()
  await approve(window, new RegExp(`^${label}$`))
}

/** Signs data of an unknown type for a contract, which requires the checkbox. */
async function approveTicked(window: Page): Promise<void> {
  await expect(window.getByRole('heading', { level: 1 })).toHaveText('Sign this data?')
  await expect(window.getByRole('button', { name: 'Sign', exact: true })).toBeDisabled()
  await window.getByRole('checkbox', { name: 'I trust this site with my signature' }).check()
  await approve(window, /^Sign$/)
}

async function reject(window: Page, then: 'closes' | 'stays' = 'closes'): Promise<void> {
  const closed = then === 'closes' ? window.waitForEvent('close') : undefined
  await window.getByRole('button', { name: 'Reject', exact: true }).click()
  await closed
}

/** Returns the receipt of the last transaction hash logged by the page. */
async function receiptOf({ logs }: Dapp, { client }: Localnet) {
  const hashes = () => logs.flatMap((line) => line.match(/0x[0-9a-f]{64}(?![0-9a-f])/) ?? [])
  await expect.poll(() => hashes().length).toBeGreaterThan(0)
  const hash = hashes().at(-1) as Hex
  logs.length = 0
  return client.waitForTransactionReceipt({ hash })
}

async function jsonOf(part: Locator): Promise<Record<string, unknown>> {
  await expect(part).toHaveText(/^\{/)
  return JSON.parse((await part.textContent()) ?? '') as Record<string, unknown>
}

function openWindows(pages: Page[]): Page[] {
  return pages.filter((page) => page.url().endsWith('/popup.html#requests'))
}
