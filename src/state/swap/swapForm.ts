import { createStore } from 'zustand/vanilla'
import type { Network, Settings } from '../../domain/network/network.ts'
import { getSwapSource } from '../../domain/network/swapSource.ts'
import { computeMinReturn, computeRequiredReturn, type QuoteIntent } from '../../domain/swap/quote.ts'
import type { RouteOptions, SwapSource } from '../../domain/swap/routeOptions.ts'
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
  text: string
  /** Side of the typed amount. */
  side: 'sell' | 'buy'
  /** Undefined accepts both. */
  decimalMark?: '.' | ','
  /** Reserved for the fee. */
  kept: bigint | undefined
  /** Swap made from the unedited form. */
  swapId: string | undefined
  /** The rest applies to this trade only. Undefined uses the settings. */
  slippageBps: number | 'auto' | undefined
  receiver: Address | undefined
  excluded: string[]
  allowPartialFill: boolean
  /** Undefined: the network's. */
  source: SwapSource | undefined
}

/** The worker keeps every change. */
export function createSwapFormStore(wallet: Pick<SettingsApi, 'saveDraft'>, firstMark: '.' | ',') {
  let mark = firstMark
  const store = createStore<SwapFormState>()(() => ({ ...emptyForm, chainId: undefined, decimalMark: mark }))

  /** Any edit makes it another trade. */
  function change(changes: Partial<SwapFormState>): void {
    store.setState({ swapId: undefined, ...changes })
    const draft = toDraft(store.getState())
    // The form itself is intact.
    if (draft !== undefined) wallet.saveDraft(draft).catch(() => undefined)
  }

  const write = (amount: bigint, { decimals }: Token) => formatExact(amount, decimals, mark)

  /** The other side's token flips the pair; another one resets the options. */
  function choose(side: 'sell' | 'buy', token: Token): void {
    const { sell, buy, [side]: before, [side === 'sell' ? 'buy' : 'sell']: other } = store.getState()
    const isTurn = other?.address === token.address
    const isAnother = before !== undefined && before.address !== token.address
    if (isTurn) change({ sell: buy, buy: sell, kept: undefined })
    else change({ ...(isAnother && ownTerms), [side]: token, kept: undefined })
  }

  return {
    ...store,

    /** Does not save a draft. */
    start: (state: SwapFormState) => store.setState({ ...state, decimalMark: mark }, true),
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

    setText: (text: string, side: 'sell' | 'buy' = 'sell') => change({ text, side, kept: undefined }),
    setSlippage: (slippageBps: SwapFormState['slippageBps']) => change({ slippageBps }),
    setReceiver: (receiver: Address | undefined) => change({ receiver }),
    setExcluded: (excluded: string[]) => change({ excluded }),
    setPartialFill: (allowPartialFill: boolean) => change({ allowPartialFill }),
    setSource: (source: SwapSource) => change({ source }),

    setSell: (token: Token) => choose('sell', token),
    setBuy: (token: Token) => choose('buy', token),

    /** Sells `returns` when known, else the typed amount. */
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

    /** Always keeps `reserve`. */
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

    sellLess({ amount, kept }: FeeDeduction) {
      const { sell } = store.getState()
      if (sell !== undefined) change({ text: write(amount, sell), side: 'sell', kept })
    },

    fill({ amount, ...pair }: FormFill): void {
      change({ ...emptyForm, ...pair, text: write(amount, pair.sell) })
    },

    setSwap: (swapId: string) => change({ swapId }),

    /** Keeps the pair of a completed swap, unless the form was edited since. */
    clear(swapId: string) {
      const { chainId, sell, buy, swapId: mine } = store.getState()
      if (mine === swapId) change({ ...emptyForm, chainId, sell, buy })
    },
  }
}

/** Returns base units of the typed side. */
export function typedAmount({ text, side, sell, buy, decimalMark }: SwapFormState): bigint | AmountError {
  const token = side === 'sell' ? sell : buy
  return token === undefined ? 'empty' : parseAmount(text, token.decimals, decimalMark)
}

export type FormFill = {
  chainId: number
  sell: Token
  buy: Token
  /** Sell amount. */
  amount: bigint
  receiver: Address | undefined
}

export type FeeDeduction = { amount: bigint; kept: bigint }

/** Reduces the sell amount by the `missing` fee plus 2 %; undefined when impossible. */
export function deductFee(
  { side }: SwapFormState,
  amount: bigint,
  missing: bigint,
  balance: bigint,
): FeeDeduction | undefined {
  const less = amount - missing - missing / 50n - 1n
  return side === 'sell' && less > 0n ? { amount: less, kept: balance - less } : undefined
}

