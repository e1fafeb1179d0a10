import { describe, expect, it } from 'vitest'
import type { Network } from '../../../src/domain/network/network.ts'
import type { Draft } from '../../../src/protocol.ts'
import {
  createSwapFormStore,
  deductFee,
  effectiveSlippage,
  emptyForm,
  toQuoteIntent,
  toReviewRequest,
  typedAmount,
} from '../../../src/state/swap/swapForm.ts'
import { dai, eth, local, quoteOf, settings, standInWallet, token, usdc } from '../../helpers/state/fakes.ts'

function form(mark: '.' | ',' = '.') {
  const drafts: Draft[] = []
  const store = createSwapFormStore(
    standInWallet({
      async saveDraft(draft) {
        drafts.push(draft)
      },
    }),
    mark,
  )
  store.start({ ...emptyForm, chainId: 31337, sell: eth, buy: usdc })
  return { store, drafts, state: () => store.getState() }
}

const pair = { chainId: 31337, sell: eth.address, buy: usdc.address }

describe('toQuoteIntent', () => {
  it('returns an intent once an amount is typed', () => {
    const { store, state } = form()
    expect(toQuoteIntent(state(), 50, local)).toBeUndefined()
    store.setText('1,5')
    expect(toQuoteIntent(state(), 50, local)).toEqual({ ...pair, amount: 1_500_000_000_000_000_000n })
  })

  it('returns no intent for zero or text that is not a number', () => {
    const { store, state } = form()
    for (const side of ['sell', 'buy'] as const) {
      for (const text of ['0', '0.0', '1,234.5', 'ten']) {
        store.setText(text, side)
        expect(toQuoteIntent(state(), 50, local)).toBeUndefined()
      }
      expect(typedAmount(state())).toBe('not-a-number')
    }
  })

  it('requests the return that leaves the typed amount to receive after slippage', () => {
    const { store, state } = form()
    store.setText('995', 'buy')
    expect(state()).toMatchObject({ text: '995', side: 'buy' })
    expect(typedAmount(state())).toBe(995_000_000n)
    expect(toQuoteIntent(state(), 50, local)).toEqual({ ...pair, returns: 1_000_000_000n })
    store.setText('2')
    expect(toQuoteIntent(state(), 50, local)).toEqual({ ...pair, amount: 2n * 10n ** 18n })
  })

  it('uses the typed amount of either side when the native token is only wrapped', () => {
    const { store, state } = form()
    const weth = token('c', 'WETH', 18)
    const network = { ...local, wrapped: weth.address }
    store.setBuy(weth)
    store.setText('2', 'buy')
    const wrap = { ...pair, buy: weth.address }
    expect(toQuoteIntent(state(), 50, network)).toEqual({ ...wrap, amount: 2n * 10n ** 18n })
    store.setSell(weth)
    store.setText('2', 'buy')
    expect(toQuoteIntent(state(), 50, network)).toMatchObject({ sell: weth.address, amount: 2n * 10n ** 18n })
    expect(toQuoteIntent(state(), 50, local)).toMatchObject({ returns: 2_010_050_251_256_281_408n })
  })

  it('combines the sources that the network and this trade exclude', () => {
    const { store, state } = form()
    const network = { ...local, options: { parts: 9, excludedProtocols: ['A', 'B'] } }
    store.setText('1')
    expect(toQuoteIntent(state(), 50, network)?.options).toEqual(network.options)
    store.setExcluded(['B', 'C'])
    expect(toQuoteIntent(state(), 50, network)?.options).toEqual({
      parts: 9,
      excludedProtocols: ['A', 'B', 'C'],
    })
    expect(toQuoteIntent(state(), 50, local)?.options).toEqual({ excludedProtocols: ['B', 'C'] })
  })
})

