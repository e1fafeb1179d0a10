// `npx tsx store/pictures.ts`: draws the icons and store pictures from docs/pictures and the built wallet.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath, launchBrowser } from '../dev/browser/browser.ts'
import { chooseToken, createWallet, review, sellAmount, setLocalNetwork } from '../dev/browser/popupPage.ts'
import { createLocalnet } from '../dev/localnet.ts'
import { encodePng } from '../scripts/png.ts'
import { startService } from '../service/server.ts'

const root = resolve(import.meta.dirname, '..')
const store = join(root, 'store')

const mark = readFileSync(join(root, 'docs/pictures/mark.svg'), 'utf8')
/** The large icon would blur at this size. */
const smallMark = readFileSync(join(root, 'docs/pictures/mark16.svg'), 'utf8')

const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
const canvas = await browser.newPage()
try {
  for (const size of [16, 32, 48, 96, 128]) {
    const pixels = await paint(size === 16 ? smallMark : mark, size)
    const path = `public/icon/${size}.png`
    writeFileSync(join(root, path), encodePng(pixels, size))
    console.log(path)
  }
  // Chrome's store requires 96 pixels with a margin of 16.
  await draw(join(store, 'icon-128.png'), 128, 128, `<div style="padding:16px">${mark}</div>`)
  await draw(
    join(store, 'tile-440x280.png'),
    440,
    280,
    card(`<div style="width:88px">${mark}</div><h1>Sluice</h1><p>Swap tokens. Keep your keys.</p>`, 'tile'),
  )
  const [swap, agreed, network] = await screens()
  await shoot('1-swap', 'Know the minimum you receive', 'With the price, the route and the fee.', swap)
  await shoot('2-review', 'Simulated before you sign', 'By the RPC you chose, to the last unit.', agreed)
  await shoot(
    '3-network',
    'Your choice of servers',
    'One press takes a public RPC. Nothing else is contacted.',
    network,
  )
} finally {
  await browser.close()
}

/** Returns RGBA pixels with colors reduced for a palette. */
async function paint(svg: string, size: number): Promise<Uint8Array> {
  const pixels = await canvas.evaluate(
    async ([source, side]) => {
      const image = new Image(side, side)
      image.src = `data:image/svg+xml,${encodeURIComponent(source)}`
      await image.decode()
      const context = new OffscreenCanvas(side, side).getContext('2d')
      context?.drawImage(image, 0, 0, side, side)
      return [...(context?.getImageData(0, 0, side, side).data ?? [])]
    },
    [svg, size] as const,
  )
  return Uint8Array.from(pixels, (value) => Math.round(value / 17) * 17)
}

/** Screenshots of the built wallet at double resolution. */
async function screens(): Promise<Buffer[]> {
  const localnet = await createLocalnet({ faucetPort: 0 })
  const service = await startService({ config: localnet.config, rpcUrl: localnet.rpcUrl, port: 0 })
  const profile = mkdtempSync(join(tmpdir(), 'sluice-store-'))
  const wallet = await launchBrowser({
    extension: join(root, '.output/chrome-mv3'),
    profile,
    headless: true,
  })
  try {
    const setUp = await wallet.openFile('icon/16.png')
    await setLocalNetwork(setUp, {
      rpcUrl: localnet.rpcUrl,
      serviceUrl: service.url,
      faucetUrl: localnet.faucetUrl ?? '',
      stable: localnet.tokens.USDC,
      wrapped: localnet.tokens.WETH,
      router: localnet.contracts.router,
    })
    const page = await wallet.openPopup()
    await setUp.close()
    await lookTwiceAsClosely(page)
    const origin = page.url().replace(/#.*/, '')
    await createWallet(page)
    await page.getByRole('button', { name: 'Get test funds' }).click()
    await page.getByRole('button', { name: 'Enter an amount' }).waitFor()
    await chooseToken(page, 'sell', 'DAI')
    await chooseToken(page, 'buy', 'WBTC')
    await sellAmount(page).fill('1000')
    await page.getByRole('button', { name: 'Review swap' }).waitFor()
    const form = await look(page)
    await review(page)
    // New buttons are disabled briefly.
    await page.locator('button:enabled:not([aria-disabled=true])', { hasText: 'Approve and swap' }).waitFor()
    const agreed = await look(page)
    await page.goto('about:blank')
    await page.goto(`${origin}#/network/8453`)
    await page.getByText('mainnet.base.org').first().waitFor()
    return [form, agreed, await look(page)]
  } finally {
    await wallet.close()
    await service.stop()
    await localnet.stop()
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
}

async function lookTwiceAsClosely(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const metrics = { width: 360, height: 600, deviceScaleFactor: 2, mobile: false }
  await session.send('Emulation.setDeviceMetricsOverride', metrics)
}

function look(page: Page): Promise<Buffer> {
  return page.screenshot({ scale: 'device', animations: 'disabled' })
}

/** Draws a screenshot beside a sentence, in the size of both stores. */
function shoot(name: string, title: string, text: string, screen?: Buffer): Promise<void> {
  const picture = `<img src="data:image/png;base64,${screen?.toString('base64')}" alt="">`
  const words = `<div><div style="width:72px">${mark}</div><h1>${title}</h1><p>${text}</p></div>`
  return draw(join(store, `screen-${name}.png`), 1280, 800, card(words + picture, 'screen'))
}

function card(content: string, kind: 'tile' | 'screen'): string {
  return `<style>
    main { box-sizing: border-box; width: 100vw; height: 100vh; display: flex; align-items: center; justify-content: center;
      background: #e3f1f3; color: #0b3d47; font-family: sans-serif; }
    .tile { flex-direction: column; }
    .tile h1 { font-size: 34px; margin: 12px 0 4px; }
    .tile p { font-size: 17px; margin: 0; }
    .screen { gap: 96px; }
    .screen > div { width: 460px; }
    .screen h1 { font-size: 46px; line-height: 1.15; margin: 28px 0 16px; }
    .screen p { font-size: 22px; margin: 0; }
    .screen img { width: 420px; border-radius: 16px; box-shadow: 0 12px 40px #0b3d4740; }
  </style><main class="${kind}">${content}</main>`
}

async function draw(path: string, width: number, height: number, content: string): Promise<void> {
  await canvas.setViewportSize({ width, height })
  await canvas.setContent(`<style>body{margin:0} svg{display:block;width:100%}</style>${content}`)
  await canvas.screenshot({ path, omitBackground: true })
  console.log(path.slice(root.length + 1))
}
