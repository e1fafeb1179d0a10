import { createStore } from 'zustand/vanilla'
import type { Network, Settings } from '../../domain/network/network.ts'
import { computeMinReturn, computeRequiredReturn, type QuoteIntent } from '../../domain/swap/quote.ts'
import type { RouteOptions } from '../../domain/swap/routeOptions.ts'
import { autoSlippage } from '../../domain/swap/slippage.ts'
import { isWrap } from '../../domain/swap/wrap.ts'
import { type AmountError, formatExact, parseAmount } from '../../domain/token/amount.ts'
import { roundDownToDigits } from '../../domain/token/significantDigits.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import type { Draft, SettingsApi } from '../../protocol.ts'
import type { QuoteState } from './quote.ts'
import type { Plan } from './swapFlow.ts'

export type SwapFormState = {
  chainId: number | undefined
  sell: Token | undefined
  buy: Token | undefined
  /** The amount as it was typed. */
  text: string
  /** Whether it is one to sell or one to receive. */
  side: 'sell' | 'buy'
  /** What separates decimals where it was typed; either mark does while nobody says. */
  decimalMark?: '.' | ','
  /** What a share of the balance left behind for the fee, while that share stands. */
  kept: bigint | undefined
  /** The swap that was made of the form as it stands. */
  swapId: string | undefined
  /** These four are chosen for this trade only. Without a slippage that of the settings holds; `auto` is what fits the pair. */
  slippageBps: number | 'auto' | undefined
  receiver: Address | undefined
  /** Ids of the sources left out. */
  excluded: string[]
  allowPartialFill: boolean
}

/** The swap form. Every change is told to the worker, so that closing the popup loses nothing. */
export function createSwapFormStore(wallet: Pick<SettingsApi, 'saveDraft'>, firstMark: '.' | ',') {
  let mark = firstMark
  const store = createStore<SwapFormState>()(() => ({ ...emptyForm, chainId: undefined, decimalMark: mark }))

  /** Whatever else is changed makes another trade of it than was swapped. */
  function change(changes: Partial<SwapFormState>): void {
    store.setState({ swapId: undefined, ...changes })
    const draft = draftOf(store.getState())
    // A draft that could not be kept is not worth a message: the form itself is still here.
    if (draft !== undefined) wallet.saveDraft(draft).catch(() => undefined)
  }

  const write = (amount: bigint, { decimals }: Token) => formatExact(amount, decimals, mark)

  /** The token that stands on the other side turns the pair around. With any other one it is another trade. */
  function choose(side: 'sell' | 'buy', token: Token): void {
    const { sell, buy, [side]: before, [side === 'sell' ? 'buy' : 'sell']: other } = store.getState()
    const isTurn = other?.address === token.address
    const isAnother = before !== undefined && before.address !== token.address
    if (isTurn) change({ sell: buy, buy: sell, kept: undefined })
    else change({ ...(isAnother && ownTerms), [side]: token, kept: undefined })
  }

  return {
    ...store,

    /** Fills the form without telling the worker: what it says came from there. */
    start: (state: SwapFormState) => store.setState({ ...state, decimalMark: mark }, true),
    /** Numbers are written in another way from now on; what was typed stays the same number. */
    setDecimalMark(decimalMark: '.' | ',') {
      if (mark === decimalMark) return
      const before = store.getState()
      const amount = typedAmount(before)
      const token = before[before.side]
      mark = decimalMark
      change({
        swapId: before.swapId,
        decimalMark,
        ...(typeof amount === 'bigint' && token && { text: write(amount, token) }),
      })
    },

    /** What was typed, into the field of either side. */
    setText: (text: string, side: 'sell' | 'buy' = 'sell') => change({ text, side, kept: undefined }),
    setSlippage: (slippageBps: SwapFormState['slippageBps']) => change({ slippageBps }),
    setReceiver: (receiver: Address | undefined) => change({ receiver }),
    setExcluded: (excluded: string[]) => change({ excluded }),
    setPartialFill: (allowPartialFill: boolean) => change({ allowPartialFill }),

    setSell: (token: Token) => choose('sell', token),
    setBuy: (token: Token) => choose('buy', token),

    /**
     * Turns the pair around. What would have been bought, when known, becomes what is sold; until then the amount stays, without the
     * decimals that the other token does not have.
     */
    flip(returns?: bigint) {
      const { sell, buy, text, side } = store.getState()
      if (buy === undefined) return
      const turned = () => {
        if (side === 'buy') return text
        if (returns !== undefined) return write(roundDownToDigits(returns, 6), buy)
        const amount = typedAmount(store.getState())
        const isLong = parseAmount(text, buy.decimals, mark) === 'too-many-decimals'
        if (!isLong || sell === undefined || typeof amount !== 'bigint') return text
        return write(amount / 10n ** BigInt(sell.decimals - buy.decimals), buy)
      }
      change({ sell: buy, buy: sell, text: turned(), side: 'sell', kept: undefined })
    },

    /**
     * Sells `percent` of `balance`, of which `reserve` stays behind in any case: what the network takes where the coin itself is sold.
     * A balance that is unknown or empty has no share: what was typed stays.
     */
    setShare(percent: number, balance: bigint | undefined, reserve = 0n) {
      const { sell } = store.getState()
      if (sell === undefined || !balance) return
      const share = (balance * BigInt(percent)) / 100n
      const most = balance > reserve ? balance - reserve : 0n
      const isMost = share > most
      change({
        text: write(isMost ? most : share, sell),
        side: 'sell',
        kept: isMost ? balance - most : undefined,
      })
    },

    /** Sells what `deductFee` found. */
    sellLess({ amount, kept }: FeeDeduction) {
      const { sell } = store.getState()
      if (sell !== undefined) change({ text: write(amount, sell), side: 'sell', kept })
    },

    /** Another trade altogether. */
    fill({ amount, ...pair }: FormFill): void {
      change({ ...emptyForm, ...pair, text: write(amount, pair.sell) })
    },

    /** The form became this swap. */
    setSwap: (swapId: string) => change({ swapId }),

    /** After that swap: the pair stays, the amount and what was chosen for it alone go. A form that says something else by now stays. */
    clear(swapId: string) {
      const { chainId, sell, buy, swapId: mine } = store.getState()
      if (mine === swapId) change({ ...emptyForm, chainId, sell, buy })
    },
  }
}

