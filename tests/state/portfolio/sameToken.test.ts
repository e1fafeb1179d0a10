import { describe, expect, it } from 'vitest'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { findElsewhere, isSameAsset } from '../../../src/state/portfolio/sameToken.ts'
import { formatTokenRoute, parseTokenRoute } from '../../../src/state/portfolio/tokenRoute.ts'
import { eth, usdc } from '../../helpers/state/fakes.ts'

const usdcOn: Record<number, Address> = {
  1: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  10: '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
  8453: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
}
/** Bridged USDC. */
const bridged: Address = '0x7f5c764cbc14f9669b88837ca1490cca17c31607'
const on = (chainId: number, address = usdcOn[chainId]) => ({ chainId, address: address ?? '0x' })

describe('isSameAsset', () => {
  it('knows tokens by built-in addresses', () => {
    expect(isSameAsset(on(1), on(8453))).toBe(true)
    expect(isSameAsset(on(8453), on(10))).toBe(true)
  })

  it('tells a bridged or equally named token apart', () => {
    expect(isSameAsset(on(1), on(10, bridged))).toBe(false)
    expect(isSameAsset(on(10, bridged), on(1))).toBe(false)
    expect(isSameAsset(on(1), on(8453, usdc.address))).toBe(false)
    expect(isSameAsset(on(1, usdc.address), on(8453, usdc.address))).toBe(false)
  })

  it('knows Ether on public chains, and no other native token', () => {
    expect(isSameAsset(on(1, nativeTokenAddress), on(8453, nativeTokenAddress))).toBe(true)
    expect(isSameAsset(on(1, nativeTokenAddress), on(137, nativeTokenAddress))).toBe(false)
    expect(isSameAsset(on(1, nativeTokenAddress), on(31_337, nativeTokenAddress))).toBe(false)
    expect(isSameAsset(on(1, nativeTokenAddress), on(1))).toBe(false)
  })
})

it('finds where else an asset is held', () => {
  const dollars = { ...usdc, address: on(8453).address }
  const held = { readAt: 1, isRead: true, error: undefined, tokens: [eth, dollars] }
  const holdings = [
    { ...held, chainId: 8453, balances: { [dollars.address]: 7n, [eth.address]: 1n } },
    { ...held, chainId: 10, balances: { [eth.address]: 0n } },
  ]
  expect(findElsewhere(on(1), holdings)).toEqual([{ chainId: 8453, token: dollars, balance: 7n }])
  expect(findElsewhere(on(1, nativeTokenAddress), holdings)).toMatchObject([{ chainId: 8453, balance: 1n }])
  expect(findElsewhere(on(8453), holdings)).toEqual([])
})

it('names a token’s page by its address, on other networks with the chain id', () => {
  const { address } = on(1)
  expect(formatTokenRoute(address, 1, 1)).toBe(address)
  for (const chainId of [1, 8453]) {
    const of = formatTokenRoute(address, chainId, 1)
    expect(parseTokenRoute(of, 1)).toEqual({ chainId, token: address })
  }
  for (const odd of [undefined, '', 'x', '1-', '1-0x12', '1-2-0x', '12345678901234567-0x'])
    expect(parseTokenRoute(odd, 5).token).toBeUndefined()
})
