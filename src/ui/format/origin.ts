/** An origin taken apart for the eye. `host` is ASCII: letters of other alphabets are in punycode. */
export type OriginParts = { scheme: string; host: string; port: string }

/** Origins come from the browser, never from a page. */
export function splitOrigin(origin: string): OriginParts {
  if (!URL.canParse(origin)) return { scheme: '', host: origin, port: '' }
  const { protocol, hostname, port } = new URL(origin)
  return { scheme: protocol.slice(0, -1), host: hostname, port }
}

/** In one line: the scheme only when it is not https. */
export function shortOrigin(origin: string): string {
  return origin.replace(/^https:\/\//, '')
}

/** Whether some of the host's letters are of another alphabet, where many look like ours. */
export function isForeign(host: string): boolean {
  return host.split('.').some((label) => label.startsWith('xn--'))
}
