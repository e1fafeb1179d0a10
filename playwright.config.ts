import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/playwright',
  // For what hangs: a slow machine is no fault, and says nothing of the wallet.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  // A step that hangs is told with its line.
  use: { actionTimeout: 120_000, navigationTimeout: 120_000 },
  // Files side by side, each worker with a world of its own: most of a browser test is waiting.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  reporter: [['list']],
})
