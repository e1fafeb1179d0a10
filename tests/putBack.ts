import { afterAll, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing/fake-browser'

// Files share one fake browser (see vitest.config.ts). What one of them makes of it by hand, the next does not find.
const { runtime, storage } = fakeBrowser
const asMade = { runtime: { ...runtime }, storage: { ...storage } }

afterAll(() => {
  vi.resetConfig()
  Object.assign(runtime, asMade.runtime)
  Object.assign(storage, asMade.storage)
  fakeBrowser.reset()
})
