import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import { callWallet } from '../../../dev/browser/popupPage.ts'
import type { SettingsChanges } from '../../../src/domain/network/network.ts'
import { isTorture } from '../runs.ts'

/** Theme and language variants of each screen. The long form uses both, the short form one at random. */
const light: SettingsChanges = { theme: 'light', language: 'en' }
const rtl: SettingsChanges = { theme: 'dark', language: 'ar' }
const chosen = process.env.LOOKS
const ways: Record<string, SettingsChanges> = { light, rtl }
if (!isTorture && chosen === undefined) delete ways[Math.random() < 0.5 ? 'light' : 'rtl']
// For review by people: `LOOKS=all npx playwright test …`; `LOOKS=both` for the two variants.
if (chosen === 'all') {
  ways.dark = { theme: 'dark', language: 'en' }
  ways.german = { theme: 'light', language: 'de' }
}

const checker = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns a function that checks the current screen in each variant with axe (WCAG 2.2 A and AA, best
 * practices) and saves a screenshot in test-results/screenshots. The screen's state is kept.
 */
export function createLook(page: Page) {
  return async (name: string): Promise<void> => {
    // Elements in transition are half transparent.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const [way, settings] of Object.entries(ways)) {
      await callWallet(page, 'saveSettings', settings)
      const { theme, language } = settings
      await expect(page.locator(`html[data-theme="${theme}"][lang="${language}"]`)).toBeAttached()
      const folder = `test-results/screenshots/${way}`
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: `${folder}/${name}.png`, animations: 'disabled' })
      // The wallet's own bidi isolates must not be marked as hidden characters.
      await expect.soft(page.getByText('U+2068'), `${name}, ${way}`).toHaveCount(0)
      expect.soft(await faultsOf(page), `${name}, ${way}`).toEqual([])
    }
    await callWallet(page, 'saveSettings', light)
    await expect(page.locator('html[data-theme="light"][lang="en"]')).toBeAttached()
    await page.emulateMedia({ reducedMotion: null })
  }
}

/** Returns axe violations, each with its element. */
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
