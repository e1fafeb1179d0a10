// `npx tsx store/contactSheet.ts <extension> <picture.png> [light|dark] [language]`: draws the main screens
// of a built extension on one sheet, to be looked at side by side.
import { resolve } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumPath } from '../dev/browser/browser.ts'
import { type Language, languages, type Theme, themes } from '../src/domain/preferences.ts'
import { type Shot, walkThrough } from './walk.ts'

const columns = 7
const gap = 16

const [, , extension, picture, theme = 'light', language = 'en'] = process.argv
if (extension === undefined || picture === undefined || !isTheme(theme) || !isLanguage(language)) {
  console.error('Usage: npx tsx store/contactSheet.ts <extension> <picture.png> [light|dark] [language]')
  process.exit(1)
}
const shots = await walkThrough(resolve(extension), { theme, language })
await drawSheet(shots, resolve(picture))
console.log(`${picture}: ${shots.length} screens`)

async function drawSheet(shots: Shot[], path: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = await browser.newPage({ viewport: { width: columns * (360 + gap) + gap, height: 600 } })
  const figures = shots.map(({ name, png, width }) => {
    const source = `data:image/png;base64,${png.toString('base64')}`
    return `<figure style="width:${width}px"><img src="${source}" alt=""><figcaption>${name}</figcaption></figure>`
  })
  await page.setContent(`<style>
    body { margin: 0; padding: ${gap}px; display: flex; flex-wrap: wrap; gap: ${gap}px; background: #8a9a9d; font: 14px sans-serif; }
    figure { margin: 0 }
    img { display: block; width: 100%; border-radius: 8px }
    figcaption { padding: 4px; color: #10262b }
  </style>${figures.join('')}`)
  await page.screenshot({ path, fullPage: true })
  await browser.close()
}

function isTheme(text: string): text is Theme {
  return (themes as readonly string[]).includes(text)
}

function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text)
}
