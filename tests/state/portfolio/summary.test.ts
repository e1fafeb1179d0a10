import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address, Token } from '../../../src/domain/token/token.ts'
import { type TokenPrice, toUsd } from '../../../src/domain/value/price.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Balances } from '../../../src/protocol.ts'
import type { NetworkHoldings } from '../../../src/state/portfolio/portfolio.ts'
import { type HoldingRow, summarise } from '../../../src/state/portfolio/summary.ts'
import { dai, eth, local, token, usdc } from '../../helpers/state/fakes.ts'

const networks = [1, 10].map((chainId) => ({ ...local, chainId, name: `Chain ${chainId}` }))
const odd = token('3', 'ODDITY', 6, false)
const dollar: TokenPrice = { usd: 100_000_000n, per: 1_000_000n, source: 'oracle' }
const ether: TokenPrice = { usd: 300_000_000_000n, per: 10n ** 18n, source: 'oracle' }

function held(chainId: number, balances: Balances, changes: Partial<NetworkHoldings> = {}): NetworkHoldings {
  const tokens = [eth, usdc, dai, odd].filter(({ address }) => address in balances || address === eth.address)
  return { chainId, tokens, balances, readAt: 1, isRead: true, error: undefined, ...changes }
}

type Known = { [chainId: number]: Record<Address, TokenPrice> }

function sum(holdings: NetworkHoldings[], prices: Known, given: { isShown?: boolean; readAt?: number } = {}) {
  const { isShown = true, readAt = 100 } = given
  const all = [eth, usdc, dai, odd, ...holdings.flatMap(({ tokens }) => tokens)]
  const read = Object.fromEntries(all.map(({ address }) => [address, readAt]))
  const chains = Object.fromEntries(
    Object.entries(prices).map(([id, one]) => [Number(id), { prices: one, old: {}, readAt: read }]),
  )
  return summarise({ networks, holdings, prices: { chains, isShown }, freshFrom: 50, current: 1 })
}

const names = (rows: HoldingRow[]) => rows.map(({ network, token }) => `${token.symbol} ${network.chainId}`)

