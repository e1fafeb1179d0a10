import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes a minimal extension, whose cost is the browser's own share. */
export function writeEmptyExtension(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const everyPage = {
    matches: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
    run_at: 'document_start',
  }
  const files = {
    'manifest.json': JSON.stringify({
      manifest_version: 3,
      name: 'Floor',
      version: '1.0.0',
      permissions: ['storage'],
      background: { service_worker: 'background.js' },
      action: { default_popup: 'popup.html' },
      content_scripts: [
        { ...everyPage, js: ['relay.js'] },
        { ...everyPage, js: ['page.js'], world: 'MAIN' },
      ],
    }),
    'background.js': 'chrome.runtime.onMessage.addListener((message, sender, respond) => { respond("{}") })',
    'popup.html': '<!doctype html><main><button>Nothing</button></main><script src="popup.js"></script>',
    'popup.js': 'document.documentElement.dataset.ready = ""',
    'relay.js': relay,
    'page.js': page,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const relay = `addEventListener('message', ({ source, data }) => {
  if (source !== window || data?.ask === undefined) return
  chrome.runtime.sendMessage(data.ask).then((answer) => postMessage({ id: data.id, answer }, location.origin))
})`

const page = `{
  let last = 0
  const waiting = new Map()
  addEventListener('message', ({ source, data }) => {
    if (source !== window || data?.answer === undefined) return
    waiting.get(data.id)?.(data.answer)
    waiting.delete(data.id)
  })
  const provider = {
    request: (ask) => new Promise((resolve) => {
      waiting.set(++last, resolve)
      postMessage({ id: last, ask }, location.origin)
    }),
  }
  const info = { uuid: '00000000-0000-4000-8000-000000000000', name: 'Floor', icon: 'data:,', rdns: 'test.floor' }
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}`
