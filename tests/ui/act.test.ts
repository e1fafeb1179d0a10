import { describe, expect, it } from 'vitest'
import { native } from '../../src/domain/token.ts'
import { WalletError } from '../../src/errors.ts'
import { type Form, nextAct } from '../../src/ui/act.ts'
import { eth, local, quoteOf, tradeOfAmount, usdc } from '../state/standIns.ts'

const trade = tradeOfAmount(10n ** 18n)
const ready: Form = {
  network: local,
  trade: { chainId: local.chainId, sell: eth, buy: usdc, text: '1', slippageBps: undefined },
  balances: { [native]: 2n * 10n ** 18n, [usdc.address]: 5_000_000n },
  quote: { status: 'ready', trade, quote: quoteOf(trade), askedAt: 0, nextAt: 6_000, trouble: undefined },
}
const but = (changes: Partial<Form>): Form => ({ ...ready, ...changes })
const typed = (text: string) => but({ trade: { ...ready.trade, text } })

describe('the one button', () => {
  it('reviews when all is there', () => {
    expect(nextAct(ready)).toEqual({ label: 'Review swap', does: 'review' })
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
    expect(nextAct(typed('1,234.5')).label).toBe('Use one decimal mark only')
    expect(nextAct(typed('x')).label).toBe('Enter a number')
    expect(nextAct(typed(`0.${'1'.repeat(19)}`)).label).toBe('Too many decimals')
  })

  it('says what is not there in the account', () => {
    expect(nextAct(typed('3'))).toEqual({ label: 'Not enough ETH', does: undefined })
    const selling = { ...ready.trade, sell: usdc, buy: eth }
    expect(
      nextAct(but({ trade: selling, balances: { [native]: 0n, [usdc.address]: 5_000_000n } })).label,
    ).toBe('No ETH for the network fee')
  })

  it('lets an amount pass whose balance is not known yet', () => {
    expect(nextAct(but({ balances: {} })).does).toBe('review')
  })

  it('follows the price', () => {
    expect(nextAct(but({ quote: { status: 'loading', trade } })).label).toBe('Getting a price…')
    expect(nextAct(but({ quote: { status: 'resting', trade } }))).toEqual({
      label: 'Resume prices',
      does: 'resume',
    })
    const error = new WalletError('no-route', 'None.')
    expect(
      nextAct(but({ quote: { status: 'failed', trade, error, retryAt: undefined } })).does,
    ).toBeUndefined()
  })

  it('offers test funds to an empty account of the local world, and only there', () => {
    const empty = { [native]: 0n }
    const faucet = { ...local, faucetUrl: 'http://127.0.0.1:8788' }
    expect(nextAct(but({ network: faucet, balances: empty })).does).toBe('fund')
    expect(nextAct(but({ balances: empty })).label).toBe('Not enough ETH')
  })

  it('leads to the settings of a network that names nobody to ask', () => {
    expect(nextAct(but({ network: { ...local, serviceUrl: '' } }))).toEqual({
      label: 'Set up Local',
      does: 'set-up',
    })
  })
})
