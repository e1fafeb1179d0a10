// `npx tsx store/pictures.ts`: draws the icons and store pictures from docs/pictures and the built wallet.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumPath } from '../dev/browser/browser.ts'
import { encodePng } from '../scripts/png.ts'
import { walkThrough } from './walk.ts'

const root = resolve(import.meta.dirname, '..')
const store = join(root, 'store')

const mark = readFileSync(join(root, 'docs/pictures/mark.svg'), 'utf8')
/** The large icon would blur at this size. */
const smallMark = readFileSync(join(root, 'docs/pictures/mark16.svg'), 'utf8')

/** Pictures of README and docs, by the screen they show. */
const docs = { home: 'home-after', swap: 'swap', review: 'review', request: 'request-swap' }

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
  const shots = await walkThrough(join(root, '.output/chrome-mv3'), { theme: 'light', language: 'en' })
  const shot = (name: string) => {
    const found = shots.find((one) => one.name === name)
    if (found === undefined) throw new Error(`The walk took no picture of ${name}.`)
    return found.png
  }
  for (const [file, name] of Object.entries(docs)) {
    writeFileSync(join(root, `docs/pictures/${file}.png`), shot(name))
    console.log(`docs/pictures/${file}.png`)
  }
  await shoot(
    '1-swap',
    'Know what you get',
    'The route, the fee and the guaranteed minimum at a glance.',
    shot('swap'),
  )
  await shoot(
    '2-review',
    'Simulated before you sign',
    'By the RPC you chose, to the last unit.',
    shot('review'),
  )
  await shoot(
    '3-home',
    'All your networks in one place',
    'Values from on-chain prices. No account, no tracking.',
    shot('home-after'),
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
