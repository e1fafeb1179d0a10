import { afterAll, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'

// Files share one fake browser (vitest.config.ts).
const { runtime, storage } = fakeBrowser
const asMade = { runtime: { ...runtime }, storage: { ...storage } }

afterAll(() => {
  vi.resetConfig()
  Object.assign(runtime, asMade.runtime)
  Object.assign(storage, asMade.storage)
  fakeBrowser.reset()
})