/** What the form says, in base units of the token on the side where it was typed, or why it says nothing yet. */
export function typedAmount({ text, side, sell, buy, decimalMark }: SwapFormState): bigint | AmountError {
  const token = side === 'sell' ? sell : buy
  return token === undefined ? 'empty' : parseAmount(text, token.decimals, decimalMark)
}

/** What a form is filled with. */
export type FormFill = {
  chainId: number
  sell: Token
  buy: Token
  /** Of what is sold. */
  amount: bigint
  receiver: Address | undefined
}

/** So much is sold, and so much stays of the balance. */
export type FeeDeduction = { amount: bigint; kept: bigint }

/**
 * What is sold of the coin instead of `amount` when `missing` wei more have to stay for the network's fee, and a fiftieth of it for a
 * fee that rises meanwhile. Undefined where nothing would be left, or where the amount follows from what was typed to receive.
 */
export function deductFee(
  { side }: SwapFormState,
  amount: bigint,
  missing: bigint,
  balance: bigint,
): FeeDeduction | undefined {
  const less = amount - missing - missing / 50n - 1n
  return side === 'sell' && less > 0n ? { amount: less, kept: balance - less } : undefined
}

/** What the swap may lose on the way: as chosen for it, by the settings, or what fits the pair. */
export function effectiveSlippage(form: SwapFormState, settings: Settings | undefined): number {
  const chosen = form.slippageBps ?? settings?.slippageBps
  if (typeof chosen === 'number') return chosen
  return autoSlippage(
    form.sell,
    form.buy,
    settings?.networks.find(({ chainId }) => chainId === form.chainId),
  )
}

