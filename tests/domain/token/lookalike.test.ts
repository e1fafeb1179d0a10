import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confusables } from '../../../src/domain/token/confusables.ts'
import { findLookalike, toSkeleton } from '../../../src/domain/token/lookalike.ts'
import {
  type Address,
  nativeTokenAddress,
  parseAddress,
  type Token,
} from '../../../src/domain/token/token.ts'
import { wellKnownOn } from '../../../src/domain/token/wellKnown.ts'
import { token } from '../../helpers/state/fakes.ts'

const folder = resolve(import.meta.dirname, '../../../service/chains/tokens')

type Entry = { symbol: string; name: string; decimals: number; address: string }

function listOf(chainId: number): Token[] {
  const { tokens } = JSON.parse(readFileSync(resolve(folder, `${chainId}.json`), 'utf8')) as {
    tokens: Entry[]
  }
  return tokens.map(({ symbol, name, decimals, address }) => ({
    ...token('0', symbol, decimals),
    name,
    address: parseAddress(address)!,
  }))
}

const lists = [1, 56, 8453].map(listOf)

/** From Unicode's confusables.txt. */
const alike: Record<string, number[]> = {
  A: [0x391, 0x410, 0x13aa, 0x15c5, 0xa4ee, 0x1d00, 0x430, 0x3b1],
  B: [0x392, 0x412, 0x13f4, 0x15f7, 0xa4d0, 0x299],
  C: [0x3f9, 0x421, 0x13df, 0xa4da, 0x2ca4, 0x1d04, 0x441, 0x3f2],
  D: [0x13a0, 0x15de, 0xa4d3, 0x501],
  E: [0x395, 0x415, 0x13ac, 0xa4f0, 0x435, 0x2d39],
  F: [0x3dc, 0x15b4, 0xa4dd, 0xa730],
  G: [0x50c, 0x13c0, 0xa4d6, 0x261],
  H: [0x397, 0x41d, 0x13bb, 0xa4e7, 0x2c8e, 0x4bb],
  I: [0x399, 0x406, 0x4c0, 0xa4f2, 0x2c92, 0x456, 0x3b9, 0x2d4f],
  J: [0x408, 0x13ab, 0xa4d9, 0x458, 0x3f3],
  K: [0x39a, 0x41a, 0x13e6, 0xa4d7, 0x2c94, 0x212a, 0x3ba],
  L: [0x13de, 0xa4e1, 0x2cd0, 0x216c],
  M: [0x39c, 0x41c, 0x13b7, 0xa4df, 0x2c98, 0x216f],
  N: [0x39d, 0xa4e0, 0x2c9a, 0x578],
  O: [0x39f, 0x41e, 0x555, 0xa4f3, 0x2c9e, 0x43e, 0x3bf, 0x3c3, 0x585],
  P: [0x3a1, 0x420, 0x13e2, 0xa4d1, 0x2ca2, 0x440, 0x3c1],
  Q: [0x51a, 0x51b, 0x2d55],
  R: [0x13a1, 0x13d2, 0xa4e3, 0x280],
  S: [0x405, 0x54f, 0x13d5, 0xa4e2, 0x455],
  T: [0x3a4, 0x422, 0x13a2, 0xa4d4, 0x2ca6, 0x20ae],
  U: [0x54d, 0x144c, 0xa4f4, 0x57d, 0x3c5],
  V: [0x474, 0x13d9, 0xa4e6, 0x3bd, 0x475],
  W: [0x51c, 0x13b3, 0xa4ea, 0x461],
  X: [0x3a7, 0x425, 0x166d, 0xa4eb, 0x2cac, 0x445],
  Y: [0x3a5, 0x423, 0x4ae, 0x13a9, 0xa4ec, 0x443, 0x3b3],
  Z: [0x396, 0x13c3, 0xa4dc, 0x1d22],
}

/** Zero-width, bidi, filler, blank and accents. */
const unseen = [
  0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0x202a, 0x202d, 0x202e, 0x2066, 0x2069, 0xad, 0x34f, 0x115f, 0x3164,
  0xfe0f, 0x2800, 0x301, 0x323, 0x7f, 0x20, 0xa0, 0xe0061,
]

function waysOf(letter: string): string[] {
  const upper = letter.toUpperCase()
  const code = upper.codePointAt(0) ?? 0
  const isLetter = /^[A-Z]$/.test(upper)
  const isDigit = /^[0-9]$/.test(upper)
  const folded = [
    ...(isLetter ? [0xff21, 0x1d400, 0x1d5a0, 0x1d670, 0x24b6].map((first) => first + code - 65) : []),
    ...(isDigit ? [0xff10, 0x1d7ce, 0x1d7f6].map((first) => first + code - 48) : []),
    ...(alike[upper] ?? []),
  ].map((one) => String.fromCodePoint(one))
  // The wallet's own table.
  const known = [...confusables].flatMap(([sign, alike]) => (alike === upper ? [sign] : []))
  const digits = {
    O: ['0'],
    0: ['O', 'o'],
    I: ['1', 'l', '|'],
    1: ['I', 'l'],
    L: ['1', 'I'],
    S: ['5'],
    5: ['S'],
  }
  const others = (digits as Record<string, string[]>)[upper] ?? []
  return [letter, upper, letter.toLowerCase(), ...folded, ...known, ...others]
}

