import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CDPSession, Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi } from 'viem'
import { launchBrowser } from '../dev/browser/browser.ts'
import {
  callWallet,
  confirm,
  openSwap,
  password,
  requestWindow,
  waitUntilDone,
} from '../dev/browser/popupPage.ts'
import { serveSite } from '../dev/browser/site.ts'
import { createPublicLocalnet } from '../dev/chain/publicChain.ts'
import type { SettingsChanges } from '../src/domain/network/network.ts'
import { createKey } from '../src/vault/password.ts'
import { newSecret } from '../src/vault/words/phrase.ts'
import { copyWithHosts, startPublicRpc } from '../tests/helpers/e2e/publicRpc.ts'

/** A screenshot at double resolution. */
export type Shot = { name: string; png: Buffer; width: number; height: number }

const hosts = ['mainnet.base.org', 'ethereum-rpc.publicnode.com']

/**
 * Uses a built extension on local chains that stand for Base and Ethereum, and returns its main screens in
 * the order of use.
 */
export async function walkThrough(extension: string, look: SettingsChanges): Promise<Shot[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-walk-'))
  const [base, ethereum] = [
    await createPublicLocalnet({ chainId: 8453, blockTimeSeconds: 2 }),
    await createPublicLocalnet({ chainId: 1 }),
  ]
  const rpc = await startPublicRpc({ [hosts[0] ?? '']: base.rpcUrl, [hosts[1] ?? '']: ethereum.rpcUrl })
  const site = await serveSite(folder, {
    files: { '/': { type: 'text/html', body: '<!doctype html><title>App</title><h1>App</h1>' } },
  })
  copyWithHosts(extension, hosts, join(folder, 'extension'))
  const chrome = await launchBrowser({
    extension: join(folder, 'extension'),
    profile: join(folder, 'profile'),
    headless: true,
    isStill: true,
    args: rpc.args,
  })
  const shots: Shot[] = []
  try {
    const setUp = await chrome.openFile('icon/16.png')
    const { networks } = await callWallet(setUp, 'settings')
    await callWallet(setUp, 'saveSettings', {
      ...look,
      networks: networks.flatMap((network) => {
        const at = [8453, 1].indexOf(network.chainId)
        return at < 0 ? [] : [{ ...network, rpcUrl: `https://${hosts[at]}` }]
      }),
    })
    await callWallet(setUp, 'create', await createKey(password), await newSecret(12))
    await callWallet(setUp, 'confirmBackup')
    const status = await callWallet(setUp, 'status')
    const account = status.vault === 'unlocked' ? status.accounts[0]?.address : undefined
    if (account === undefined) throw new Error('The new wallet has no account.')
    await base.fund(account)
    await ethereum.fund(account)
    const page = await chrome.openPopup()
    await setUp.close()
    const origin = page.url().replace(/#.*/, '')
    const shoot = async (name: string, of: Page = page, width = 360, height = 600) => {
      await resize(of, width, height)
      await of.waitForTimeout(1_500)
      const png = await of.screenshot({ scale: 'device', animations: 'disabled' })
      shots.push({ name, png, width, height })
    }
    const go = async (hash: string) => {
      await page.goto('about:blank')
      await page.goto(`${origin}${hash}`)
    }
    await resize(page, 360, 600)
    await go('#/home')
    await page.waitForTimeout(4_000)
    await shoot('home')
    await go(`#/token/${base.tokens.USDC}`)
    await shoot('token')
    await go('#/receive')
    await shoot('receive')
    await go('#/swap')
    await openSwap(page)
    await page.locator('#sell-amount').fill('2.5')
    await page.locator('form button.main:not([disabled])').waitFor()
    await page.waitForTimeout(4_000)
    await shoot('swap')
    await page.locator('button.token').first().click()
    await shoot('picker')
    await page.keyboard.press('Escape')
    await page.locator('form button.main').click()
    await page.waitForTimeout(5_000)
    await shoot('review')
    await base.client.setIntervalMining({ interval: 5 })
    await confirm(page)
    await page.waitForTimeout(1_200)
    await shoot('progress')
    await waitUntilDone(page).catch(() => undefined)
    await base.client.setIntervalMining({ interval: 2 })
    await shoot('done')
    await go('#/activity')
    await shoot('activity')
    await go('#/send')
    await shoot('send')
    await go('#/settings')
    await shoot('settings')
    await go('#/home')
    await page.waitForTimeout(4_000)
    await shoot('home-after')
    const app = await chrome.context.newPage()
    await app.goto(site.url)
    const ask = (method: string, params: unknown[]) =>
      app.evaluate(
        ([method, params]) => {
          const { ethereum: injected } = window as unknown as {
            ethereum?: { request(ask: unknown): Promise<unknown> }
          }
          const found = new Promise<{ request(ask: unknown): Promise<unknown> }>((resolve) => {
            if (injected) resolve(injected)
            addEventListener('eip6963:announceProvider', (event) =>
              resolve((event as CustomEvent).detail.provider),
            )
            dispatchEvent(new Event('eip6963:requestProvider'))
          })
          found.then((provider) => provider.request({ method, params })).catch(() => undefined)
        },
        [method, params] as const,
      )
    const answer = async (name: string) => {
      const asked = await requestWindow(chrome.context)
      await asked.waitForTimeout(3_000)
      await shoot(name, asked)
      return asked
    }
    await ask('eth_requestAccounts', [])
    const connect = await answer('request-connect')
    await connect
      .getByRole('button', { name: /Connect|Verbinden|ربط|اتصال/ })
      .last()
      .click()
    await app.waitForTimeout(2_000)
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [base.chain.uniswap.router, 2n ** 256n - 1n],
    })
    await ask('eth_sendTransaction', [{ from: account, to: base.tokens.USDC, data: approve }])
    await answer('request-approve')
    await callWallet(page, 'rejectAll')
    await app.waitForTimeout(1_500)
    await ask('wallet_swap', [
      { token: base.tokens.USDC, pairToken: base.tokens.WETH, amount: '100', type: 'sell', id: 'one' },
    ])
    await answer('request-swap')
    await callWallet(page, 'rejectAll')
    await app.waitForTimeout(1_500)
    const text = `0x${Buffer.from('Welcome to App. Sign to continue.').toString('hex')}`
    await ask('personal_sign', [text, account])
    await answer('request-sign')
    await callWallet(page, 'rejectAll')
    await go('#/swap')
    await page.locator('#sell-amount').fill('2.5')
    await page.waitForTimeout(4_000)
    await shoot('wide', page, 1280, 800)
    await shoot('panel', page, 400, 800)
    return shots
  } finally {
    await chrome.close()
    await site.stop()
    await rpc.stop()
    await base.stop()
    await ethereum.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

/** Keeps the page's DevTools session: its end would undo the change. */
async function resize(page: Page, width: number, height: number): Promise<void> {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  await page.setViewportSize({ width, height })
  const metrics = { width, height, deviceScaleFactor: 2, mobile: false }
  await session.send('Emulation.setDeviceMetricsOverride', metrics)
}

const sessions = new WeakMap<Page, CDPSession>()