/** What to ask a price for, once the form is filled. An amount to receive is what the slippage leaves. */
export function toQuoteIntent(
  state: SwapFormState,
  slippageBps: number,
  network: Network | undefined,
): QuoteIntent | undefined {
  const { chainId, sell, buy, side } = state
  const amount = typedAmount(state)
  if (chainId === undefined || sell === undefined || buy === undefined) return undefined
  if (typeof amount !== 'bigint' || amount === 0n) return undefined
  const pair = { chainId, sell: sell.address, buy: buy.address, ...optionsOf(state, network) }
  const isExact = side === 'sell' || (network !== undefined && isWrap(pair, network))
  return isExact ? { ...pair, amount } : { ...pair, returns: computeRequiredReturn(amount, slippageBps) }
}

/** What the form shows of a price. */
export type FormQuote = Pick<Extract<QuoteState, { status: 'ready' }>, 'trade' | 'quote' | 'impactBps'>

/**
 * What a review of the form is asked for at the price that it shows, beyond who makes it. The review has to promise what the form said
 * at the least, and the `floor` of a page.
 */
export function toReviewRequest(
  { trade, quote, impactBps }: FormQuote,
  state: SwapFormState,
  slippageBps: number,
  network: Network | undefined,
  floor = 0n,
): Omit<Plan, 'account' | 'request'> {
  const { receiver, allowPartialFill } = state
  const said = leastOf(state, quote.returns, slippageBps, network)
  const atLeast = said > floor ? said : floor
  return {
    trade,
    slippageBps,
    ...optionsOf(state, network),
    ...(receiver && { receiver }),
    ...(allowPartialFill && { allowPartialFill }),
    ...(atLeast > 0n && { atLeast }),
    ...(typeof impactBps === 'number' && { impactBps }),
  }
}

/** The least that the form says: as typed to receive, or what the slippage leaves of the price. Nothing where it cannot know. */
function leastOf(
  state: SwapFormState,
  returns: bigint,
  slippageBps: number,
  network: Network | undefined,
): bigint {
  const { side, sell, buy } = state
  if (sell && buy && network && isWrap({ sell: sell.address, buy: buy.address }, network)) return 0n
  const amount = typedAmount(state)
  if (side === 'buy') return typeof amount === 'bigint' ? amount : 0n
  // A price does not know what such a token takes on the way.
  return sell?.taxed || buy?.taxed ? 0n : computeMinReturn(returns, slippageBps)
}

/** How routes may be found: as the network is set up, without the sources that this trade leaves out. */
function optionsOf({ excluded }: SwapFormState, network: Network | undefined): { options?: RouteOptions } {
  const { options } = network ?? {}
  if (excluded.length === 0) return options === undefined ? {} : { options }
  const excludedProtocols = [...new Set([...(options?.excludedProtocols ?? []), ...excluded])]
  return { options: { ...options, excludedProtocols } }
}

/** Nothing is chosen for one trade alone. */
const ownTerms: Pick<SwapFormState, 'slippageBps' | 'receiver' | 'excluded' | 'allowPartialFill'> = {
  slippageBps: undefined,
  receiver: undefined,
  excluded: [],
  allowPartialFill: false,
}

/** A form that nobody filled. */
export const emptyForm: Omit<SwapFormState, 'chainId'> = {
  sell: undefined,
  buy: undefined,
  text: '',
  side: 'sell',
  kept: undefined,
  swapId: undefined,
  ...ownTerms,
}

function draftOf(state: SwapFormState): Draft | undefined {
  const { chainId, sell, buy, text, side, swapId } = state
  const { slippageBps, receiver, excluded, allowPartialFill } = state
  if (chainId === undefined) return undefined
  return {
    chainId,
    ...(sell && { sell: sell.address }),
    ...(buy && { buy: buy.address }),
    amount: text,
    side,
    ...(swapId !== undefined && { swapId }),
    ...(slippageBps !== undefined && { slippageBps }),
    ...(receiver && { receiver }),
    ...(excluded.length > 0 && { excluded }),
    ...(allowPartialFill && { allowPartialFill }),
  }
}