describe('toReviewRequest', () => {
  const trade = { ...pair, amount: 10n ** 18n }
  const price = { trade, quote: quoteOf(trade, 2_000n), impactBps: undefined }

  it('requires the minimum received that the form showed', () => {
    const { store, state } = form()
    store.setText('1')
    expect(toReviewRequest(price, state(), 50, local)).toEqual({ trade, slippageBps: 50, atLeast: 1_990n })
    expect(toReviewRequest({ ...price, quote: quoteOf(trade, 1n) }, state(), 50, local)).toEqual({
      trade,
      slippageBps: 50,
    })
  })

  it('includes all chosen options and the typed amount to receive', () => {
    const { store, state } = form()
    store.setText('100', 'buy')
    store.setReceiver(dai.address)
    store.setPartialFill(true)
    store.setExcluded(['C'])
    expect(toReviewRequest(price, state(), 30, { ...local, options: { parts: 9 } })).toEqual({
      trade,
      slippageBps: 30,
      options: { parts: 9, excludedProtocols: ['C'] },
      receiver: dai.address,
      allowPartialFill: true,
      atLeast: 100_000_000n,
    })
  })

  it('requires the minimum received of the dapp when it is higher', () => {
    const { store, state } = form()
    store.setText('1')
    const leastWith = (floor: bigint) => toReviewRequest(price, state(), 50, local, floor).atLeast
    expect([1_989n, 1_991n].map(leastWith)).toEqual([1_990n, 1_991n])
    store.setText('100', 'buy')
    expect([99_999_999n, 100_000_001n].map(leastWith)).toEqual([100_000_000n, 100_000_001n])
  })

  it('requires no quoted minimum for a token with a transfer tax, or for wrapping', () => {
    const { store, state } = form()
    store.setText('1')
    for (const [side, taxed] of [
      ['sell', { ...dai, taxed: true }],
      ['buy', { ...usdc, taxed: true }],
    ] as const) {
      const taxing = { ...state(), [side]: taxed }
      expect(toReviewRequest(price, taxing, 50, local)).not.toHaveProperty('atLeast')
      expect(toReviewRequest(price, taxing, 50, local, 7n).atLeast).toBe(7n)
      expect(toReviewRequest(price, { ...taxing, text: '3', side: 'buy' }, 50, local).atLeast).toBe(
        3_000_000n,
      )
    }
    expect(toReviewRequest(price, state(), 50, { ...local, wrapped: usdc.address })).not.toHaveProperty(
      'atLeast',
    )
  })

  it('includes the price impact of the form when it is known', () => {
    const { store, state } = form()
    store.setText('1')
    expect(toReviewRequest({ ...price, impactBps: 700 }, state(), 50, local).impactBps).toBe(700)
    for (const impactBps of ['unknown', undefined] as const)
      expect(toReviewRequest({ ...price, impactBps }, state(), 50, local)).not.toHaveProperty('impactBps')
  })
})

describe('typedAmount', () => {
  it('reads an amount by the decimal mark of the locale, however the form was filled', () => {
    const { store, state } = form()
    store.setText('1,234')
    expect(typedAmount(state())).toBe('ambiguous-separator')
    store.start({ ...emptyForm, chainId: 31337, sell: eth, buy: usdc, text: '1,234' })
    expect(typedAmount(state())).toBe('ambiguous-separator')
    const other = form(',')
    other.store.setText('1,234')
    expect(typedAmount(other.state())).toBe(1_234n * 10n ** 15n)
    other.store.setSwap('mine')
    other.store.clear('mine')
    other.store.setText('1.234')
    expect(typedAmount(other.state())).toBe('ambiguous-separator')
  })
})

describe('effectiveSlippage', () => {
  it('prefers the slippage of the trade, then that of the settings, then the automatic one', () => {
    const { store, state } = form()
    const { slippageBps: _, ...auto } = settings
    store.setBuy(dai)
    expect(effectiveSlippage(state(), auto)).toBe(100)
    store.setBuy({ ...usdc, tags: ['stablecoin'] })
    store.setSell({ ...dai, tags: ['stablecoin'] })
    expect(effectiveSlippage(state(), auto)).toBe(10)
    expect(effectiveSlippage(state(), settings)).toBe(50)
    store.setSlippage(70)
    expect(effectiveSlippage(state(), settings)).toBe(70)
  })

  it('derives the automatic slippage from the stablecoin and wrapped token of the form’s network', () => {
    const { store } = form()
    const { slippageBps: _, ...auto } = settings
    const [one, other] = [token('1', 'ONE', 18, false), token('2', 'TWO', 18, false)]
    store.start({ ...emptyForm, chainId: 31337, sell: one, buy: other })
    const at = (facts: Partial<Network>) =>
      effectiveSlippage(store.getState(), {
        ...auto,
        networks: [
          { ...local, chainId: 5 },
          { ...local, ...facts },
        ],
      })
    expect(at({ stable: one.address })).toBe(100)
    expect(at({ stable: one.address, wrapped: other.address })).toBe(50)
    store.start({ ...emptyForm, chainId: 5, sell: one, buy: other })
    expect(at({ stable: one.address, wrapped: other.address })).toBe(100)
  })

  it('uses the automatic slippage for one trade when it is chosen over the settings', () => {
    const { store, state, drafts } = form()
    store.setBuy(dai)
    store.setSlippage('auto')
    expect(effectiveSlippage(state(), settings)).toBe(100)
    expect(drafts.at(-1)).toMatchObject({ slippageBps: 'auto' })
    store.setSlippage(undefined)
    expect(effectiveSlippage(state(), settings)).toBe(50)
    expect(drafts.at(-1)).not.toHaveProperty('slippageBps')
  })
})

