import { h } from 'preact'
import { act } from 'preact/test-utils'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { type CurrencyRate, dollars } from '../../../src/domain/value/currency.ts'
import type { TokenPrice } from '../../../src/domain/value/price.ts'
import { createPrices } from '../../../src/state/prices.ts'
import type { Stores } from '../../../src/state/stores.ts'
import { createSwapFormStore, emptyForm } from '../../../src/state/swap/swapForm.ts'
import { StoresProvider, useStore } from '../../../src/ui/hooks/data/useStore.ts'
import { type CurrencyEntry, useCurrencyEntry } from '../../../src/ui/swap/useCurrencyEntry.ts'
import { dai, local, usdc } from '../../helpers/state/fakes.ts'
import { clearDocument, draw, type Node, standInDocument } from '../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

const priceAt = (usd: bigint): TokenPrice => ({ usd, per: 10n ** 18n, source: 'oracle' })

const other = local.chainId + 1
const native = { ...dai, address: nativeTokenAddress, symbol: 'ETH' }
const chainPrices = (price: TokenPrice) => ({
  prices: { [native.address]: price },
  old: {},
  readAt: { [native.address]: 0 },
})
const euros: CurrencyRate = { currency: 'EUR', usd: 125_000_000n }

async function start(rate: CurrencyRate = dollars) {
  const trade = createSwapFormStore({ saveDraft: async () => undefined }, '.')
  trade.start({ ...emptyForm, chainId: local.chainId, sell: dai, buy: usdc })
  const unread = { prices: async () => ({ prices: {}, rate }) }
  const prices = createPrices(unread, { now: () => 0, after: () => () => undefined })
  const priced = (price: TokenPrice | undefined) => ({
    chains: {
      [local.chainId]: {
        prices: price ? { [dai.address]: price } : {},
        old: {},
        readAt: { [dai.address]: 0 },
      },
    },
  })
  prices.setState({ ...priced(priceAt(300_000_000_000n)), rate })
  const stores = { trade, prices } as unknown as Stores
  let shown: CurrencyEntry | undefined
  let drawn: Node | undefined
  const Probe = ({ hasFocus }: { hasFocus: boolean }) => {
    const { chainId, sell, text, side } = useStore(trade, (state) => state)
    const setText = (text: string) => trade.setText(text, 'sell')
    shown = useCurrencyEntry({ chainId, token: sell, text, isTyped: side === 'sell', setText }, hasFocus)
    return null
  }
  const focus = async (hasFocus: boolean) => {
    drawn = await draw(h(StoresProvider, { value: stores, children: h(Probe, { hasFocus }) }), drawn)
  }
  await focus(true)
  return {
    todo: (work: (entry: CurrencyEntry) => void) => act(async () => shown && work(shown)),
    entry: () => shown,
    text: () => trade.getState().text,
    trade,
    prices,
    focus,
    setPrice: (price: TokenPrice | undefined) => act(async () => prices.setState(priced(price))),
    setRate: (rate: CurrencyRate) => act(async () => prices.setState({ rate })),
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

  it('keeps text and token amount under the cursor when the price changes, until the next input', async () => {
    const { todo, text, entry, setPrice } = await start()
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('300'))
    await setPrice(priceAt(600_000_000_000n))
    expect([text(), entry()?.text]).toEqual(['0.1', '300'])
    await todo((one) => one.onInput('3000'))
    expect(text()).toBe('0.5')
  })

  it('shows the current value of its token amount once the cursor left', async () => {
    const { todo, text, entry, focus, setPrice, setRate } = await start()
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('300'))
    await setPrice(priceAt(600_000_000_000n))
    await focus(false)
    expect([text(), entry()?.text]).toEqual(['0.1', '600'])
    await setRate({ currency: 'USD', usd: 200_000_000n })
    expect([text(), entry()?.text]).toEqual(['0.1', '300'])
    await todo((one) => one.onInput('5.125'))
    await setPrice(priceAt(300_000_000_000n))
    expect([text(), entry()?.text]).toEqual(['', '5.125'])
  })

  it('follows an amount that is set otherwise', async () => {
    const { todo, text, entry, trade } = await start()
    await todo((one) => one.turn(true))
    await act(async () => trade.setShare(50, 4n * 10n ** 18n))
    expect([text(), entry()?.text]).toEqual(['2', '6000'])
  })

  it('becomes the amount of another currency when the currency changes, also under the cursor', async () => {
    const { todo, text, entry, setRate } = await start(euros)
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('240'))
    expect(text()).toBe('0.1')
    await setRate(dollars)
    expect([text(), entry()?.text, entry()?.unit.sign]).toEqual(['0.1', '300', '$'])
    await todo((one) => one.onInput('30'))
    expect(text()).toBe('0.01')
  })

  it('is not taken over by the same amount of another network’s native token', async () => {
    const { todo, entry, trade, prices } = await start()
    await act(async () => {
      trade.setSell(native)
      prices.setState({
        chains: {
          [local.chainId]: chainPrices(priceAt(300_000_000_000n)),
          [other]: chainPrices(priceAt(100_000_000n)),
        },
      })
    })
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('3000'))
    const draft = { ...trade.getState(), chainId: other }
    await act(async () => trade.start(draft))
    expect([trade.getState().text, entry()?.text]).toEqual(['1', '1'])
  })

  it('ends with the price, and does not come back with it', async () => {
    const { todo, text, entry, setPrice } = await start()
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('3000'))
    await setPrice(undefined)
    expect([text(), entry()]).toEqual(['1', undefined])
    await setPrice(priceAt(300_000_000_000n))
    expect(entry()?.isOn).toBe(false)
  })

  it('converts at no price that the store no longer stands for', async () => {
    const { todo, text, entry, prices } = await start()
    await todo((one) => one.turn(true))
    await todo((one) => one.onInput('3000'))
    prices.price = () => undefined
    await todo((one) => one.onInput('30000'))
    expect([text(), entry()]).toEqual(['1', undefined])
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
