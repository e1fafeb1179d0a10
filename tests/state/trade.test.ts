import { describe, expect, it } from 'vitest'
import type { Draft } from '../../src/protocol.ts'
import { amountOf, coinReserve, createTrade, tradeOf } from '../../src/state/trade.ts'
import { dai, eth, standInWallet, usdc } from './standIns.ts'

function form(mark: '.' | ',' = '.') {
  const drafts: Draft[] = []
  const store = createTrade(
    standInWallet({
      async saveDraft(draft) {
        drafts.push(draft)
      },
    }),
    mark,
  )
  store.start({ chainId: 31337, sell: eth, buy: usdc, text: '', slippageBps: undefined })
  return { store, drafts, state: () => store.getState() }
}

describe('the trade of the form', () => {
  it('is there once both tokens and an amount are', () => {
    const { store, state } = form()
    expect(tradeOf(state())).toBeUndefined()
    store.setText('1,5')
    expect(tradeOf(state())).toEqual({
      chainId: 31337,
      sell: eth.address,
      buy: usdc.address,
      amount: 1_500_000_000_000_000_000n,
    })
  })

  it('is not there for zero or for what cannot be read', () => {
    const { store, state } = form()
    for (const text of ['0', '0.0', '1,234.5', 'ten']) {
      store.setText(text)
      expect(tradeOf(state())).toBeUndefined()
    }
    expect(amountOf(state())).toBe('not-a-number')
  })
})

describe('choosing tokens', () => {
  it('turns the pair around when the other side’s token is chosen', () => {
    const { store, state } = form()
    store.setSell(usdc)
    expect(state()).toMatchObject({ sell: usdc, buy: eth })
    store.setBuy(usdc)
    expect(state()).toMatchObject({ sell: eth, buy: usdc })
    store.setBuy(dai)
    expect(state()).toMatchObject({ sell: eth, buy: dai })
  })
})

describe('flipping', () => {
  it('keeps the slippage and sells what would have been bought', () => {
    const { store, state } = form()
    store.setText('0.5')
    store.setSlippage(123)
    store.flip(1_510_987_654n)
    expect(state()).toMatchObject({ sell: usdc, buy: eth, text: '1510.98', slippageBps: 123 })
  })

  it('keeps the amount when no price is known', () => {
    const { store, state } = form()
    store.setText('0.5')
    store.flip()
    expect(state()).toMatchObject({ sell: usdc, buy: eth, text: '0.5' })
  })
})

describe('shares of the balance', () => {
  it('keep some of the network’s coin for the fee', () => {
    const { store, state } = form()
    const balance = 2n * 10n ** 18n
    store.setShare(100, balance)
    expect(amountOf(state())).toBe(balance - coinReserve)
    store.setShare(50, balance)
    expect(amountOf(state())).toBe(10n ** 18n)
    store.setShare(100, coinReserve - 1n)
    expect(amountOf(state())).toBe(0n)
  })

  it('take all of any other token, to the last unit', () => {
    const { store, state } = form()
    store.setSell(usdc)
    store.setShare(100, 2_500_123_457n)
    expect(state().text).toBe('2500.123457')
    store.setShare(25, 2_500_123_457n)
    expect(amountOf(state())).toBe(625_030_864n)
  })

  it('leave what was typed while the balance is unknown or empty', () => {
    const { store, state, drafts } = form()
    store.setText('12')
    store.setShare(100, undefined)
    store.setShare(100, 0n)
    expect(state().text).toBe('12')
    expect(drafts).toHaveLength(1)
  })

  it('are written with the decimal mark of the place', () => {
    const { store, state } = form(',')
    store.setSell(usdc)
    store.setShare(100, 1_500_000n)
    expect(state().text).toBe('1,5')
    expect(amountOf(state())).toBe(1_500_000n)
  })
})

describe('the draft', () => {
  it('is told to the worker with every change, as it was typed', () => {
    const { store, drafts } = form()
    store.setText('1.')
    store.setSlippage(200)
    store.flip()
    store.clear()
    const pair = { chainId: 31337, sell: eth.address, buy: usdc.address }
    expect(drafts).toEqual([
      { ...pair, amount: '1.' },
      { ...pair, amount: '1.', slippageBps: 200 },
      { chainId: 31337, sell: usdc.address, buy: eth.address, amount: '1.', slippageBps: 200 },
      { chainId: 31337, sell: usdc.address, buy: eth.address, amount: '' },
    ])
  })
})
