import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { callWallet } from '../../dev/popupPage.ts'
import type { SettingsChanges } from '../../src/domain/network/network.ts'
import { isTorture } from '../runs.ts'

/**
 * How every screen is looked at: the ways in which the wallet itself shows one differently. Each in the long form, and in
 * either of the two, another one each time, in the short one.
 */
const light: SettingsChanges = { theme: 'light', language: 'en' }
const rtl: SettingsChanges = { theme: 'dark', language: 'ar' }
const chosen = process.env.LOOKS
const ways: Record<string, SettingsChanges> = { light, rtl }
if (!isTorture && chosen === undefined) delete ways[Math.random() < 0.5 ? 'light' : 'rtl']
// For people, who see more in a picture than axe does: `LOOKS=all npx playwright test …`; `LOOKS=both` for the two.
if (chosen === 'all') {
  ways.dark = { theme: 'dark', language: 'en' }
  ways.german = { theme: 'light', language: 'de' }
}

const checker = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What looks at the screen that is up, in each way: by axe (WCAG 2.2 A and AA, and its best practices), and by a picture of it in
 * test-results/screenshots for people. Everything stays where it is meanwhile.
 */
export function createLook(page: Page) {
  return async (name: string): Promise<void> => {
    // What is on its way in, or wakes up, is half transparent.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const [way, settings] of Object.entries(ways)) {
      await callWallet(page, 'saveSettings', settings)
      const { theme, language } = settings
      await expect(page.locator(`html[data-theme="${theme}"][lang="${language}"]`)).toBeAttached()
      const folder = `test-results/screenshots/${way}`
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' })
      // What parts the directions of writing is ours, and nobody's text.
      await expect.soft(page.getByText('U+2068'), `${name}, ${way}`).toHaveCount(0)
      expect.soft(await faultsOf(page), `${name}, ${way}`).toEqual([])
    }
    await callWallet(page, 'saveSettings', light)
    await expect(page.locator('html[data-theme="light"][lang="en"]')).toBeAttached()
    await page.emulateMedia({ reducedMotion: null })
  }
}

/** What axe finds wrong, each with the element where. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(checker)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const found: axe.AxeResults = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] })
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  })
  return violations
}
