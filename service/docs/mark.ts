import type { Html } from './html.ts'

const shapes =
  '<rect width="32" height="32" rx="8" fill="#0b7285"/>' +
  '<g fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"><path d="M8 7v12M24 7v12M8 7h16"/>' +
  '<path d="M6.5 20.5c2.4-2.2 4.3-2.2 6.4 0s4.1 2.2 6.3 0 4.1-2.2 6.3 0M6.5 25.5c2.4-2.2 4.3-2.2 6.4 0s4.1 2.2 6.3 0 4.1-2.2 6.3 0"/></g>' +
  '<rect x="11.5" y="7" width="9" height="7.5" rx="1.2" fill="#fff"/>'

/** Product logo. */
export const mark: Html = { html: `<svg aria-hidden="true" viewBox="0 0 32 32">${shapes}</svg>` }

export const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes}</svg>`,
)}`