describe('choosing tokens', () => {
  it('swaps the sides when the token of the other side is chosen', () => {
    const { store, state } = form()
    store.setSell(usdc)
    expect(state()).toMatchObject({ sell: usdc, buy: eth })
    store.setBuy(usdc)
    expect(state()).toMatchObject({ sell: eth, buy: usdc })
    store.setBuy(dai)
    expect(state()).toMatchObject({ sell: eth, buy: dai })
  })

  const chosen = { slippageBps: 700, receiver: dai.address, excluded: ['A'], allowPartialFill: true }
  const none = { slippageBps: undefined, receiver: undefined, excluded: [], allowPartialFill: false }

  function chosenForm() {
    const { store, state } = form()
    store.setSlippage(700)
    store.setReceiver(dai.address)
    store.setExcluded(['A'])
    store.setPartialFill(true)
    store.setText('1')
    return { store, state }
  }

  it.each(['setSell', 'setBuy'] as const)(
    'resets the options that were chosen for another pair: %s',
    (choose) => {
      const { store, state } = chosenForm()
      store[choose](dai)
      expect(state()).toMatchObject({ ...none, text: '1' })
    },
  )

  it('keeps the options while the pair stays the same in either direction', () => {
    const { store, state } = chosenForm()
    store.setSell(eth)
    store.setBuy(eth)
    store.flip()
    expect(state()).toMatchObject({ ...chosen, sell: eth, buy: usdc })
  })
})

describe('flipping the pair', () => {
  it('keeps the slippage and sells the amount that would have been bought', () => {
    const { store, state } = form()
    store.setText('0.5')
    store.setSlippage(123)
    store.flip(1_510_987_654n)
    expect(state()).toMatchObject({ sell: usdc, buy: eth, text: '1510.98', slippageBps: 123 })
  })

  it('sells the amount that was to be received', () => {
    const { store, state } = form()
    store.setText('100.25', 'buy')
    store.flip(1_510_987_654n)
    expect(state()).toMatchObject({ sell: usdc, buy: eth, text: '100.25', side: 'sell' })
  })

  it('keeps the amount when no quote is known', () => {
    const { store, state } = form()
    store.setText('0.5')
    store.flip()
    expect(state()).toMatchObject({ sell: usdc, buy: eth, text: '0.5' })
  })

  it('removes decimals that the other token does not have', () => {
    const { store, state } = form(',')
    store.setText('1.123456789')
    store.flip()
    expect(state()).toMatchObject({ sell: usdc, text: '1,123456' })
    store.flip()
    expect(state()).toMatchObject({ sell: eth, text: '1,123456' })
    store.setText('0,0000001')
    store.flip()
    expect(state()).toMatchObject({ sell: usdc, text: '0' })
    store.setText('ten')
    store.flip()
    expect(state().text).toBe('ten')
  })
})

describe('setShare', () => {
  it('keeps the fee reserve and reports it while the share is set', () => {
    const { store, state } = form()
    const [balance, reserve] = [2n * 10n ** 18n, 10n ** 16n]
    store.setText('7', 'buy')
    store.setShare(100, balance, reserve)
    expect(state()).toMatchObject({ text: '1.99', side: 'sell', kept: reserve })
    store.setShare(50, balance, reserve)
    expect(state()).toMatchObject({ text: '1', kept: undefined })
    store.setShare(75, 2n * reserve, reserve)
    expect(state()).toMatchObject({ text: '0.01', kept: reserve })
    store.setShare(100, reserve - 1n, reserve)
    expect(state()).toMatchObject({ text: '0', kept: reserve - 1n })
    store.setText('1')
    expect(state().kept).toBeUndefined()
  })

  it('sells the share of any other token to the last unit', () => {
    const { store, state } = form()
    store.setSell(usdc)
    store.setShare(100, 2_500_123_457n)
    expect(state().text).toBe('2500.123457')
    store.setShare(25, 2_500_123_457n)
    expect(typedAmount(state())).toBe(625_030_864n)
  })

  it('keeps the typed amount when the balance is unknown or empty', () => {
    const { store, state, drafts } = form()
    store.setText('12')
    store.setShare(100, undefined)
    store.setShare(100, 0n)
    expect(state().text).toBe('12')
    expect(drafts).toHaveLength(1)
  })

  it('formats the amount with the decimal mark of the locale', () => {
    const { store, state } = form(',')
    store.setSell(usdc)
    store.setShare(100, 1_500_000n)
    expect(state().text).toBe('1,5')
    expect(typedAmount(state())).toBe(1_500_000n)
  })
})

