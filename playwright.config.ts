import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/playwright',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // Files side by side, each worker with a world of its own: most of a browser test is waiting.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  reporter: [['list']],
})
