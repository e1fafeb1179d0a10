import { defineContentScript } from 'wxt/utils/define-content-script'
import { startPage } from '../src/provider/inpage.ts'

export default defineContentScript({
  matches: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
  runAt: 'document_start',
  world: 'MAIN',
  // It would be a global variable of the page.
  globalName: false,
  main: () => startPage(window),
})
