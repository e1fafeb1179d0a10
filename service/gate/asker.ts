import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'

/**
 * Tells whose key was given: a short name made of its hash, under which it is counted and logged. Undefined when it is nobody's.
 * Takes as long for a wrong key as for a right one.
 */
export function createKeyring(keys: ReadonlySet<string>): (given: string) => string | undefined {
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
 * The network that a request comes from: its address, of which version 6 counts by the 64 bits that one customer has at least.
 * `proxies` of our own stand in front, each of which has added the address of its client to X-Forwarded-For (`forwarded`); what is
 * further left was written by strangers.
 */
export function networkOf(remote: string, forwarded: string | undefined, proxies: number): string {
  const named = proxies === 0 ? undefined : forwarded?.split(',').at(-proxies)?.trim()
  const address = named && withoutPort(named)
  return toNetwork(address !== undefined && isIP(address) !== 0 ? address : remote)
}

/** Some proxies write the client's port behind its address, and then brackets around one of version 6, or those alone. */
function withoutPort(named: string): string {
  const [, inBrackets, beforePort] = /^"?(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)"?$/.exec(named) ?? []
  return inBrackets ?? beforePort ?? named
}

function toNetwork(address: string): string {
  const [, plain] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (plain !== undefined) return plain
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.toLowerCase().replace(/%.*/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...zeros, ...right].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
