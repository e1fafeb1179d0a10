import type { Locator, Page } from '@playwright/test'

/** Balance in home's row of the native token. */
export function etherBalance(page: Page): Locator {
  return page.getByRole('link', { name: /^ETH/ }).first().locator('.holding-figures > :last-child')
}
