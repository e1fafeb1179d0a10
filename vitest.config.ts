import { defineConfig } from 'vitest/config'
import { WxtVitest } from 'wxt/testing/vitest-plugin'

// Beside the browser tests all of them wait for the processor: there limits are for hangs alone (scripts/runners.mjs).
const patience = process.env.TEST_PATIENCE === undefined ? 1 : 30

export default defineConfig({
  plugins: [WxtVitest()],
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**'],
    globalSetup: ['tests/globalSetup.ts'],
    setupFiles: ['tests/putBack.ts'],
    // Whatever takes longer says why (tests/slow.ts). Hooks start chains.
    testTimeout: 10_000 * patience,
    hookTimeout: 60_000 * patience,
    expect: { poll: { timeout: 100_000 } },
    maxWorkers: 2,
    // A file that changes what all share puts it back; loading everything anew for each of them took longer than many a file.
    isolate: false,
  },
})
