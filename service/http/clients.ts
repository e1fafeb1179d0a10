import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'

/** Returns a function that names a key by its hash, in constant time; undefined for a wrong key. */
export function createApiKeys(keys: ReadonlySet<string>): (given: string) => string | undefined {
  const known = [...keys].map(digest)
  return (given) => {
    const asked = digest(given)
    const found = known.filter((one) => timingSafeEqual(one, asked))
    return found[0]?.toString('hex').slice(0, 12)
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
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
