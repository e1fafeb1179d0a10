import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { launchBrowser } from '../../dev/browser/browser.ts'
import { setLocalNetwork } from '../../dev/browser/popupPage.ts'
import { serveSite } from '../../dev/browser/site.ts'
import type { Localnet } from '../../dev/localnet.ts'
import { summarise, type Times } from '../stats.ts'

export type PageTimes = {
  /** `eth_blockNumber`. */
  readThroughWallet: Times
  readFromNode: Times
}

const rounds = 500

/** Alternates requests to the wallet and the node, with a warm worker. */
export async function benchPages(extension: string, localnet: Localnet): Promise<PageTimes> {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const site = await serveSite(scratch, {
    files: { '/': { type: 'text/html', body: '<!doctype html><title>Reads</title>' } },
  })
  const browser = await launchBrowser({ extension, profile: join(scratch, 'profile'), headless: true })
  const popup = await browser.openPopup()
  await setLocalNetwork(popup, {
    rpcUrl: localnet.rpcUrl,
    faucetUrl: 'http://127.0.0.1:1',
    serviceUrl: 'http://127.0.0.1:1',
    stable: localnet.tokens.USDC,
    wrapped: localnet.tokens.WETH,
  })
  const page = await browser.context.newPage()
  await page.goto(site.url)
  const took = await measure(page, localnet.rpcUrl)
  await browser.close()
  await site.stop()
  rmSync(scratch, { recursive: true, force: true })
  return {
    readThroughWallet: summarise(took.wallet),
    readFromNode: summarise(took.node),
  }
}

function measure(page: Page, rpcUrl: string) {
  return page.evaluate(
    async ({ rpcUrl, rounds }) => {
      type Provider = { request(ask: { method: string }): Promise<unknown> }
      const provider = await new Promise<Provider>((resolve) => {
        addEventListener('eip6963:announceProvider', (event) =>
          resolve((event as CustomEvent<{ provider: Provider }>).detail.provider),
        )
        dispatchEvent(new Event('eip6963:requestProvider'))
      })
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
      const headers = { 'content-type': 'application/json' }
      // The loader wraps named functions in a helper missing in the page.
      const ways = {
        async node() {
          await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()
        },
        async wallet() {
          await provider.request({ method: 'eth_blockNumber' })
        },
      }
      const took = { node: [] as number[], wallet: [] as number[] }
      for (let round = -50; round < rounds; round++) {
        for (const way of ['node', 'wallet'] as const) {
          const started = performance.now()
          await ways[way]()
          if (round >= 0) took[way].push(performance.now() - started)
        }
        // Rate limit: 50 reads a second.
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      return took
    },
    { rpcUrl, rounds },
  )
}
