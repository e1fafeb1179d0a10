import { expect, type Page } from '@playwright/test'
import { encodeFunctionData, parseAbi, parseEther, toHex } from 'viem'
import { requestWindow } from '../../../dev/browser/popupPage.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { connect, leave, openSite, reject, request, test } from '../../helpers/e2e/pages.ts'

test('meets the accessibility checks on the screen of each dapp request', async ({
  chrome,
  wallet: { page: popup, address },
  localnet,
  site,
}) => {
  const { context } = chrome
  const { DAI, USDC, WBTC } = localnet.tokens
  const page = await openSite(context, site.url, localnet.rpcUrl)

  /** Sends a request, checks its window once `sign` is visible, and rejects it. */
  async function lookAt(name: string, sign: string | RegExp, method: string, params?: unknown) {
    const asked = request(page, method, params)
    const window = await sized(await requestWindow(context))
    await window.getByText(sign).first().waitFor()
    await expectFrame(window, site.url)
    await createLook(window)(name)
    await reject(window)
    expect((await asked).error).toMatchObject({ code: 4001 })
    // Clears the rejections, which would delay this site's requests.
    await popup.evaluate(() => {
      const { chrome } = globalThis as unknown as {
        chrome: { storage: { session: { remove(key: string): Promise<void> } } }
      }
      return chrome.storage.session.remove('rejections')
    })
  }

  await lookAt('connect', 'Connect', 'eth_requestAccounts')
  await connect(context, page)

  const words = (text: string) => toHex(text)
  await lookAt('sign-message', 'See you at the harbour', 'personal_sign', [
    words('See you at the harbour.'),
    address,
  ])
  await lookAt('sign-in', /for a different site/, 'personal_sign', [
    words(
      `somewhere.example wants you to sign in with your Ethereum account:\n${address}\n\nURI: https://somewhere.example\nVersion: 1\nChain ID: 31337\nNonce: 12345678\nIssued At: 2026-11-23T00:00:00Z`,
    ),
    address,
  ])
  const order = {
    domain: { name: 'Market', version: '1', chainId: 31337, verifyingContract: DAI },
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Order: [
        { name: 'item', type: 'string' },
        { name: 'price', type: 'uint256' },
        { name: 'places', type: 'Place[]' },
      ],
      Place: [
        { name: 'street', type: 'string' },
        { name: 'keeper', type: 'address' },
      ],
    },
    primaryType: 'Order',
    message: { item: 'Lantern', price: '12', places: [{ street: 'Quay 1', keeper: address }] },
  }
  await lookAt('sign-typed-data', 'Lantern', 'eth_signTypedData_v4', [address, JSON.stringify(order)])
  const places = Array.from({ length: 300 }, (_, index) => ({ street: `Quay ${index}`, keeper: address }))
  const long = {
    ...order,
    domain: { version: '1' },
    types: { ...order.types, EIP712Domain: [{ name: 'version', type: 'string' }] },
    message: { ...order.message, places },
  }
  await lookAt('sign-typed-data-long', 'Show more', 'eth_signTypedData_v4', [address, JSON.stringify(long)])
  await lookAt('send', /^Send/, 'eth_sendTransaction', [
    { from: address, to: USDC, value: toHex(parseEther('0.1')) },
  ])
  await lookAt('send-approval', /More than you have/, 'eth_sendTransaction', [
    {
      from: address,
      to: DAI,
      data: `0x095ea7b3${WBTC.slice(2).padStart(64, '0')}${'f'.repeat(64)}`,
    },
  ])
  await lookAt('send-fails', /^Transaction will likely fail/, 'eth_sendTransaction', [
    { from: address, to: USDC, value: toHex(parseEther('0.1')), data: '0xdeadbeef', gas: '0x30d40' },
  ])
  await lookAt('send-minimum', /The minimum received is only/, 'eth_sendTransaction', [
    {
      from: address,
      to: localnet.contracts.v2Router,
      value: toHex(parseEther('1')),
      data: encodeFunctionData({
        abi: parseAbi([
          'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
        ]),
        args: [1n, [localnet.tokens.WETH, USDC], address, 4_000_000_000n],
      }),
    },
  ])
  await lookAt('send-recipient', /The payout goes to/, 'eth_sendTransaction', [
    {
      from: address,
      to: localnet.contracts.positions,
      value: '0x1',
      data: encodeFunctionData({
        abi: parseAbi(['function multicall(bytes[] data) payable']),
        args: [
          [
            encodeFunctionData({
              abi: parseAbi(['function sweepToken(address token, uint256 amountMinimum, address recipient)']),
              args: [USDC, 0n, DAI],
            }),
          ],
        ],
      }),
    },
  ])
  const members =
    'uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,' +
    'uint256 makingAmount,uint256 takingAmount,uint256 makerTraits'
  const sale = {
    domain: { chainId: 31337, verifyingContract: '0x111111125421ca6dc452d289314280a0f8842a65' },
    types: {
      Order: members.split(',').map((member) => {
        const [type, name] = member.split(' ')
        return { type, name }
      }),
    },
    primaryType: 'Order',
    message: {
      salt: '1',
      maker: address,
      receiver: address,
      makerAsset: USDC,
      takerAsset: localnet.tokens.WETH,
      makingAmount: '25000000000',
      takingAmount: '1',
      makerTraits: `${BigInt(Math.floor(Date.now() / 1_000) + 600) << 80n}`,
    },
  }
  await lookAt('sign-order', /You’d receive/, 'eth_signTypedData_v4', [address, JSON.stringify(sale)])
  const permit = {
    domain: { name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: USDC },
    types: {
      Permit: ['address owner', 'address spender', 'uint256 value', 'uint256 nonce', 'uint256 deadline'].map(
        (member) => {
          const [type, name] = member.split(' ')
          return { type, name }
        },
      ),
    },
    primaryType: 'Permit',
    message: {
      owner: address,
      spender: localnet.contracts.router,
      value: '5000000',
      nonce: '0',
      deadline: Math.floor(Date.now() / 1_000) + 600,
    },
  }
  await lookAt('sign-permit', 'trusted router', 'eth_signTypedData_v4', [address, JSON.stringify(permit)])
  await lookAt('swap', 'Review swap', 'wallet_swap', [{ token: DAI, pairToken: WBTC, amount: '1000' }])
  await lookAt('watch-asset', /LINK/, 'wallet_watchAsset', {
    type: 'ERC20',
    options: { address: localnet.tokens.LINK, symbol: 'LINK', decimals: 18 },
  })
  await lookAt('add-chain', /Harbour/, 'wallet_addEthereumChain', [
    {
      chainId: '0x7a6a',
      chainName: 'Harbour',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: ['https://rpc.harbour.example'],
    },
  ])
})

