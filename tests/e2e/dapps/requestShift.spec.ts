import { expect, type Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseUnits, toHex } from 'viem'
import { requestWindow } from '../../../dev/browser/popupPage.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { connect, openSite, reject, request, test } from '../../helpers/e2e/pages.ts'
import { useLocalnet } from '../../helpers/e2e/wallet.ts'
import { type HttpServer, startHttpServer } from '../../helpers/httpServer.ts'

/** Long enough for a frame without the simulation. */
const delayMs = 400

type Shift = { value: number; at: number; moved: string[] }

test('moves nothing when simulations arrive, nor when another limit is chosen', async ({
  chrome: { context },
  wallet: { page: popup, address },
  localnet,
  service,
  site,
}) => {
  test.setTimeout(60_000)
  const { DAI, USDC, WETH } = localnet.tokens
  const { router } = localnet.contracts
  const slow = await startSlowRpc(localnet)
  await useLocalnet(popup, { ...localnet, rpcUrl: slow.url }, service.url)
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)

  /** Opens the window of a request, runs `act` in it, and returns the sum of its layout shifts. */
  async function shiftOf(
    name: string,
    method: string,
    params: unknown[],
    act: (window: Page) => Promise<void>,
  ): Promise<number> {
    const asked = request(page, method, params)
    const window = await requestWindow(context)
    await window.getByRole('heading', { level: 1 }).waitFor()
    await window.setViewportSize({ width: 360, height: 600 })
    // From the first frame on, in this size.
    await window.reload()
    await window.getByRole('heading', { level: 1 }).waitFor()
    await observeShifts(window)
    await act(window)
    await window.waitForTimeout(500)
    const shifts = await readShifts(window)
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    console.log(`layout shift, ${name}: ${sum}`, ...shifts.map((shift) => JSON.stringify(shift)))
    await reject(window)
    expect((await asked).error).toMatchObject({ code: 4001 })
    // Rejections would delay this site's requests.
    await popup.evaluate(() => {
      const { chrome } = globalThis as unknown as {
        chrome: { storage: { session: { remove(key: string): Promise<void> } } }
      }
      return chrome.storage.session.remove('rejections')
    })
    return sum
  }
  const call = (to: Address, data: string) => [{ from: address, to, data }]
  const approval = (spender: Address, amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })

  const ofApproval = await shiftOf(
    'approval',
    'eth_sendTransaction',
    call(DAI, approval(router, parseUnits('100', 18))),
    async (window) => {
      await expect(window.locator('.limit-place')).toHaveAttribute('data-status', 'awaited')
      await expect(window.locator('.limit-place')).toHaveAttribute('data-status', 'open')
      await window.getByRole('radio', { name: 'Custom' }).check()
      await window.getByRole('textbox', { name: 'Limit in DAI' }).fill('12')
      await expect(window.getByRole('button', { name: 'Approve' })).toBeEnabled()
      await window.getByRole('radio', { name: 'Unlimited' }).check()
      await window.getByText(/take all DAI/).waitFor()
    },
  )
  const ofUnlimited = await shiftOf(
    'unlimited approval of a stranger',
    'eth_sendTransaction',
    call(DAI, approval(stranger, maxUint256)),
    async (window) => {
      const place = window.locator('.limit-place')
      await expect(place).toHaveAttribute('data-status', 'awaited')
      await expect(window.getByText(/^More than you have/)).toBeVisible()
      await expect(place).toHaveAttribute('data-status', 'open')
      await window.getByRole('radio', { name: 'Custom' }).check()
    },
  )
  const ofTransfer = await shiftOf(
    'transfer',
    'eth_sendTransaction',
    call(
      USDC,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stranger, parseUnits('5', 6)] }),
    ),
    async (window) => {
      await expect(window.getByText('First time sending to this address.')).toBeVisible()
      await expect(window.getByRole('region', { name: 'Simulating…' })).toHaveCount(1)
      await window.getByRole('list', { name: 'Balance changes' }).getByText('−5 USDC').waitFor()
    },
  )
  const ofWrap = await shiftOf(
    'wrap',
    'eth_sendTransaction',
    [
      {
        from: address,
        to: WETH,
        value: toHex(parseUnits('1', 18)),
        data: encodeFunctionData({ abi: parseAbi(['function deposit() payable']) }),
      },
    ],
    async (window) => {
      await window.getByRole('list', { name: 'Balance changes' }).getByText('+1 WETH').waitFor()
    },
  )
  const ofSignature = await shiftOf(
    'signature',
    'eth_signTypedData_v4',
    [address, JSON.stringify(permitOf(address, USDC, router))],
    async (window) => {
      await expect(window.getByRole('button', { name: 'Checking…' })).toBeVisible()
      await expect(window.getByRole('button', { name: 'Sign', exact: true })).toBeVisible()
    },
  )
  // An ERC-721 item of another owner: the reason of the failure is added above, and no limit can be chosen.
  await shiftOf(
    'approval without a limit',
    'eth_sendTransaction',
    call(localnet.contracts.positions, approval(router, 1n)),
    async (window) => {
      const place = window.locator('.limit-place')
      await expect(place).toHaveAttribute('data-status', 'awaited')
      const { height } = (await place.boundingBox()) ?? {}
      await expect(place).toContainText('can’t be changed here', { timeout: 8_000 })
      expect((await place.boundingBox())?.height).toBe(height)
    },
  )
  await slow.stop()
  expect({ ofApproval, ofUnlimited, ofTransfer, ofWrap, ofSignature }).toEqual({
    ofApproval: 0,
    ofUnlimited: 0,
    ofTransfer: 0,
    ofWrap: 0,
    ofSignature: 0,
  })
})

const stranger: Address = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'

function permitOf(owner: Address, token: Address, spender: Address) {
  const members = ['address owner', 'address spender', 'uint256 value', 'uint256 nonce', 'uint256 deadline']
  const types = members.map((member) => {
    const [type, name] = member.split(' ')
    return { type, name }
  })
  const deadline = Math.floor(Date.now() / 1_000) + 600
  return {
    domain: { name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: token },
    types: { Permit: types },
    primaryType: 'Permit',
    message: { owner, spender, value: '5000000', nonce: '0', deadline },
  }
}

/** Forwards to the localnet, simulations and calls late. */
function startSlowRpc({ rpcUrl }: Localnet): Promise<HttpServer> {
  return startHttpServer(async (_asked, response, body) => {
    if (/"eth_(simulateV1|call)"/.test(body)) await new Promise((done) => setTimeout(done, delayMs))
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
}

/** Counts all shifts since the page was opened, also those right after input. */
function observeShifts(window: Page): Promise<void> {
  return window.evaluate(() => {
    const shifts: Shift[] = []
    Object.assign(globalThis, { shifts })
    type Moved = PerformanceEntry & { value: number; sources: Source[] }
    type Source = { node?: Node; previousRect: DOMRect; currentRect: DOMRect }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Moved[]) {
        const moved = entry.sources.map(({ node, previousRect: from, currentRect: to }) => {
          const element = node instanceof Element ? node : node?.parentElement
          return `${element?.className} “${node?.textContent?.slice(0, 30)}” ${[from, to].map(({ x, y, width, height }) => [x, y, width, height].map(Math.round))}`
        })
        shifts.push({ value: entry.value, at: Math.round(entry.startTime), moved })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

function readShifts(window: Page): Promise<Shift[]> {
  return window.evaluate(() => (globalThis as unknown as { shifts: Shift[] }).shifts)
}
