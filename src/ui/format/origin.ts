/** Parts of an origin. `host` is ASCII (punycode). */
export type OriginParts = { scheme: string; host: string; port: string }

export function splitOrigin(origin: string): OriginParts {
  if (!URL.canParse(origin)) return { scheme: '', host: origin, port: '' }
  const { protocol, hostname, port } = new URL(origin)
  return { scheme: protocol.slice(0, -1), host: hostname, port }
}

/** Omits "https". */
export function shortOrigin(origin: string): string {
  return origin.replace(/^https:\/\//, '')
}

/** True for an IP address, in the form that URL parsing gives it. */
export function isIpAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host)
}

/** True for punycode, whose letters may look like ASCII. */
export function isForeign(host: string): boolean {
  return host.split('.').some((label) => label.startsWith('xn--'))
}