test('meets the accessibility checks with two requests in one window', async ({
  chrome,
  wallet: { address },
  localnet,
  site,
}) => {
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const asked = ['first', 'second'].map((text) => request(page, 'personal_sign', [toHex(text), address]))
  const window = await sized(await requestWindow(context))
  await window.getByText('1 of 2').waitFor()
  await createLook(window)('requests-two')
  await leave(window, 'Reject all')
  for (const one of asked) expect((await one).error).toMatchObject({ code: 4001 })
})

/** Expects a question below the host, and both buttons at the places they have on every request. */
async function expectFrame(window: Page, origin: string): Promise<void> {
  await expect(window.getByRole('heading', { level: 1 })).toHaveText(/\?$/)
  await expect(window.locator('.origin-host')).toHaveText(origin)
  const boxes = await window.locator('.request-acts > button').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { left, top, width, height } = button.getBoundingClientRect()
      return [left, top, width, height].map(Math.round)
    }),
  )
  expect(boxes).toEqual([
    [16, 532, 128, 52],
    [152, 532, 192, 52],
  ])
  // Reasons follow the head, before anything else.
  const reasons = window.locator('.page-body > .note')
  if ((await reasons.count()) > 0) {
    await expect(window.locator('.page-body > :first-child')).toHaveClass(/note/)
    await expect(reasons.first()).toBeInViewport()
  }
}

/** A headless browser's window has no fixed size. */
async function sized(window: Page): Promise<Page> {
  await window.setViewportSize({ width: 360, height: 600 })
  return window
}
