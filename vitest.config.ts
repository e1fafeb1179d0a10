import { defineConfig } from 'vitest/config'
import { WxtVitest } from 'wxt/testing/vitest-plugin'

export default defineConfig({
  plugins: [WxtVitest()],
  test: {
    include: ['tests/**/*.test.ts', 'tests/**/*.test.tsx'],
    exclude: ['tests/e2e/**'],
    globalSetup: ['tests/globalSetup.ts'],
    setupFiles: ['tests/putBack.ts'],
    // For what hangs: a slow machine is no fault.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 100_000 } },
    maxWorkers: 2,
    // A file that changes what all share puts it back; loading everything anew for each of them took longer than many a file.
    isolate: false,
  },
})
