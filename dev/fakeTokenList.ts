import type { Address } from '../src/domain/token/token.ts'

/** An entry of a service's list, as version 6.1 writes it. */
type Entry = { symbol: string; name: string; address: Address; decimals: number; logoURI: string }

/** A list as long as those of large services, and in its place: where a service answers with it. Whatever else is in `entries` comes first. */
export function longList(chainId: number, count: number, entries: Entry[] = []) {
  const many = Array.from({ length: count }, (_, index) => ({
    symbol: `${syllable(index)}${syllable(index * 7)}${index % 90}`.toUpperCase(),
    name: `${syllable(index * 3)} ${syllable(index * 5)} number ${index}`,
    address: listedAt(index),
    decimals: 18,
    logoURI: '',
  }))
  const tokens = Object.fromEntries([...entries, ...many].map((entry) => [entry.address, entry]))
  const body = JSON.stringify({ tokens })
  return { [`/v6.1/${chainId}/tokens`]: { type: 'application/json', body } }
}

/** Where the list has its token of that number. Nothing stands there. */
export function listedAt(index: number): Address {
  return `0x${(0xabcd_0000 + index).toString(16).padStart(40, '0')}`
}

const consonants = 'bdfgklmnprstvz'
const vowels = 'aeiou'

function syllable(index: number): string {
  const at = Math.floor(index / vowels.length) % consonants.length
  return `${consonants[at]}${vowels[index % vowels.length]}`
}
