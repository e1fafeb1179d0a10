import { defineConfig } from 'vitest/config'
import { WxtVitest } from 'wxt/testing/vitest-plugin'

// Beside the browser tests, limits are only for hangs (scripts/runners.mjs).
const patience = process.env.TEST_PATIENCE === undefined ? 1 : 30

export default defineConfig({
  plugins: [WxtVitest()],
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**'],
    // Most tests run on the local network (src/config.ts).
    env: { WXT_RPC_URL: 'http://127.0.0.1:8545' },
    globalSetup: ['tests/helpers/globalSetup.ts'],
    setupFiles: ['tests/helpers/restoreGlobals.ts'],
    // Slower tests use tests/helpers/slow.ts. Hooks start chains.
    testTimeout: 10_000 * patience,
    hookTimeout: 60_000 * patience,
    expect: { poll: { timeout: 100_000 } },
    maxWorkers: 2,
    // Tests restore shared state; isolation would reload everything per file.
    isolate: false,
  },
})
