import { describe, expect, it } from 'vitest'
import type { Quote } from '../../../src/domain/swap/quote.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { QuoteState } from '../../../src/state/swap/quote.ts'
import { emptyForm } from '../../../src/state/swap/swapForm.ts'
import { type Form, nextAct } from '../../../src/ui/swap/primaryAction.ts'
import { eth, local, quoteOf, token, tradeOfAmount, usdc } from '../../state/standIns.ts'

const trade = tradeOfAmount(10n ** 18n)
const priced = (quote: Quote): QuoteState => ({
  status: 'ready',
  want: quote.trade,
  trade: quote.trade,
  quote,
  impactBps: undefined,
  market: undefined,
  askedAt: 0,
  nextAt: 6_000,
  trouble: undefined,
})
const ready: Form = {
  network: local,
  trade: { ...emptyForm, chainId: local.chainId, sell: eth, buy: usdc, text: '1' },
  balances: { [nativeTokenAddress]: 2n * 10n ** 18n, [usdc.address]: 5_000_000n },
  quote: priced(quoteOf(trade)),
}
const but = (changes: Partial<Form>): Form => ({ ...ready, ...changes })
const typed = (text: string) => but({ trade: { ...ready.trade, text } })

describe('the one button', () => {
  it('reviews when all is there', () => {
    expect(nextAct(ready)).toEqual({ label: 'Review swap', does: 'review' })
  })

  it('reviews nothing while the price is below what a site asks for', () => {
    const { returns } = quoteOf(trade)
    expect(nextAct(but({ atLeast: returns }))).toEqual({ label: 'Review swap', does: 'review' })
    expect(nextAct(but({ atLeast: returns + 1n }))).toEqual({
      label: 'Below the site’s minimum',
      does: undefined,
    })
  })

  it('asks for what is missing', () => {
    expect(nextAct(typed('')).label).toBe('Enter an amount')
    expect(nextAct(typed('0.0')).label).toBe('Enter an amount')
    expect(nextAct(but({ trade: { ...ready.trade, buy: undefined } }))).toEqual({
      label: 'Choose a token to buy',
      does: 'choose-buy',
    })
  })

  it('says why an amount cannot be read', () => {
    expect(nextAct(typed('1,234.5')).label).toBe('Leave out marks for thousands')
    expect(nextAct(typed('x')).label).toBe('Enter a number')
    expect(nextAct(typed(`0.${'1'.repeat(19)}`)).label).toBe('Too many decimals')
  })

  it('says that an account that is only watched cannot sign, before what it does not hold', () => {
    const watched = { label: 'Only watched: it cannot sign', does: undefined }
    expect(nextAct(but({ isWatched: true }))).toEqual(watched)
    expect(nextAct({ ...typed('3'), isWatched: true })).toEqual(watched)
    expect(
      nextAct(but({ isWatched: true, quote: { status: 'loading', want: trade, isAsked: true } })),
    ).toEqual(watched)
    expect(nextAct({ ...typed(''), isWatched: true }).label).toBe('Enter an amount')
    expect(nextAct(but({ isWatched: true, quote: { status: 'resting', want: trade } })).does).toBe('resume')
  })

  it('says what is not there in the account', () => {
    expect(nextAct(typed('3'))).toEqual({ label: 'Not enough ETH', does: undefined })
    const selling = { ...ready.trade, sell: usdc, buy: eth }
    expect(
      nextAct(but({ trade: selling, balances: { [nativeTokenAddress]: 0n, [usdc.address]: 5_000_000n } }))
        .label,
    ).toBe('No ETH for the network fee')
  })

  it('lets an amount pass whose balance is not known yet', () => {
    expect(nextAct(but({ balances: {} })).does).toBe('review')
  })

  it('reviews nothing without a node, whatever the price is, and tries one that is slow', () => {
    const away = new WalletError('node-unreachable', 'Nobody is there.')
    expect(nextAct(but({ balanceError: away }))).toEqual({
      label: 'The node cannot be reached',
      does: undefined,
    })
    expect(nextAct({ ...typed(''), balanceError: away }).label).toBe('Enter an amount')
    const slow = new WalletError('node-timeout', 'It takes its time.')
    expect(nextAct(but({ balanceError: slow })).does).toBe('review')
    // One that answers something is there.
    for (const facts of [{ status: '429' }, { rpcCode: '-32000' }]) {
      const busy = new WalletError('node-unreachable', 'It asks for fewer questions.', facts)
      expect(nextAct(but({ balanceError: busy })).does).toBe('review')
    }
    const other = new WalletError('wrong-chain', 'It is of another network.')
    expect(nextAct(but({ balanceError: other })).does).toBe('review')
  })

  it('follows the price', () => {
    expect(nextAct(but({ quote: { status: 'loading', want: trade, isAsked: true } })).label).toBe(
      'Getting a price…',
    )
    expect(nextAct(but({ quote: { status: 'resting', want: trade } }))).toEqual({
      label: 'Resume prices',
      does: 'resume',
    })
    const error = new WalletError('no-route', 'None.')
    expect(
      nextAct(but({ quote: { status: 'failed', want: trade, error, retryAt: undefined } })).does,
    ).toBeUndefined()
  })

  it('holds an amount to receive against what it takes to get it', () => {
    const receiving = { ...ready.trade, text: '2000', side: 'buy' as const }
    const finding = but({ trade: receiving, quote: { status: 'loading', want: trade, isAsked: true } })
    expect(nextAct(finding).label).toBe('Finding the amount…')
    expect(nextAct(but({ trade: receiving })).does).toBe('review')
    const dear = priced(quoteOf(tradeOfAmount(3n * 10n ** 18n)))
    expect(nextAct(but({ trade: receiving, quote: dear })).label).toBe('Not enough ETH')
    expect(nextAct(but({ trade: { ...receiving, text: '0.1234567' } })).label).toBe('Too many decimals')
  })

  it('offers to sell as much less as the fee takes', () => {
    const mostNetworkFee = 10n ** 15n
    const networkFee = mostNetworkFee / 2n
    const all = tradeOfAmount(2n * 10n ** 18n - 1n)
    const quote = priced({ ...quoteOf(all), networkFee, mostNetworkFee })
    const act = nextAct(but({ trade: { ...ready.trade, text: '1.999999999999999999' }, quote }))
    expect(act).toEqual({
      label: 'Keep some ETH for the fee',
      does: 'sell-less',
      less: { amount: all.amount - 1_019_999_999_999_999n, kept: 1_020_000_000_000_000n },
    })
    const receiving = { ...ready.trade, text: '2000', side: 'buy' as const }
    expect(nextAct(but({ trade: receiving, quote }))).toMatchObject({ does: undefined })
    const dust = priced({ ...quoteOf(tradeOfAmount(100n)), mostNetworkFee })
    const poor = but({ trade: { ...ready.trade, text: '0.0000000000000001' }, quote: dust })
    expect(nextAct({ ...poor, balances: { [nativeTokenAddress]: mostNetworkFee + 1n } })).toMatchObject({
      does: undefined,
    })
    const selling = { ...ready.trade, sell: usdc, buy: eth }
    const balances = { [nativeTokenAddress]: mostNetworkFee - 1n, [usdc.address]: 5_000_000n }
    expect(nextAct(but({ trade: selling, balances, quote }))).toEqual({
      label: 'Not enough ETH for the network fee',
      does: undefined,
    })
  })

  it('wraps for oneself only', () => {
    const weth = token('d', 'WETH', 18)
    const network = { ...local, wrapped: weth.address }
    const wrapping = { ...ready.trade, buy: weth }
    expect(nextAct(but({ network, trade: wrapping })).label).toBe('Review')
    const away = { ...wrapping, receiver: usdc.address }
    expect(nextAct(but({ network, trade: away })).does).toBeUndefined()
  })

  it('offers test funds to an empty account of the local world, and only there', () => {
    const empty = { [nativeTokenAddress]: 0n }
    const faucet = { ...local, faucetUrl: 'http://127.0.0.1:8788' }
    expect(nextAct(but({ network: faucet, balances: empty })).does).toBe('fund')
    expect(nextAct(but({ balances: empty })).label).toBe('Not enough ETH')
  })

  it('leads to the settings of a network that names nobody to ask', () => {
    const setUp = { label: 'Set up Local', does: 'set-up' }
    expect(nextAct(but({ network: { ...local, serviceUrl: '' } }))).toEqual(setUp)
    expect(nextAct(but({ network: { ...local, rpcUrl: '' } }))).toEqual(setUp)
    // Without a service there is nothing to choose from, unless the coin can be wrapped.
    const { wrapped: _, ...bare } = { ...local, serviceUrl: '' }
    expect(nextAct(but({ network: bare, trade: { ...ready.trade, buy: undefined } }))).toEqual(setUp)
  })

  it('wraps where a network names its node alone', () => {
    const weth = token('d', 'WETH', 18)
    const network = { ...local, serviceUrl: '', wrapped: weth.address }
    expect(nextAct(but({ network, trade: { ...ready.trade, buy: weth } })).does).toBe('review')
    const unwrapping = { ...ready.trade, sell: weth, buy: eth }
    expect(nextAct(but({ network, trade: unwrapping })).does).toBe('review')
    expect(nextAct(but({ network: { ...network, rpcUrl: '' }, trade: unwrapping })).does).toBe('set-up')
    expect(nextAct(but({ network })).does).toBe('set-up')
  })
})