describe('deductFee', () => {
  const amount = 10n ** 18n
  const missing = 10n ** 16n

  it('deducts the missing fee plus a fiftieth, and the form reports the rest of the balance', () => {
    const { store, state } = form()
    store.setText('1')
    const balance = amount + missing / 2n
    const less = deductFee(state(), amount, missing, balance)
    expect(less?.amount).toBe(amount - missing - 2n * 10n ** 14n - 1n)
    store.sellLess(less!)
    expect(typedAmount(state())).toBe(less?.amount)
    expect(state().kept).toBe(balance - less!.amount)
  })

  it('deducts nothing from an amount that was found for an amount to receive', () => {
    const { store, state } = form()
    store.setText('100', 'buy')
    expect(deductFee(state(), amount, missing, amount)).toBeUndefined()
  })

  it.each([amount, amount - 1n, (amount * 50n) / 51n])(
    'deducts no fee of %i wei when nothing of the amount would remain',
    (tooMuch) => {
      expect(deductFee(form().state(), amount, tooMuch, amount)).toBeUndefined()
    },
  )
})

describe('setDecimalMark', () => {
  it('keeps the value of the typed amount and reads the next one with the new mark', () => {
    const { store, state, drafts } = form()
    store.setText('1234.5')
    store.setSwap('mine')
    const before = typedAmount(state())
    store.setDecimalMark(',')
    expect(state()).toMatchObject({ text: '1234,5', decimalMark: ',', swapId: 'mine' })
    expect(drafts.at(-1)).toMatchObject({ amount: '1234,5' })
    expect(typedAmount(state())).toBe(before)
    store.setText('0,25')
    expect(typedAmount(state())).toBe(25n * 10n ** 16n)
    store.setShare(50, 3n * 10n ** 18n)
    expect(state().text).toBe('1,5')
  })

  it('leaves invalid text and an empty field unchanged', () => {
    const { store, state } = form()
    for (const text of ['', 'much']) {
      store.setText(text)
      store.setDecimalMark(text === '' ? ',' : '.')
      expect(state().text).toBe(text)
    }
  })

  it('keeps the mark when the form is filled again', () => {
    const { store, state } = form()
    store.setDecimalMark(',')
    store.start({ ...emptyForm, chainId: 31337 })
    expect(state().decimalMark).toBe(',')
  })
})

describe('clearing the form', () => {
  it('clears the form and all chosen options only after its own swap', () => {
    const { store, state, drafts } = form()
    store.setText('1')
    store.setReceiver(dai.address)
    store.setSwap('mine')
    expect(drafts.at(-1)).toMatchObject({ swapId: 'mine' })
    store.clear('another')
    expect(state()).toMatchObject({ text: '1' })
    store.clear('mine')
    expect(state()).toEqual({ ...emptyForm, chainId: 31337, sell: eth, buy: usdc, decimalMark: '.' })
  })

  it('does not clear the form once it was changed', () => {
    const { store, state } = form()
    store.setText('1')
    store.setSwap('mine')
    store.setText('2')
    store.clear('mine')
    expect(state().text).toBe('2')
  })
})

describe('draft', () => {
  it('keeps the amount while one token is missing', () => {
    const { store, drafts } = form()
    store.start({ ...emptyForm, chainId: 31337, sell: eth })
    store.setText('4')
    expect(drafts).toEqual([{ chainId: 31337, sell: eth.address, amount: '4', side: 'sell' }])
  })

  it('saves every change through the worker, as it was typed', () => {
    const { store, drafts } = form()
    store.setText('1.')
    store.setSlippage(200)
    store.flip()
    store.setText('3', 'buy')
    store.setReceiver(dai.address)
    store.setExcluded(['A'])
    store.setPartialFill(true)
    store.setSwap('mine')
    store.clear('mine')
    const back = { chainId: 31337, sell: usdc.address, buy: eth.address }
    const [sold, received] = [
      { side: 'sell', amount: '1.' },
      { side: 'buy', amount: '3' },
    ]
    expect(drafts).toEqual([
      { ...pair, ...sold },
      { ...pair, ...sold, slippageBps: 200 },
      { ...back, ...sold, slippageBps: 200 },
      { ...back, ...received, slippageBps: 200 },
      { ...back, ...received, slippageBps: 200, receiver: dai.address },
      { ...back, ...received, slippageBps: 200, receiver: dai.address, excluded: ['A'] },
      {
        ...back,
        ...received,
        slippageBps: 200,
        receiver: dai.address,
        excluded: ['A'],
        allowPartialFill: true,
      },
      {
        ...back,
        ...received,
        swapId: 'mine',
        slippageBps: 200,
        receiver: dai.address,
        excluded: ['A'],
        allowPartialFill: true,
      },
      { ...back, amount: '', side: 'sell' },
    ])
  })
})
