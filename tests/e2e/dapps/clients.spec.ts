import { expect, type Page } from '@playwright/test'
import { requestWindow } from '../../../dev/browser/popupPage.ts'
import { startAnvil } from '../../../dev/chain/anvil.ts'
import { approve, connect, openSite, reject, request, test } from '../../helpers/e2e/pages.ts'
import { balanceOf, keepBlocksComing } from '../../helpers/e2e/wallet.ts'

// Common dapp client libraries against the built extension.

const yes = /^(Connect|Sign|Sign in|Send( all \d+)?|Switch|Add network|Add token)$/

let stopBlocks: () => void

test.beforeEach(({ localnet }) => {
  stopBlocks = keepBlocksComing(localnet)
})
test.afterEach(() => stopBlocks())

test('lets viem connect, read, sign, send and receive account events', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  const in_ = <T>(work: () => Promise<T>) => page.evaluate(work)

  const asked = in_(async () => (await window.site).viem.requestAddresses())
  await approve(await requestWindow(context), yes)
  // viem returns checksummed addresses.
  expect((await asked).map((one) => one.toLowerCase())).toEqual([wallet.address])
  expect(await in_(async () => (await window.site).viem.getChainId())).toBe(31337)
  expect(await in_(async () => Number(await (await window.site).viem.getBlockNumber()))).toBeGreaterThan(0)

  const permissions = await in_(async () => (await window.site).viem.getPermissions())
  expect(permissions[0]?.caveats[0]?.value).toEqual([wallet.address])

  const signing = page.evaluate(async () => {
    const { viem } = await window.site
    const [account] = await viem.getAddresses()
    const signature = await viem.signMessage({ account: account!, message: 'Nothing but a test.' })
    return viem.verifyMessage({ address: account!, message: 'Nothing but a test.', signature })
  })
  await approve(await requestWindow(context), yes)
  expect(await signing).toBe(true)

  const typed = page.evaluate(async () => {
    const { viem } = await window.site
    const [account] = await viem.getAddresses()
    const data = {
      domain: { name: 'A site', version: '1', chainId: 31337 },
      types: { Message: [{ name: 'text', type: 'string' }] },
      primaryType: 'Message',
      message: { text: 'Nothing but a test.' },
    } as const
    const signature = await viem.signTypedData({ account: account!, ...data })
    return viem.verifyTypedData({ address: account!, ...data, signature })
  })
  await approve(await requestWindow(context), yes)
  expect(await typed).toBe(true)

  const other = '0x00000000000000000000000000000000000000aa'
  const before = await balanceOf(localnet, '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', other)
  const sending = page.evaluate(async (to) => {
    const { viem } = await window.site
    const [account] = await viem.getAddresses()
    const hash = await viem.sendTransaction({ account: account!, to: to as `0x${string}`, value: 10n ** 15n })
    return (await viem.waitForTransactionReceipt({ hash })).status
  }, other)
  await approve(await requestWindow(context), yes)
  expect(await sending).toBe('success')
  expect((await balanceOf(localnet, '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', other)) - before).toBe(
    10n ** 15n,
  )

  // A rejection has its own error code, which clients do not retry.
  const refused = page.evaluate(async (to) => {
    const { viem } = await window.site
    const [account] = await viem.getAddresses()
    const ask = { account: account!, to: to as `0x${string}`, value: 1n }
    return viem.sendTransaction(ask).catch((error: Error & { cause?: { name: string } }) => error.cause?.name)
  }, other)
  await reject(await requestWindow(context))
  expect(await refused).toBe('UserRejectedRequestError')

  await in_(
    async () =>
      void (await (
        await window.site
      ).viem.request({
        method: 'wallet_revokePermissions',
        params: [{ eth_accounts: {} }],
      })),
  )
  expect(await request(page, 'eth_accounts')).toEqual({ result: [] })
  const events = await in_(async () => (await window.site).events)
  expect(events.filter(({ event }) => event === 'accountsChanged').map(({ data }) => data)).toEqual([
    [wallet.address],
    [],
  ])
})

test('lets viem send a batch of calls and query its status', async ({ chrome, wallet, localnet, site }) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const capabilities = await page.evaluate(async () => {
    const { viem } = await window.site
    const [account] = await viem.getAddresses()
    return viem.getCapabilities({ account: account! })
  })
  expect(capabilities).toMatchObject({ 31337: { swap: { supported: true } } })

  const asked = page.evaluate(async (DAI) => {
    const { viem } = await window.site
    const [account] = await viem.getAddresses()
    const { id } = await viem.sendCalls({
      account: account!,
      calls: [
        { to: '0x00000000000000000000000000000000000000bb', value: 10n ** 16n },
        {
          to: DAI as `0x${string}`,
          data: `0x095ea7b3${'bb'.padStart(64, '0')}${'7'.padStart(64, '0')}`,
        },
      ],
    })
    const done = await viem.waitForCallsStatus({ id, timeout: 200_000 })
    return {
      status: done.status,
      code: done.statusCode,
      receipts: done.receipts?.length,
      atomic: done.atomic,
    }
  }, localnet.tokens.DAI)
  await approve(await requestWindow(context), yes)
  expect(await asked).toEqual({ status: 'success', code: 200, receipts: 2, atomic: false })
  expect(
    await balanceOf(
      localnet,
      '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
      '0x00000000000000000000000000000000000000bb',
    ),
  ).toBe(10n ** 16n)

  const atomic = await request(page, 'wallet_sendCalls', [
    {
      version: '2.0.0',
      chainId: '0x7a69',
      from: wallet.address,
      atomicRequired: true,
      calls: [{ to: wallet.address }],
    },
  ])
  expect(atomic.error?.code).toBe(5760)
})

