import type { WxtBrowser } from 'wxt/browser'
import { defineContentScript } from 'wxt/utils/define-content-script'
import { startRelay } from '../src/provider/relay.ts'

export default defineContentScript({
  matches: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
  runAt: 'document_start',
  globalName: false,
  main() {
    // Both browsers have it by this name. The other name is found out by a look at the runtime, which takes every page a moment.
    const { chrome } = globalThis as unknown as { chrome: WxtBrowser }
    startRelay(chrome, window)
  },
})
