import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes an extension that does nothing into `folder`: a popup with one button and a worker that answers. What it costs is
 * the browser's own share, so that our times can be read against it on any machine.
 */
export function writeFloor(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const files = {
    'manifest.json': JSON.stringify({
      manifest_version: 3,
      name: 'Floor',
      version: '1.0.0',
      background: { service_worker: 'background.js' },
      action: { default_popup: 'popup.html' },
    }),
    'background.js': 'chrome.runtime.onMessage.addListener((message, sender, respond) => { respond("{}") })',
    'popup.html': '<!doctype html><main><button>Nothing</button></main><script src="popup.js"></script>',
    'popup.js': 'document.documentElement.dataset.ready = ""',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
