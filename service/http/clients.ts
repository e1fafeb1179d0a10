import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Returns a function that names a key by its hash; undefined for a wrong key. Hashes are looked up, so the
 * time does not grow with the number of keys, and reveals nothing of them.
 */
export function createApiKeys(keys: ReadonlySet<string>): (given: string) => string | undefined {
  const holders = new Map([...keys].map((key) => [digest(key), digest(key).slice(0, 12)]))
  return (given) => holders.get(digest(given))
}

function digest(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Returns the key of an `Authorization: Bearer` header (RFC 6750). */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^Bearer (.+)$/i.exec(authorization ?? '')?.[1]
}

/**
 * Names a client is counted under, narrow to wide: its key alone, or its networks. Limits grow by position,
 * see `widening`.
 */
export type CountedAs = readonly string[]

/** Returns the limit at `position`. */
export function widening(limit: number, factor: number, position: number): number {
  return limit * factor ** position
}

/**
 * Returns a client's networks: its IPv4 address, or the /64, /56 and /48 of IPv6, each of which may be one
 * customer's. X-Forwarded-For (`forwarded`) is trusted only `proxies` entries from the right.
 */
export function clientNetworks(remote: string, forwarded: string | undefined, proxies: number): CountedAs {
  const named = proxies === 0 ? undefined : forwarded?.split(',').at(-proxies)?.trim()
  const address = named && withoutPort(named)
  return toNetworks(address !== undefined && isIP(address) !== 0 ? address : remote)
}

const probes = new Set(['/health', '/ready', '/metrics'])

/**
 * Returns a function that names the client of a request: its key's holder, else its networks, as
 * `clientNetworks` reads them. Probes count apart, so that a client's other requests do not delay them.
 */
export function createClientOf(keys: ReadonlySet<string> | undefined, proxies: number) {
  const holderOf = keys && createApiKeys(keys)
  return ({ headers, socket, url = '' }: IncomingMessage): CountedAs => {
    const forwarded = headers['x-forwarded-for']
    const networks = clientNetworks(socket.remoteAddress ?? '', forwarded && String(forwarded), proxies)
    if (probes.has(url)) return networks.map((name) => `probe ${name}`)
    const key = bearerKey(headers.authorization)
    const holder = key === undefined ? undefined : holderOf?.(key)
    return holder === undefined ? networks : [holder]
  }
}

/** Some proxies add a port or brackets. */
function withoutPort(named: string): string {
  const [, inBrackets, beforePort] = /^"?(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)"?$/.exec(named) ?? []
  return inBrackets ?? beforePort ?? named
}

function toNetworks(address: string): CountedAs {
  if (isIP(address) !== 6) return [address]
  const groups = toGroups(address)
  const embedded = toEmbedded(groups)
  if (embedded !== undefined) return [embedded]
  return prefixes.map((bits) => `${toPrefix(groups, bits)}::/${bits}`)
}

/** RIPE-690 */
const prefixes = [64, 56, 48] as const

function toGroups(address: string): number[] {
  const [, head = '', dotted] = /^(.*:)([\d.]+\.\d+)$/.exec(address.replace(/%.*/, '')) ?? []
  const bytes = dotted?.split('.').map(Number) ?? []
  const pairs = [0, 2].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16))
  const plain = dotted === undefined ? address.replace(/%.*/, '') : head + pairs.join(':')
  const [left = [], right = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

/** ::ffff:0:0/96 (RFC 4291) or 64:ff9b::/96 (RFC 6052) */
function toEmbedded(groups: readonly number[]): string | undefined {
  const prefix = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(':')
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.')
}

function toPrefix(groups: readonly number[], bits: (typeof prefixes)[number]): string {
  const count = Math.ceil(bits / 16)
  const whole = bits % 16 === 0 ? 0xffff : 0xff00
  return groups
    .slice(0, count)
    .map((group, i) => (i === count - 1 ? group & whole : group).toString(16))
    .join(':')
}
