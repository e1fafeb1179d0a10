import type { Address } from '../../src/domain/token/token.ts'

type Entry = { symbol: string; name: string; address: Address; decimals: number; logoURI: string }

/** Returns a long token list by its path; `entries` come first. */
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

/** Has no contract. */
export function listedAt(index: number): Address {
  return `0x${(0xabcd_0000 + index).toString(16).padStart(40, '0')}`
}

const consonants = 'bdfgklmnprstvz'
const vowels = 'aeiou'

function syllable(index: number): string {
  const at = Math.floor(index / vowels.length) % consonants.length
  return `${consonants[at]}${vowels[index % vowels.length]}`
}
