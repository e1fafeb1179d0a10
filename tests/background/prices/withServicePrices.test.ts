import { describe, expect, it } from 'vitest'
import { withServicePrices } from '../../../src/background/prices/withServicePrices.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { type TokenPrice, toUsd } from '../../../src/domain/value/price.ts'

const token: Address = `0x${'0a'.repeat(20)}`
const wrapped: Address = `0x${'0b'.repeat(20)}`
const price: TokenPrice = { usd: 100_00000000n, per: 10n ** 6n, source: 'oracle', ageSeconds: 60 }

function given(digits: string | undefined, onChain: TokenPrice | undefined = price, decimals?: number) {
  return withServicePrices({
    tokens: [token],
    prices: onChain ? { [token]: onChain } : {},
    isOfOracle: () => onChain !== undefined,
    listed: digits === undefined ? {} : { [token]: digits },
    ageSeconds: 7,
    wrapped,
    decimalsOf: () => decimals ?? 6,
  })[token]
}

describe('withServicePrices', () => {
  it.each(['100', '104.99', '95.01', '105'])('leaves a price on chain as it is beside %s', (digits) => {
    expect(given(digits)).toEqual(price)
  })

  it.each([
    ['105.01', 105_01000000n],
    ['94.99', 94_99000000n],
    ['999999999', 999_999_999_00000000n],
    ['0.00000000000000000000000001', 1n],
  ])('says a difference above 5 %%, as of %s, without moving the price', (digits, serviceUsd) => {
    expect(given(digits)).toEqual({ ...price, serviceUsd })
  })

  it('compares with a pool’s price in its own unit', () => {
    const pool: TokenPrice = {
      usd: 3n * 2n ** 96n,
      per: 2n ** 96n * 10n ** 10n,
      source: 'pool',
      ageSeconds: 0,
    }
    // Per 10^18 units three dollars.
    expect(given('3', pool, 18)).toEqual(pool)
    const told = given('4', pool, 18)
    expect(told?.serviceUsd).toBe(4n * 2n ** 96n)
    expect(told).toMatchObject(pool)
  })

  it('prices a token without a price on chain, exactly', () => {
    const found = withServicePrices({
      tokens: [token],
      prices: {},
      isOfOracle: () => false,
      listed: { [token]: '0.0000000000123' },
      ageSeconds: 7,
      wrapped,
      decimalsOf: () => 18,
    })[token] as TokenPrice
    expect(found).toMatchObject({ source: 'service', ageSeconds: 7 })
    expect(toUsd(10n ** 18n * 10n ** 12n, found)).toBe(12_30000000n)
  })

  it('has no price from nothing, for unknown decimals, or below what it can count', () => {
    const none = { tokens: [token], prices: {}, isOfOracle: () => false, ageSeconds: 0, wrapped }
    expect(withServicePrices({ ...none, listed: {}, decimalsOf: () => 6 })).toEqual({})
    const listed = { [token]: '5' }
    expect(withServicePrices({ ...none, listed, decimalsOf: () => undefined })).toEqual({})
    const tiny = { [token]: `0.${'0'.repeat(27)}1` }
    expect(withServicePrices({ ...none, listed: tiny, decimalsOf: () => 6 })).toEqual({})
  })

  it('uses the wrapped token’s price for the native one that the list lacks', () => {
    const given = {
      tokens: [nativeTokenAddress],
      prices: {},
      isOfOracle: () => false,
      ageSeconds: 0,
      wrapped,
      decimalsOf: () => 18,
    }
    const { [nativeTokenAddress]: found } = withServicePrices({ ...given, listed: { [wrapped]: '3000' } })
    expect(found && toUsd(10n ** 18n, found)).toBe(3_000_00000000n)
    const both = { [wrapped]: '3000', [nativeTokenAddress]: '3001' }
    const { [nativeTokenAddress]: own } = withServicePrices({ ...given, listed: both })
    expect(own && toUsd(10n ** 18n, own)).toBe(3_001_00000000n)
  })
})
