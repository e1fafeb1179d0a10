import { expect } from '@playwright/test'
import { parseEther, parseGwei, toHex } from 'viem'
import { click, requestWindow } from '../../../dev/browser/popupPage.ts'
import { createLook } from '../../helpers/e2e/looks.ts'
import { connect, openSite, reject, request, test } from '../../helpers/e2e/pages.ts'
import { useLocalnet } from '../../helpers/e2e/wallet.ts'
import { startHttpServer } from '../../helpers/httpServer.ts'

// An RPC that reports excessive fees.

test('requires consent to an excessive fee, and blocks a fee above the limit', async ({
  chrome,
  wallet,
  localnet,
  service,
  site,
}) => {
  const node = await startGreedyNode(localnet.rpcUrl)
  await useLocalnet(wallet.page, { ...localnet, rpcUrl: node.url }, service.url)
  const { context } = chrome
  const page = await openSite(context, site.url, localnet.rpcUrl)
  await connect(context, page)
  const to = `0x${'f1'.repeat(20)}`
  const nonce = () => localnet.client.getTransactionCount({ address: wallet.address })
  const send = (ether: string) =>
    request(page, 'eth_sendTransaction', [{ from: wallet.address, to, value: toHex(parseEther(ether)) }])

  // 21,000 gas at 1.5 times twice the base fee of 50 gwei: 0.0032 ETH, to send 0.001 ETH.
  node.baseFee = parseGwei('50')
  const odd = send('0.001')
  const window = await requestWindow(context)
  await window.setViewportSize({ width: 360, height: 600 })
  const tick = window.getByRole('checkbox', { name: /^I accept a network fee of up to 0\.0032 ETH/ })
  await expect(tick).toBeEnabled()
  const button = window.getByRole('button', { name: 'Send', exact: true })
  await expect(button).toBeDisabled()
  await createLook(window)('fee-doubt')
  await expect(tick).toBeEnabled()
  await tick.click()
  const closed = window.waitForEvent('close')
  await click(button)
  await closed
  expect((await odd).result).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await nonce()).toBe(1)

  // Above the limit the request can only be rejected.
  node.baseFee = parseGwei('50000')
  const refused = send('1')
  const second = await requestWindow(context)
  await second.setViewportSize({ width: 360, height: 600 })
  await expect(second.getByText('The network fee exceeds your limit for this network.')).toBeVisible()
  await expect(second.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await expect(second.getByRole('button', { name: 'Send without simulation' })).toHaveCount(0)
  await expect(second.getByRole('checkbox')).toHaveCount(0)
  await createLook(second)('fee-refused')
  await reject(second)
  expect((await refused).error).toMatchObject({ code: 4001 })
  expect(await nonce()).toBe(1)
  await node.stop()
})

/** Proxies the real RPC but overrides its base fee. */
async function startGreedyNode(rpcUrl: string) {
  const server = await startHttpServer(async (_request, response, body) => {
    const got = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const told = (await got.json()) as { result?: { baseFeePerGas?: unknown } }
    if (Array.isArray(told.result?.baseFeePerGas)) {
      told.result.baseFeePerGas = told.result.baseFeePerGas.map(() => toHex(node.baseFee))
    }
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    response.end(JSON.stringify(told))
  })
  const node = { ...server, baseFee: 0n }
  return node
}
