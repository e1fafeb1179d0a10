import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/playwright',
  // Only for hangs.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  // Reports the line of a hanging step.
  use: { actionTimeout: 120_000, navigationTimeout: 120_000 },
  // Tests mostly wait; each worker has its own localnet.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  reporter: [['list']],
})
