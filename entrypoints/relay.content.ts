import { defineContentScript } from 'wxt/utils/define-content-script'
import { type RelayBrowser, startRelay } from '../src/provider/contentScript.ts'

export default defineContentScript({
  matches: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
  runAt: 'document_start',
  globalName: false,
  main() {
    // Both browsers have their API by this name. The other name is found out by a look at the runtime, which takes every page a moment.
    const { chrome } = globalThis as unknown as { chrome: RelayBrowser }
    startRelay(chrome, window)
  },
})