describe('summarise', () => {
  it('lists tokens of all networks by value, and adds up what has a price', () => {
    const summary = sum(
      [
        held(1, { [eth.address]: 10n ** 15n, [usdc.address]: 50_000_000n, [odd.address]: 10n ** 30n }),
        held(10, { [eth.address]: 10n ** 18n, [usdc.address]: 60_000_000n }),
      ],
      {
        1: { [eth.address]: ether, [usdc.address]: dollar },
        10: { [eth.address]: ether, [usdc.address]: dollar },
      },
    )
    expect(names(summary.rows)).toEqual(['ETH 10', 'USDC 10', 'USDC 1', 'ETH 1'])
    expect(names(summary.unpriced)).toEqual(['ODDITY 1'])
    expect(summary.usd).toBe(3_113n * 10n ** 8n)
    expect(summary).toMatchObject({ isComplete: true, failed: [] })
  })

  it('folds several small balances, but not the native token of the network in use', () => {
    const small = { [eth.address]: 1n, [usdc.address]: 999_999n }
    const prices = { 1: { [eth.address]: ether, [usdc.address]: dollar, [dai.address]: dollar } }
    const more = sum([held(1, { ...small, [dai.address]: 10n }), held(10, small)], {
      ...prices,
      10: prices[1],
    })
    expect(names(more.rows)).toEqual(['ETH 1'])
    expect(names(more.small)).toEqual(['USDC 1', 'USDC 10', 'DAI 1', 'ETH 10'])
    expect(more.smallUsd).toBe(2n * 99_999_900n + 1_000n)
    // A single one needs no fold.
    expect(names(sum([held(1, small)], prices).rows)).toEqual(['USDC 1', 'ETH 1'])
  })

  it('has no total without any price, or with values turned off', () => {
    const holdings = [held(1, { [eth.address]: 1n, [usdc.address]: 2n })]
    expect(sum(holdings, {}).usd).toBeUndefined()
    const hidden = sum(holdings, { 1: { [eth.address]: ether } }, { isShown: false })
    expect(hidden).toMatchObject({ usd: undefined, rows: [], small: [] })
    expect(names(hidden.unpriced)).toEqual(['ETH 1', 'USDC 1'])
  })

  it('keeps the native token of the network in use without a balance, and no other empty token', () => {
    const summary = sum(
      [held(1, { [eth.address]: 0n, [usdc.address]: 0n }), held(10, { [eth.address]: 0n })],
      {},
    )
    expect(names(summary.unpriced)).toEqual(['ETH 1'])
  })

  it.each<[string, Partial<NetworkHoldings>, number]>([
    ['an error', { error: new WalletError('node-unreachable', 'No answer.') }, 100],
    ['no read in this view', { isRead: false }, 100],
    ['old prices', {}, 49],
  ])('is not complete with %s', (_, changes, readAt) => {
    const balances = { [eth.address]: 10n ** 18n }
    const prices = { 1: { [eth.address]: ether }, 10: { [eth.address]: ether } }
    const summary = sum([held(1, balances), held(10, balances, changes)], prices, { readAt })
    expect(summary).toMatchObject({ isComplete: false, usd: 6_000n * 10n ** 8n })
  })

  it('is not complete before a network’s prices were read', () => {
    const balances = { [eth.address]: 10n ** 18n }
    expect(sum([held(1, balances), held(10, balances)], { 1: { [eth.address]: ether } }).isComplete).toBe(
      false,
    )
  })

  it('is not complete while only the native token’s price was read', () => {
    const holdings = [held(1, { [eth.address]: 10n ** 18n, [usdc.address]: 50_000_000n })]
    const native = { prices: { [eth.address]: ether }, old: {}, readAt: { [eth.address]: 100 } }
    const given = { networks, holdings, freshFrom: 50, current: 1 }
    const before = summarise({ ...given, prices: { chains: { 1: native }, isShown: true } })
    expect(before).toMatchObject({ isComplete: false, usd: 3_000n * 10n ** 8n })
    expect(before.rows.map(({ isFresh }) => isFresh)).toEqual([true])
    expect(before.unpriced.map(({ isFresh }) => isFresh)).toEqual([false])
    // Asked for, and without a price.
    const readAt = { ...native.readAt, [usdc.address]: 100 }
    const after = summarise({ ...given, prices: { chains: { 1: { ...native, readAt } }, isShown: true } })
    expect(after).toMatchObject({ isComplete: true, usd: 3_000n * 10n ** 8n })
  })

  it('adds up old prices too, as incomplete', () => {
    const holdings = [held(1, { [eth.address]: 10n ** 18n })]
    const chains = { 1: { prices: {}, old: { [eth.address]: ether }, readAt: {} } }
    const summary = summarise({
      networks,
      holdings,
      prices: { chains, isShown: true },
      freshFrom: 50,
      current: 1,
    })
    expect(summary).toMatchObject({ isComplete: false, usd: 3_000n * 10n ** 8n })
  })

  it('shows every held token once, and adds up to the total', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 24n })
    const price = fc.option(fc.bigInt({ min: 1n, max: 10n ** 13n }), { nil: undefined })
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, price), { maxLength: 30 }), (given) => {
        const tokens = given.map(
          (_, index): Token => ({ ...usdc, address: `0x${String(index + 1).padStart(40, '0')}` }),
        )
        const balances = Object.fromEntries(tokens.map(({ address }, at) => [address, given[at]?.[0] ?? 0n]))
        const prices = Object.fromEntries(
          tokens.flatMap(({ address }, at) => {
            const usd = given[at]?.[1]
            return usd ? [[address, { usd, per: 10n ** 6n, source: 'oracle' as const }]] : []
          }),
        )
        const summary = sum([held(10, balances, { tokens })], { 10: prices })
        const shown = [...summary.rows, ...summary.small, ...summary.unpriced].map((row) => row.token.address)
        const expected = tokens.filter(({ address }) => (balances[address] ?? 0n) > 0n)
        expect(shown.toSorted()).toEqual(expected.map(({ address }) => address).toSorted())
        const total = expected.reduce((sum, { address }) => {
          const known = prices[address]
          return known ? sum + toUsd(balances[address] ?? 0n, known) : sum
        }, 0n)
        expect(summary.usd ?? 0n).toBe(total)
        const values = summary.rows.map(({ usd = 0n }) => usd)
        expect(values).toEqual(values.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)))
      }),
    )
  })
})
