import { describe, expect, it } from 'vitest'
import type { Quote } from '../../../src/domain/swap/quote.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { QuoteState } from '../../../src/state/swap/quote.ts'
import { emptyForm } from '../../../src/state/swap/swapForm.ts'
import { type FormSnapshot, primaryAction } from '../../../src/ui/swap/primaryAction.ts'
import { eth, local, quoteOf, token, tradeOfAmount, usdc } from '../../helpers/state/fakes.ts'

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
const ready: FormSnapshot = {
  network: local,
  trade: { ...emptyForm, chainId: local.chainId, sell: eth, buy: usdc, text: '1' },
  balances: { [nativeTokenAddress]: 2n * 10n ** 18n, [usdc.address]: 5_000_000n },
  quote: priced(quoteOf(trade)),
}
const but = (changes: Partial<FormSnapshot>): FormSnapshot => ({ ...ready, ...changes })
const typed = (text: string) => but({ trade: { ...ready.trade, text } })

describe('primaryAction', () => {
  it('offers the review when everything is entered', () => {
    expect(primaryAction(ready)).toEqual({ label: 'Review swap', does: 'review' })
  })

  it('blocks the review while the quote is below the site’s minimum', () => {
    const { returns } = quoteOf(trade)
    expect(primaryAction(but({ atLeast: returns }))).toEqual({ label: 'Review swap', does: 'review' })
    expect(primaryAction(but({ atLeast: returns + 1n }))).toEqual({
      label: 'Below the site’s minimum',
      does: undefined,
    })
  })

  it('leads an account without funds to Receive, after the setup and test funds', () => {
    const { faucetUrl: _, ...noFaucet } = local
    const empty = { network: noFaucet, balances: { [nativeTokenAddress]: 0n }, isEmpty: true }
    expect(primaryAction(but(empty))).toEqual({ label: 'Add funds', does: 'add-funds' })
    expect(primaryAction(but({ ...empty, trade: { ...emptyForm, chainId: local.chainId } })).does).toBe(
      'add-funds',
    )
    expect(primaryAction(but({ ...empty, network: { ...noFaucet, rpcUrl: '' } })).does).toBe('set-up')
    expect(primaryAction(but({ ...empty, network: { ...local, faucetUrl: 'http://f' } })).does).toBe('fund')
    expect(primaryAction(but({ ...empty, isWatched: true })).does).toBe(undefined)
  })

  it('asks for a missing amount or token', () => {
    expect(primaryAction(typed('')).label).toBe('Enter an amount')
    expect(primaryAction(typed('0.0')).label).toBe('Enter an amount')
    expect(primaryAction(but({ trade: { ...ready.trade, buy: undefined } }))).toEqual({
      label: 'Select a token to buy',
      does: 'choose-buy',
    })
  })

  it('explains why an amount cannot be parsed', () => {
    expect(primaryAction(typed('1,234.5')).label).toBe('Remove thousands separators')
    expect(primaryAction(typed('x')).label).toBe('Enter a number')
    expect(primaryAction(typed(`0.${'1'.repeat(19)}`)).label).toBe('Too many decimals')
  })

  it('reports a watch-only account before an insufficient balance', () => {
    const watched = { label: 'Watch-only: can’t sign', does: undefined }
    expect(primaryAction(but({ isWatched: true }))).toEqual(watched)
    expect(primaryAction({ ...typed('3'), isWatched: true })).toEqual(watched)
    expect(
      primaryAction(but({ isWatched: true, quote: { status: 'loading', want: trade, isAsked: true } })),
    ).toEqual(watched)
    expect(primaryAction({ ...typed(''), isWatched: true }).label).toBe('Enter an amount')
    expect(primaryAction(but({ isWatched: true, quote: { status: 'resting', want: trade } })).does).toBe(
      'resume',
    )
  })

  it('reports an insufficient balance of the sold token or for the network fee', () => {
    expect(primaryAction(typed('3'))).toEqual({ label: 'Not enough ETH', does: undefined })
    const selling = { ...ready.trade, sell: usdc, buy: eth }
    expect(
      primaryAction(
        but({ trade: selling, balances: { [nativeTokenAddress]: 0n, [usdc.address]: 5_000_000n } }),
      ).label,
    ).toBe('No ETH for the network fee')
  })

  it('offers the review when the balance is unknown', () => {
    expect(primaryAction(but({ balances: {} })).does).toBe('review')
  })

  it('blocks the review when the RPC is unreachable, but not when it is slow or answers with an error', () => {
    const away = new WalletError('node-unreachable', 'Nobody is there.')
    expect(primaryAction(but({ balanceError: away }))).toEqual({
      label: 'Can’t reach the RPC',
      does: undefined,
    })
    expect(primaryAction({ ...typed(''), balanceError: away }).label).toBe('Enter an amount')
    const slow = new WalletError('node-timeout', 'It takes its time.')
    expect(primaryAction(but({ balanceError: slow })).does).toBe('review')
    // An RPC that answers with an error is reachable.
    for (const facts of [{ status: '429' }, { rpcCode: '-32000' }]) {
      const busy = new WalletError('node-unreachable', 'It asks for fewer questions.', facts)
      expect(primaryAction(but({ balanceError: busy })).does).toBe('review')
    }
    const other = new WalletError('wrong-chain', 'It is of another network.')
    expect(primaryAction(but({ balanceError: other })).does).toBe('review')
  })

  it('follows the state of the quote', () => {
    expect(primaryAction(but({ quote: { status: 'loading', want: trade, isAsked: true } })).label).toBe(
      'Fetching quote…',
    )
    expect(primaryAction(but({ quote: { status: 'resting', want: trade } }))).toEqual({
      label: 'Resume quotes',
      does: 'resume',
    })
    const error = new WalletError('no-route', 'None.')
    expect(
      primaryAction(but({ quote: { status: 'failed', want: trade, error, retryAt: undefined } })).does,
    ).toBeUndefined()
  })

  it('compares an amount to receive with the quoted amount to sell', () => {
    const receiving = { ...ready.trade, text: '2000', side: 'buy' as const }
    const finding = but({ trade: receiving, quote: { status: 'loading', want: trade, isAsked: true } })
    expect(primaryAction(finding).label).toBe('Calculating amount…')
    expect(primaryAction(but({ trade: receiving })).does).toBe('review')
    const dear = priced(quoteOf(tradeOfAmount(3n * 10n ** 18n)))
    expect(primaryAction(but({ trade: receiving, quote: dear })).label).toBe('Not enough ETH')
    expect(primaryAction(but({ trade: { ...receiving, text: '0.1234567' } })).label).toBe('Too many decimals')
  })

  it('offers to sell less native token when the network fee needs it', () => {
    const mostNetworkFee = 10n ** 15n
    const networkFee = mostNetworkFee / 2n
    const all = tradeOfAmount(2n * 10n ** 18n - 1n)
    const quote = priced({ ...quoteOf(all), networkFee, mostNetworkFee })
    const act = primaryAction(but({ trade: { ...ready.trade, text: '1.999999999999999999' }, quote }))
    expect(act).toEqual({
      label: 'Keep some ETH for fees',
      does: 'sell-less',
      less: { amount: all.amount - 1_019_999_999_999_999n, kept: 1_020_000_000_000_000n },
    })
    const receiving = { ...ready.trade, text: '2000', side: 'buy' as const }
    expect(primaryAction(but({ trade: receiving, quote }))).toMatchObject({ does: undefined })
    const dust = priced({ ...quoteOf(tradeOfAmount(100n)), mostNetworkFee })
    const poor = but({ trade: { ...ready.trade, text: '0.0000000000000001' }, quote: dust })
    expect(primaryAction({ ...poor, balances: { [nativeTokenAddress]: mostNetworkFee + 1n } })).toMatchObject(
      {
        does: undefined,
      },
    )
    const selling = { ...ready.trade, sell: usdc, buy: eth }
    const balances = { [nativeTokenAddress]: mostNetworkFee - 1n, [usdc.address]: 5_000_000n }
    expect(primaryAction(but({ trade: selling, balances, quote }))).toEqual({
      label: 'Not enough ETH for the network fee',
      does: undefined,
    })
  })

  it('wraps only for the own account', () => {
    const weth = token('d', 'WETH', 18)
    const network = { ...local, wrapped: weth.address }
    const wrapping = { ...ready.trade, buy: weth }
    expect(primaryAction(but({ network, trade: wrapping })).label).toBe('Review')
    const away = { ...wrapping, receiver: usdc.address }
    expect(primaryAction(but({ network, trade: away })).does).toBeUndefined()
  })

  it('offers test funds to an empty account only where the network has a faucet', () => {
    const empty = { [nativeTokenAddress]: 0n }
    const faucet = { ...local, faucetUrl: 'http://127.0.0.1:8788' }
    expect(primaryAction(but({ network: faucet, balances: empty })).does).toBe('fund')
    expect(primaryAction(but({ balances: empty })).label).toBe('Not enough ETH')
  })

  it('asks for a network without an RPC, and leads to the settings of one without a swap service', () => {
    const setUp = { label: 'Set up Local', does: 'set-up' }
    expect(primaryAction(but({ network: { ...local, serviceUrl: '' } }))).toEqual(setUp)
    const unset = { label: 'Choose where to swap', does: 'set-up' }
    expect(primaryAction(but({ network: { ...local, rpcUrl: '' } }))).toEqual(unset)
    const { wrapped: _, ...bare } = { ...local, serviceUrl: '' }
    expect(primaryAction(but({ network: bare, trade: { ...ready.trade, buy: undefined } }))).toEqual(setUp)
  })

  it('wraps and unwraps on a network that has only an RPC', () => {
    const weth = token('d', 'WETH', 18)
    const network = { ...local, serviceUrl: '', wrapped: weth.address }
    expect(primaryAction(but({ network, trade: { ...ready.trade, buy: weth } })).does).toBe('review')
    const unwrapping = { ...ready.trade, sell: weth, buy: eth }
    expect(primaryAction(but({ network, trade: unwrapping })).does).toBe('review')
    expect(primaryAction(but({ network: { ...network, rpcUrl: '' }, trade: unwrapping })).does).toBe('set-up')
    expect(primaryAction(but({ network })).does).toBe('set-up')
  })
})
