import preact from '@preact/preset-vite'
import { defineConfig } from 'wxt'

/** The policy of our own pages (docs/security.md). Hosts beyond these are refused by the worker unless configured. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' https: http://127.0.0.1:* http://localhost:*",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export default defineConfig({
  imports: false,
  vite: () => ({ plugins: [preact()] }),
  manifest: {
    name: 'Sluice',
    description: 'A self-custodial wallet for swapping tokens.',
    permissions: ['storage', 'alarms'],
    host_permissions: ['http://127.0.0.1/*', 'http://localhost/*'],
    optional_host_permissions: ['https://*/*'],
    externally_connectable: { ids: [] },
    minimum_chrome_version: '120',
    content_security_policy: { extension_pages: pagePolicy },
  },
})