const fake: Address = `0x${'f'.repeat(40)}`

/** Lower-case pairs merge ("rn" is read as "m"), so CORN in lower case is not read as CORN. */
const hasPair = ({ symbol }: Token) => /rn|vv/i.test(symbol)
const originals = lists.flatMap((list) => {
  return list.filter((one) => !hasPair(one)).map((original) => ({ list, original }))
})

const forged = fc.constantFrom(...originals).chain(({ list, original }) =>
  fc
    .tuple(
      ...Array.from(original.symbol, (letter) =>
        fc.tuple(
          fc.constantFrom(...waysOf(letter)),
          fc
            .array(fc.constantFrom(...unseen), { maxLength: 2 })
            .map((codes) => String.fromCodePoint(...codes)),
        ),
      ),
    )
    .map((parts) => ({ list, original, symbol: parts.flat().join('') })),
)

const network = { chainId: 1 }
const ether = { symbol: 'ETH', name: 'Ether' }
const [list] = lists
const usdc = list!.find(({ symbol }) => symbol === 'USDC')!
const coin = { ...token('e', 'ETH', 18), address: nativeTokenAddress }
const unlisted = (symbol: string): Token => ({ ...token('f', symbol, 18, false), address: fake })

describe('findLookalike', () => {
  it('detects an unlisted look-alike of a listed symbol in random spellings', () => {
    fc.assert(
      fc.property(forged, ({ list, original, symbol }) => {
        const found = findLookalike(unlisted(symbol), list, network)
        expect(found && toSkeleton(found.symbol), symbol).toBe(toSkeleton(original.symbol))
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ['USDC', 'the same letters'],
    ['usdc', 'another case'],
    ['US\u200bDC', 'an invisible character'],
    ['USD\u0421', 'a Cyrillic С'],
    ['ＵＳＤＣ', 'full-width letters'],
    ['U5DC', 'a digit'],
    ['USDC.', 'a full stop'],
    ['$USDC', 'a currency sign in front'],
    ['U$DC', 'a currency sign for a letter'],
    ['$U$DC', 'a currency sign for a letter and in front'],
    ['US$DC', 'a currency sign within'],
    ['|USDC|', 'bars'],
    ['USDC\u00b7', 'a middle dot'],
    ['USD-C', 'a hyphen'],
    ['(USDC)', 'brackets'],
    ['USDC*', 'an asterisk'],
    ['USDC_', 'an underscore'],
    ['USDC\u2122', 'a trade mark sign'],
    ['USDC\u2705', 'a check mark'],
    ['U.S.D.C', 'full stops within'],
    ['\u300cUSDC\u300d', 'corner brackets'],
  ])('reports %s at another address as a look-alike of the listed USDC: %s', (symbol) => {
    expect(findLookalike(unlisted(symbol), list!, network)).toBe(usdc)
  })

  it('reports no token of the service’s lists as a look-alike', () => {
    for (const [index, chainId] of [1, 56, 8453].entries()) {
      const list = lists[index]!
      expect(list.length).toBeGreaterThan(10)
      for (const one of list) expect(findLookalike(one, list, { chainId }), one.symbol).toBeUndefined()
    }
  })

  it('reports no look-alike of an unlisted token, and none for a distinct symbol', () => {
    expect(findLookalike(unlisted('TWIN'), [token('1', 'TWIN', 18, false)], network)).toBeUndefined()
    for (const symbol of ['PEPPER', 'USDX', 'USD', 'ETHQ', '']) {
      expect(findLookalike(unlisted(symbol), list!, network), symbol).toBeUndefined()
    }
  })

  it('reports no look-alike for other decorations and for symbols without letters', () => {
    const honest = [
      'USDC.e',
      'axlUSDC',
      '$MEME',
      'USD+',
      'USDC/WETH',
      'USDC-LP',
      'xyzUSD',
      '\u2665',
      '$',
      '.',
      '',
    ]
    for (const symbol of honest)
      expect(findLookalike(unlisted(symbol), list!, { ...network, coin: ether }), symbol).toBeUndefined()
    const [heart, star] = [token('1', '\u2665', 18), token('2', '\u2605', 18, false)]
    expect(findLookalike(star, [heart], network)).toBeUndefined()
    expect(findLookalike(unlisted('MEME'), [token('1', '$MEME', 18)], network)?.symbol).toBe('$MEME')
  })

  it('detects look-alikes of the native token without a list, but not the native token itself', () => {
    for (const symbol of ['ETH', 'eth.', '\u0415TH', '(ETH)'])
      expect(findLookalike(unlisted(symbol), [], { ...network, coin: ether })?.address, symbol).toBe(
        nativeTokenAddress,
      )
    expect(findLookalike(coin, [], { ...network, coin: ether })).toBeUndefined()
    const pol = { ...unlisted('POL'), address: `0x${'1010'.padStart(40, '0')}` as Address }
    const polygon = { chainId: 137, coin: { symbol: 'POL', name: 'POL' } }
    expect(findLookalike(pol, [], polygon)).toBeUndefined()
    expect(findLookalike(unlisted('POL'), [], polygon)?.address).toBe(nativeTokenAddress)
  })

  it('detects a listed look-alike of a well-known token or of the native token', () => {
    const [other, coinLike] = [token('8', 'USDС', 6), token('9', 'eth', 18)]
    const all = [coin, other, coinLike, ...list!]
    expect(findLookalike(other, all, network)).toBe(usdc)
    expect(findLookalike(coinLike, all, network)).toBe(coin)
  })

  it('never reports a well-known token or the native token as a look-alike', () => {
    const all = [coin, token('8', 'USDC', 6), token('9', 'ETH', 18), ...list!]
    expect(findLookalike(usdc, all, network)).toBeUndefined()
    expect(findLookalike(coin, all, network)).toBeUndefined()
  })

  it('reports no look-alike between two listed tokens that are not well known', () => {
    const [one, other] = [token('1', 'TWIN', 18), token('2', 'twin', 18)]
    expect(findLookalike(one, [one, other], network)).toBeUndefined()
    expect(findLookalike(token('3', 'TWIN', 18, false), [one, other], network)).toBe(one)
  })

  it('prefers a well-known token to a listed one as the original', () => {
    const twin = token('1', 'USDC', 18)
    expect(findLookalike(token('3', 'USDC', 18, false), [twin, usdc], network)).toBe(usdc)
  })

  it('treats small letters that run together as one letter', () => {
    expect(toSkeleton('rnatic')).toBe(toSkeleton('matic'))
    expect(toSkeleton('vvbtc')).toBe(toSkeleton('WBTC'))
  })
})

describe('look-alikes of well-known tokens', () => {
  const ethereum = { chainId: 1 }
  const usdc: Address = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
  const fake = { ...token('f', 'USDC', 6), listed: true }

  it('detects a look-alike by the built-in address when the list lacks the original', () => {
    expect(findLookalike(fake, [fake], ethereum)).toMatchObject({ address: usdc, decimals: 6 })
    expect(findLookalike({ ...fake, symbol: 'wѕtETH' }, [fake], ethereum)?.symbol).toBe('wstETH')
    expect(findLookalike({ ...fake, symbol: 'ARB' }, [], { chainId: 42161 })?.address).toBe(
      '0x912ce59144191c1204e64559fe8253a0e49e6548',
    )
    expect(findLookalike({ ...fake, listed: false }, [], ethereum)?.address).toBe(usdc)
  })

  it('reports no token at a well-known address, including bridged tokens of the same symbol', () => {
    for (const chainId of [1, 10, 56, 100, 130, 137, 8453, 42161, 43114, 59144])
      for (const real of wellKnownOn(chainId))
        expect(findLookalike(real, [fake, real], { chainId })).toBeUndefined()
    const bridged = { ...fake, address: '0x2791bca1f2de4661ed88a30c99a7a9449aa84174' as Address }
    expect(findLookalike(bridged, [bridged], { chainId: 137 })).toBeUndefined()
  })

  it('reports no bridged token with a distinct symbol, and none on a chain without well-known tokens', () => {
    for (const symbol of ['USDC.e', 'axlUSDC', 'USDbC', 'WETH.e', 'sUSDC'])
      expect(findLookalike({ ...fake, symbol }, [fake], ethereum)).toBeUndefined()
    expect(findLookalike(fake, [fake], { chainId: 31337 })).toBeUndefined()
  })

  it('lists each well-known address once per chain, in normalised form', () => {
    for (const chainId of [1, 10, 56, 100, 130, 137, 8453, 42161, 43114, 59144]) {
      const addresses = wellKnownOn(chainId).map(({ address }) => address)
      expect(addresses.length).toBeGreaterThanOrEqual(4)
      expect(new Set(addresses).size).toBe(addresses.length)
      for (const address of addresses) expect(parseAddress(address)).toBe(address)
    }
  })
})

describe('table of confusable characters', () => {
  it('maps single characters that are not plain to a plain letter or digit', () => {
    expect(confusables.size).toBeGreaterThanOrEqual(150)
    for (const [sign, letter] of confusables) {
      expect(Array.from(sign), letter).toHaveLength(1)
      expect(sign).not.toMatch(/[A-Za-z0-9]/)
      expect(letter).toMatch(/^[A-Z0-9]$/)
    }
  })

  it('produces a skeleton that is its own skeleton', () => {
    fc.assert(
      fc.property(forged, ({ symbol }) => {
        const skeleton = toSkeleton(symbol)
        expect(toSkeleton(skeleton)).toBe(skeleton)
      }),
      { numRuns: 500 },
    )
  })
})
