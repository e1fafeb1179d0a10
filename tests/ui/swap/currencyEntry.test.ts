import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { type CurrencyRate, dollars } from '../../../src/domain/value/currency.ts'
import type { TokenPrice } from '../../../src/domain/value/price.ts'
import type { Stores } from '../../../src/state/stores.ts'
import { createSwapFormStore, emptyForm } from '../../../src/state/swap/swapForm.ts'
import { StoresProvider, useStore } from '../../../src/ui/hooks/data/useStore.ts'
import { type CurrencyEntry, useCurrencyEntry } from '../../../src/ui/swap/useCurrencyEntry.ts'
import { dai, local, usdc } from '../../helpers/state/fakes.ts'
import { clearDocument, draw, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

const priceAt = (usd: bigint): TokenPrice => ({ usd, per: 10n ** 18n, source: 'oracle' })

async function start(rate: CurrencyRate = dollars) {
  const trade = createSwapFormStore({ saveDraft: async () => undefined }, '.')
  trade.start({ ...emptyForm, chainId: local.chainId, sell: dai, buy: usdc })
  const priced = (price: TokenPrice | undefined) => ({
    chains: { [local.chainId]: { prices: price ? { [dai.address]: price } : {}, readAt: 0 } },
  })
  const prices = createStore(() => ({ ...priced(priceAt(300_000_000_000n)), rate, isShown: true }))
  const stores = { trade, prices } as unknown as Stores
  let shown: CurrencyEntry | undefined
  const Probe = () => {
    shown = useCurrencyEntry(useStore(trade, (state) => state))
    return null
  }
  await draw(h(StoresProvider, { value: stores, children: h(Probe, {}) }))
  const todo = (work: (entry: CurrencyEntry) => void) => act(async () => shown && work(shown))
  return {
    todo,
    entry: () => shown,
    text: () => trade.getState().text,
    trade,
    setPrice: (price: TokenPrice | undefined) => act(async () => prices.setState(priced(price))),
  }
}

describe('an amount typed in the currency', () => {
  it('becomes the token amount at the price, without floats', async () => {
    const { todo, text, entry } = await start()
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('100'))
    expect(text()).toBe('0.033333333333333333')
    expect(entry()?.text).toBe('100')
    await todo((one) => one.onInput('0.01'))
    expect(text()).toBe('0.000003333333333333')
  })

  it('keeps its token amount when the price changes, until the next input', async () => {
    const { todo, text, entry, setPrice } = await start()
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('300'))
    await setPrice(priceAt(600_000_000_000n))
    expect([text(), entry()?.text]).toEqual(['0.1', '300'])
    await todo((one) => one.onInput('3000'))
    expect(text()).toBe('0.5')
  })

  it('follows an amount that is set otherwise, as its value at that time', async () => {
    const { todo, text, entry, trade, setPrice } = await start()
    await todo((one) => one.turn(true))
    await act(async () => trade.setShare(50, 4n * 10n ** 18n))
    expect([text(), entry()?.text]).toEqual(['2', '6000'])
    await setPrice(priceAt(100_000_000n))
    expect([text(), entry()?.text]).toEqual(['2', '6000'])
  })

  it('converts through the rate of another currency, with its smallest unit', async () => {
    const { todo, text, entry } = await start({ currency: 'JPY', usd: 1_000_000n })
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('30000'))
    expect(text()).toBe('0.1')
    await todo((one) => one.onInput('1.5'))
    expect(entry()?.fault).toBe('JPY doesn’t support decimals.')
    expect(text()).toBe('')
  })

  it('leaves the form without an amount while the text is no number', async () => {
    const { todo, text, entry } = await start()
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('5.125'))
    expect([text(), entry()?.text]).toEqual(['', '5.125'])
    expect(entry()?.fault).toBe('USD supports up to 2 decimal places.')
  })

  it('is not offered without a price, or while the amount to receive is typed', async () => {
    const { trade, entry, setPrice } = await start()
    expect(entry()).toBeDefined()
    await act(async () => trade.setText('5', 'buy'))
    expect(entry()).toBeUndefined()
    await act(async () => trade.setText('5', 'sell'))
    await setPrice(undefined)
    expect(entry()).toBeUndefined()
  })
})
