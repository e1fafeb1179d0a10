import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'

/**
 * Tells whose key was given: a short name made of its hash, under which it is counted and logged. Undefined
 * when it is nobody's. Takes as long for a wrong key as for a right one.
 */
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
 * Names under which a client is counted, from the narrowest to the widest: a key's holder alone, or the
 * networks of an address. A limit is larger by the name's position, see `widening`.
 */
export type CountedAs = readonly string[]

/**
 * Returns `limit` for the name at `position` of `CountedAs`: each wider network gets `factor` times as much.
 */
export function widening(limit: number, factor: number, position: number): number {
  return limit * factor ** position
}

/**
 * Returns the networks that a request comes from: an IPv4 address alone, of an IPv6 address its /64, /56 and
 * /48, since one customer may have any of them. `proxies` of our own stand in front, each of which has added
 * the address of its client to X-Forwarded-For (`forwarded`); entries further left are not trusted.
 */
export function clientNetworks(remote: string, forwarded: string | undefined, proxies: number): CountedAs {
  const named = proxies === 0 ? undefined : forwarded?.split(',').at(-proxies)?.trim()
  const address = named && withoutPort(named)
  return toNetworks(address !== undefined && isIP(address) !== 0 ? address : remote)
}

/**
 * Some proxies write the client's port behind its address, and then brackets around one of version 6, or
 * those alone.
 */
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

/** Prefixes that providers give to one customer: a /64 at least, often a /56 or a /48 (RIPE-690). */
const prefixes = [64, 56, 48] as const

/** Parses an IPv6 address into its eight groups of 16 bits. */
function toGroups(address: string): number[] {
  const [, head = '', dotted] = /^(.*:)([\d.]+\.\d+)$/.exec(address.replace(/%.*/, '')) ?? []
  const bytes = dotted?.split('.').map(Number) ?? []
  const pairs = [0, 2].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16))
  const plain = dotted === undefined ? address.replace(/%.*/, '') : head + pairs.join(':')
  const [left = [], right = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

/**
 * Returns the IPv4 address in a mapped (::ffff:0:0/96) or translated (64:ff9b::/96) one, RFC 4291 and 6052.
 */
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

/** Writes the groups of a prefix; the last one without the bits beyond it. */
function toPrefix(groups: readonly number[], bits: (typeof prefixes)[number]): string {
  const count = Math.ceil(bits / 16)
  const whole = bits % 16 === 0 ? 0xffff : 0xff00
  return groups
    .slice(0, count)
    .map((group, i) => (i === count - 1 ? group & whole : group).toString(16))
    .join(':')
}
