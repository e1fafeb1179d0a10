import * as book from '@aave-dao/aave-address-book'
import { describe, expect, it } from 'vitest'
import { publicChains } from '../../../src/domain/network/chains.ts'
import { currencies } from '../../../src/domain/value/currency.ts'
import { getCurrencyFeed } from '../../../src/domain/value/currencyFeeds.ts'

const chainlink: Record<number, Record<string, unknown>> = {
  1: book.ChainlinkEthereum,
  10: book.ChainlinkOptimism,
  56: book.ChainlinkBNB,
  100: book.ChainlinkGnosis,
  137: book.ChainlinkPolygon,
  8453: book.ChainlinkBase,
  42161: book.ChainlinkArbitrum,
  43114: book.ChainlinkAvalanche,
  59144: book.ChainlinkLinea,
}

describe('getCurrencyFeed', () => {
  it.each(publicChains.map(({ name, chainId }) => [name, chainId] as const))(
    'names every currency feed of %s that the address book lists, and no other',
    (_name, chainId) => {
      for (const currency of currencies) {
        const listed = chainlink[chainId]?.[`${currency}__USD`]
        expect(getCurrencyFeed({ chainId }, currency)).toBe(listed && String(listed).toLowerCase())
      }
    },
  )

  it('uses the network’s own feeds, except on public chains', () => {
    const market = { currencyFeeds: { EUR: '0x00000000000000000000000000000000000000aa' } as const }
    expect(getCurrencyFeed({ chainId: 31337, market }, 'EUR')).toBe(market.currencyFeeds.EUR)
    expect(getCurrencyFeed({ chainId: 31337, market }, 'GBP')).toBeUndefined()
    expect(getCurrencyFeed({ chainId: 10, market }, 'GBP')).toBeUndefined()
    expect(getCurrencyFeed({ chainId: 10, market }, 'EUR')).not.toBe(market.currencyFeeds.EUR)
  })
})
