import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Socket } from 'node:net'
import { expect } from '@playwright/test'
import { chooseToken, sellAmount, setLocalNetwork } from '../../../dev/browser/popupPage.ts'
import { test } from '../../helpers/e2e/wallet.ts'

test('shows the reason without RPC and service, and recovers by itself', async ({
  wallet: { page },
  localnet,
  service,
}) => {
  const lines = [await startLine(localnet.rpcUrl), await startLine(service.url)]
  const [rpcUrl = '', serviceUrl = ''] = lines.map(({ url }) => url)
  await setLocalNetwork(page, { rpcUrl, serviceUrl })
  await page.reload()
  await chooseToken(page, 'sell', 'DAI')
  await sellAmount(page).fill('10')
  const ready = page.getByRole('button', { name: 'Review swap' })
  await ready.waitFor()

  for (const line of lines) await line.cut()
  await sellAmount(page).fill('11')
  await expect(page.getByText('Can’t reach the swap service.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'No quote available' })).toBeDisabled()
  await expect(sellAmount(page)).toHaveValue('11')

  for (const line of lines) await line.mend()
  const back = Date.now()
  await ready.waitFor()
  console.log(`a price again ${Date.now() - back} ms after node and service were back`)
  await expect(page.getByText('Can’t reach the swap service.')).toHaveCount(0)
  await expect(sellAmount(page)).toHaveValue('11')
  for (const line of lines) await line.cut()
})

/** Starts a TCP proxy to a local server that can be cut and restored. */
async function startLine(target: string) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const onward = dial(Number(new URL(target).port), '127.0.0.1')
    for (const one of [socket, onward]) {
      sockets.add(one)
      one.on('error', () => undefined).on('close', () => sockets.delete(one))
    }
    socket.pipe(onward).pipe(socket)
  })
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    mend: () => listen(port),
    async cut() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