/** Falls back to the settings, then the pair's default. */
export function effectiveSlippage(form: SwapFormState, settings: Settings | undefined): number {
  const chosen = form.slippageBps ?? settings?.slippageBps
  if (typeof chosen === 'number') return chosen
  return autoSlippage(
    form.sell,
    form.buy,
    settings?.networks.find(({ chainId }) => chainId === form.chainId),
  )
}

/** A typed buy amount is the minimum after slippage. */
export function toQuoteIntent(
  state: SwapFormState,
  slippageBps: number,
  network: Network | undefined,
): QuoteIntent | undefined {
  const { chainId, sell, buy, side } = state
  const amount = typedAmount(state)
  if (chainId === undefined || sell === undefined || buy === undefined) return undefined
  if (typeof amount !== 'bigint' || amount === 0n) return undefined
  const pair = { chainId, sell: sell.address, buy: buy.address, ...toOptions(state, network) }
  const isExact = side === 'sell' || (network !== undefined && isWrap(pair, network))
  return isExact ? { ...pair, amount } : { ...pair, returns: computeRequiredReturn(amount, slippageBps) }
}

export type FormQuote = Pick<Extract<QuoteState, { status: 'ready' }>, 'trade' | 'quote' | 'impactBps'>

/** `floor`: the dapp's minimum. */
export function toReviewRequest(
  { trade, quote, impactBps }: FormQuote,
  state: SwapFormState,
  slippageBps: number,
  network: Network | undefined,
  floor = 0n,
): Omit<Plan, 'account' | 'request'> {
  const { receiver } = state
  // Direct swaps always fill.
  const allowPartialFill = state.allowPartialFill && !isDirect(state, network)
  const said = toMinimum(state, quote.returns, slippageBps, network)
  const atLeast = said > floor ? said : floor
  return {
    trade,
    slippageBps,
    ...toOptions(state, network),
    ...(receiver && { receiver }),
    ...(allowPartialFill && { allowPartialFill }),
    ...(atLeast > 0n && { atLeast }),
    ...(typeof impactBps === 'number' && { impactBps }),
  }
}

/** Minimum shown by the form; 0 when unknown. */
function toMinimum(
  state: SwapFormState,
  returns: bigint,
  slippageBps: number,
  network: Network | undefined,
): bigint {
  const { side, sell, buy } = state
  if (sell && buy && network && isWrap({ sell: sell.address, buy: buy.address }, network)) return 0n
  const amount = typedAmount(state)
  if (side === 'buy') return typeof amount === 'bigint' ? amount : 0n
  // The quote excludes the token's transfer tax.
  return sell?.taxed || buy?.taxed ? 0n : computeMinReturn(returns, slippageBps)
}

function isDirect({ source }: Pick<SwapFormState, 'source'>, network: Network | undefined): boolean {
  return network !== undefined && getSwapSource(network, source) === 'direct'
}

function toOptions(state: SwapFormState, network: Network | undefined): { options?: RouteOptions } {
  const options = toRouteOptions(state, network)
  return options ? { options } : {}
}

/** Direct swaps know no option of the service. */
export function toRouteOptions(
  state: Pick<SwapFormState, 'source' | 'excluded'>,
  network: Network | undefined,
): RouteOptions | undefined {
  // A service added later must not take over a swap under way.
  if (isDirect(state, network)) return { source: 'direct' }
  const { excluded } = state
  const { options } = network ?? {}
  if (excluded.length === 0) return options
  const excludedProtocols = [...new Set([...(options?.excludedProtocols ?? []), ...excluded])]
  return { ...options, excludedProtocols }
}

const ownTerms: Pick<SwapFormState, 'slippageBps' | 'receiver' | 'excluded' | 'allowPartialFill' | 'source'> =
  {
    slippageBps: undefined,
    receiver: undefined,
    excluded: [],
    allowPartialFill: false,
    source: undefined,
  }

export const emptyForm: Omit<SwapFormState, 'chainId'> = {
  sell: undefined,
  buy: undefined,
  text: '',
  side: 'sell',
  kept: undefined,
  swapId: undefined,
  ...ownTerms,
}

function toDraft(state: SwapFormState): Draft | undefined {
  const { chainId, sell, buy, text, side, swapId } = state
  const { slippageBps, receiver, excluded, allowPartialFill, source } = state
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
    ...(source && { source }),
  }
}