test('lets wagmi find the wallet by EIP-6963, connect, sign and disconnect', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  const asked = page.evaluate(async () => {
    const { wagmi, wagmiConfig, info } = await window.site
    const connector = wagmi.getConnectors(wagmiConfig).find(({ id }) => id === info.rdns)
    const { accounts, chainId } = await wagmi.connect(wagmiConfig, { connector: connector! })
    return { accounts, chainId }
  })
  await approve(await requestWindow(context), yes)
  const { accounts, chainId } = await asked
  expect(accounts.map((one) => one.toLowerCase())).toEqual([wallet.address])
  expect(chainId).toBe(31337)

  const signing = page.evaluate(async () => {
    const { wagmi, wagmiConfig } = await window.site
    const signature = await wagmi.signMessage(wagmiConfig, { message: 'By wagmi' })
    const { address } = wagmi.getAccount(wagmiConfig)
    return wagmi.verifyMessage(wagmiConfig, { address: address!, message: 'By wagmi', signature })
  })
  await approve(await requestWindow(context), yes)
  expect(await signing).toBe(true)

  const after = await page.evaluate(async () => {
    const { wagmi, wagmiConfig } = await window.site
    const started = performance.now()
    await wagmi.disconnect(wagmiConfig)
    return { status: wagmi.getAccount(wagmiConfig).status, tookMs: performance.now() - started }
  })
  expect(after.status).toBe('disconnected')
  // Returns before the wallet has answered.
  await expect.poll(() => request(page, 'eth_accounts')).toEqual({ result: [] })
})

test('lets ethers connect, sign, send a token and read the receipt', async ({
  chrome,
  wallet,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  const connecting = page.evaluate(async () => (await (await window.site).ethers.getSigner()).getAddress())
  await approve(await requestWindow(context), yes)
  expect((await connecting).toLowerCase()).toBe(wallet.address)

  const signing = page.evaluate(async () =>
    (await (await window.site).ethers.getSigner()).signMessage('By ethers'),
  )
  await approve(await requestWindow(context), yes)
  const signature = (await signing) as `0x${string}`
  expect(
    await localnet.client.verifyMessage({ address: wallet.address, message: 'By ethers', signature }),
  ).toBe(true)

  const other = '0x00000000000000000000000000000000000000cc'
  const sending = page.evaluate(
    async ({ token, to }) => {
      const signer = await (await window.site).ethers.getSigner()
      const data = `0xa9059cbb${to.slice(2).padStart(64, '0')}${(1000).toString(16).padStart(64, '0')}`
      const sent = await signer.sendTransaction({ to: token, data })
      return (await sent.wait())?.status
    },
    { token: localnet.tokens.DAI, to: other },
  )
  await approve(await requestWindow(context), yes)
  expect(await sending).toBe(1)
  expect(await balanceOf(localnet, localnet.tokens.DAI, other)).toBe(1000n)
})

test('switches a site to a chain that it has added, and back', async ({
  chrome,
  wallet: _,
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  expect((await request(page, 'wallet_switchEthereumChain', [{ chainId: '0x7a69' }])).result).toBeNull()
  const unknown = await request(page, 'wallet_switchEthereumChain', [{ chainId: '0x539' }])
  expect(unknown.error?.code).toBe(4902)

  const second = await startAnvil({ chainId: 1337, port: 0 })
  try {
    const adding = page.evaluate(async (rpcUrl) => {
      const { viem } = await window.site
      await viem.addChain({
        chain: {
          id: 1337,
          name: 'Second',
          nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
          rpcUrls: { default: { http: [rpcUrl] } },
        },
      })
      return viem.getChainId()
    }, second.rpcUrl)
    await approve(await requestWindow(context), yes)
    expect(await adding).toBe(1337)
    expect(await chainEvents(page)).toEqual(['0x539'])

    const back = page.evaluate(async () => (await window.site).viem.switchChain({ id: 31337 }))
    await approve(await requestWindow(context), yes)
    await back
    expect(await chainEvents(page)).toEqual(['0x539', '0x7a69'])
  } finally {
    await second.stop()
  }
})

function chainEvents(page: Page): Promise<unknown[]> {
  return page.evaluate(async () =>
    (await window.site).events.filter(({ event }) => event === 'chainChanged').map(({ data }) => data),
  )
}
