import { describe, expect, it } from 'vitest'
import { type Address, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import type { TokenPrice } from '../../../src/domain/value/price.ts'
import { groupTokens } from '../../../src/state/tokens/groups.ts'
import { dai, eth, local, token, usdc } from '../../helpers/state/fakes.ts'

const link = token('1', 'LINK', 18)
const uni = token('2', 'UNI', 18)
const odd = token('3', 'ODDITY', 6, false)
const worn = token('4', 'WORN', 0, false)
const all = [eth, usdc, dai, link, uni, odd, worn]
const network = { ...local, stable: usdc.address }

type Given = Partial<Parameters<typeof groupTokens>[0]>

function symbols(given: Given) {
  const sections = groupTokens({
    network,
    tokens: all,
    balances: {},
    favourites: [],
    text: '',
    ...given,
  })
  return Object.fromEntries(
    Object.entries(sections).map(([name, tokens]) => [name, tokens.map(({ symbol }) => symbol)]),
  )
}

const none = { held: [], favourites: [], popular: [], listed: [], unlisted: [] }

describe('groupTokens', () => {
  it('returns popular and listed tokens, and no unlisted ones', () => {
    expect(symbols({})).toEqual({ ...none, popular: ['ETH', 'USDC'], listed: ['DAI', 'LINK', 'UNI'] })
  })

  it('returns each token once: held before favourites, favourites before all others', () => {
    const found = symbols({
      balances: { [dai.address]: 1n, [odd.address]: 1n, [link.address]: 0n },
      favourites: [uni.address, dai.address, usdc.address],
    })
    expect(found).toEqual({
      ...none,
      held: ['DAI', 'ODDITY'],
      favourites: ['UNI', 'USDC'],
      popular: ['ETH'],
      listed: ['LINK'],
    })
  })

  it('sorts held tokens by value, with those of unknown value last', () => {
    const balances = {
      [nativeTokenAddress]: 10n ** 18n,
      [usdc.address]: 5_000_000_000n,
      [dai.address]: 10n ** 18n,
      [worn.address]: 3n,
      [link.address]: 10n ** 18n,
    }
    const at = (usd: bigint, decimals: number): TokenPrice => ({
      usd: usd * 10n ** 8n,
      per: 10n ** BigInt(decimals),
      source: 'oracle',
    })
    const prices = {
      [nativeTokenAddress]: at(4_000n, 18),
      [usdc.address]: at(1n, 6),
      [worn.address]: at(1n, 0),
      [dai.address]: at(1n, 18),
    }
    expect(symbols({ balances }).held).toEqual(['ETH', 'USDC', 'DAI', 'LINK', 'WORN'])
    expect(symbols({ balances, prices }).held).toEqual(['USDC', 'ETH', 'WORN', 'DAI', 'LINK'])
  })

  it('sorts an unlisted token with a huge balance below known tokens', () => {
    const balances = {
      [odd.address]: 10n ** 30n,
      [link.address]: 2n * 10n ** 18n,
      [uni.address]: 10n ** 20n,
      [usdc.address]: 1n,
      [nativeTokenAddress]: 1n,
    }
    expect(symbols({ balances }).held).toEqual(['ETH', 'USDC', 'UNI', 'LINK', 'ODDITY'])
  })

  it('returns unlisted tokens from three characters on, and for an address', () => {
    expect(symbols({ text: 'od' }).unlisted).toEqual([])
    expect(symbols({ text: ' odd ' }).unlisted).toEqual(['ODDITY'])
    expect(symbols({ text: worn.address.toUpperCase().replace('X', 'x') })).toEqual({
      ...none,
      unlisted: ['WORN'],
    })
  })

  it('returns unlisted tokens without a search when they are held or favourites', () => {
    expect(symbols({ favourites: [odd.address] }).favourites).toEqual(['ODDITY'])
    expect(symbols({ balances: { [odd.address]: 1n } }).held).toEqual(['ODDITY'])
  })

  it('returns the best match first for a search text', () => {
    const wrapped = { ...token('5', 'WUNI', 18), name: 'Wrapped UNI' }
    const found = symbols({
      tokens: [wrapped, ...all],
      text: 'uni',
      favourites: [wrapped.address, uni.address],
    })
    expect(found.favourites).toEqual(['UNI', 'WUNI'])
  })

  it('neither loses nor repeats any of 5,000 tokens', () => {
    const many: Token[] = Array.from({ length: 5_000 }, (_, index) => ({
      ...token('1', `T${index}`, index % 19, index % 3 > 0),
      address: `0x${String(index).padStart(40, '0')}` as Address,
    }))
    const balances = Object.fromEntries(
      many.filter((_, index) => index % 7 === 0).map((one) => [one.address, 1n]),
    )
    const favourites = many.filter((_, index) => index % 50 === 0).map(({ address }) => address)
    const sections = groupTokens({ network, tokens: many, balances, favourites, text: '0x0' })
    const shown = Object.values(sections).flat()
    expect(new Set(shown.map(({ address }) => address)).size).toBe(shown.length)
    // Three characters are too few for a search by address.
    expect(shown).toEqual([])
    const found = Object.values(
      groupTokens({ network, tokens: many, balances, favourites, text: '0x00' }),
    ).flat()
    expect(found).toHaveLength(5_000)
    expect(new Set(found.map(({ address }) => address)).size).toBe(5_000)
  })
})
