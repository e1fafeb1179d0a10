import { h } from 'preact'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { Network } from '../../../../src/domain/network/network.ts'
import type { RouteOptions, SwapSource } from '../../../../src/domain/swap/routeOptions.ts'
import { nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { dollars } from '../../../../src/domain/value/currency.ts'
import type { TokenPrices } from '../../../../src/domain/value/price.ts'
import type { Stores } from '../../../../src/state/stores.ts'
import { toRouteOptions } from '../../../../src/state/swap/swapForm.ts'
import { StoresProvider } from '../../../../src/ui/hooks/data/useStore.ts'
import { QuoteRows } from '../../../../src/ui/swap/quote/QuoteRows.tsx'
import type { ReadyQuote } from '../../../../src/ui/swap/quote/readyQuote.ts'
import { dai, local, quoteOf, usdc } from '../../../helpers/state/fakes.ts'
import { clearDocument, draw, standInDocument } from '../../../helpers/ui/render.ts'

beforeEach(standInDocument)
afterEach(clearDocument)

const network: Network = { ...local, serviceUrl: 'https://swap.example', options: { feeBps: 30 } }
const trade = { chainId: local.chainId, sell: usdc.address, buy: dai.address, amount: 10_000_000n }

function ready(options: RouteOptions | undefined): ReadyQuote {
  return {
    status: 'ready',
    want: { ...trade, ...(options && { options }) },
    trade,
    quote: quoteOf(trade),
    impactBps: 0,
    market: undefined,
    askedAt: 0,
    nextAt: 0,
    trouble: undefined,
    sell: usdc,
    buy: dai,
  }
}

async function rowsOf(
  network: Network,
  source: SwapSource | undefined,
  quote?: ReadyQuote,
  prices: TokenPrices = {},
): Promise<string> {
  const names = Object.assign(
    createStore(() => ({})),
    { forgive: () => undefined, learn: async () => undefined },
  )
  const stores = {
    prices: Object.assign(
      createStore(() => ({
        chains: { [local.chainId]: { prices, old: {}, readAt: {} } },
        rate: dollars,
        isShown: true,
      })),
      { track: () => undefined },
    ),
    tokens: createStore(() => ({ chainId: local.chainId, tokens: [usdc, dai] })),
    settings: createStore(() => ({ settings: undefined })),
    get: () => names,
  } as unknown as Stores
  const rows = h(QuoteRows, {
    ready: quote,
    isLoading: quote === undefined,
    isWrapping: false,
    network,
    source,
    side: 'sell',
    slippageBps: 50,
    atLeast: undefined,
    onRoute: () => undefined,
  })
  return (await draw(h(StoresProvider, { value: stores, children: rows }))).text
}

const optionsOf = (source: SwapSource | undefined, of: Network) =>
  toRouteOptions({ source, excluded: [] }, of)

describe('the partner fee of a quote', () => {
  it('is shown for the swap service, before the quote too', async () => {
    expect(await rowsOf(network, undefined)).toContain('Partner fee')
    const rows = await rowsOf(network, undefined, ready(optionsOf(undefined, network)))
    expect(rows).toContain('Partner fee')
    expect(rows.replaceAll(' ', '')).toContain('0.03USDC(0.3%)')
  })

  it('is not shown for direct swaps, with or without a service', async () => {
    const alone = { ...network, serviceUrl: '' }
    for (const [of, source] of [
      [network, 'direct'],
      [alone, undefined],
    ] as const) {
      expect(await rowsOf(of, source)).not.toContain('Partner fee')
      expect(await rowsOf(of, source, ready(optionsOf(source, of)))).not.toContain('Partner fee')
    }
  })

  it('belongs to the quote shown while the source changes', async () => {
    expect(await rowsOf(network, 'direct', ready(network.options))).toContain('Partner fee')
    expect(await rowsOf(network, undefined, ready({ source: 'direct' }))).not.toContain('Partner fee')
  })
})

describe('the worth of a quote', () => {
  const quote = { ...quoteOf(trade), returns: 9n * 10n ** 18n, networkFee: 16n * 10n ** 13n }
  const prices: TokenPrices = {
    [nativeTokenAddress]: { usd: 300_000_000_000n, per: 10n ** 18n, source: 'oracle' },
    [dai.address]: { usd: 100_000_000n, per: 10n ** 18n, source: 'oracle' },
  }
  const market = { returns: 10n ** 19n, source: 'oracle' as const, ageSeconds: 0 }

  it('is the expected network fee in the currency, in the native token without a price', async () => {
    const known = { ...ready(undefined), quote }
    expect(await rowsOf(network, 'direct', known, prices)).toContain('≈ $0.48')
    expect(await rowsOf(network, 'direct', known)).toContain('≈ 0.00016 ETH')
  })

  it('names in value and percent what a quote pays less than the market, from three percent on', async () => {
    const low = { ...ready(undefined), quote, market }
    expect((await rowsOf(network, 'direct', low, prices)).replaceAll(' ', '')).toContain(
      '−$1.0010%belowmarket',
    )
    expect(await rowsOf(network, 'direct', low)).toContain('10% below market')
    const near = { ...low, quote: { ...quote, returns: (market.returns * 98n) / 100n } }
    expect(await rowsOf(network, 'direct', near, prices)).not.toContain('below market')
  })
})
