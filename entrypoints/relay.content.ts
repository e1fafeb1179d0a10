import { defineContentScript } from 'wxt/utils/define-content-script'
import { type RelayBrowser, startRelay } from '../src/provider/contentScript.ts'

export default defineContentScript({
  matches: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
  runAt: 'document_start',
  globalName: false,
  main() {
    // Detecting `browser` would touch the runtime on every page.
    const { chrome } = globalThis as unknown as { chrome: RelayBrowser }
    startRelay(chrome, window)
  },
})
