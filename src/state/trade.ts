import { createStore } from 'zustand/vanilla'
import { type AmountFault, formatExact, parseAmount } from '../domain/amount.ts'
import { keepDigits } from '../domain/digits.ts'
import { isNative, type Token } from '../domain/token.ts'
import type { Trade } from '../domain/trade.ts'
import type { Draft, Wallet } from '../protocol.ts'

export type TradeState = {
  chainId: number | undefined
  sell: Token | undefined
  buy: Token | undefined
  /** The amount as it was typed. */
  text: string
  /** Chosen for this trade only; without it the default of the settings holds. */
  slippageBps: number | undefined
}

/**
 * Kept back from a Max of the network's own coin so that the swap can still be paid for: 400,000 gas at 25 gwei, on the safe
 * side of an approval and a long route.
 */
export const coinReserve = 400_000n * 25n * 10n ** 9n

/** The swap form. Every change is told to the worker, so that closing the popup loses nothing. */
export function createTrade(wallet: Pick<Wallet, 'saveDraft'>, decimalMark: '.' | ',') {
  const store = createStore<TradeState>()(() => empty)

  function change(changes: Partial<TradeState>): void {
    store.setState(changes)
    const draft = draftOf(store.getState())
    // A draft that could not be kept is not worth a message: the form itself is still here.
    if (draft !== undefined) wallet.saveDraft(draft).catch(() => undefined)
  }

  const write = (amount: bigint, { decimals }: Token) =>
    formatExact(amount, decimals).replace('.', decimalMark)

  return {
    ...store,

    /** Fills the form without telling the worker: what it says came from there. */
    start: (state: TradeState) => store.setState(state, true),
    setText: (text: string) => change({ text }),
    setSlippage: (slippageBps: number | undefined) => change({ slippageBps }),

    /** Choosing the token that stands on the other side turns the pair around. */
    setSell(token: Token) {
      const { sell, buy } = store.getState()
      change({ sell: token, buy: buy?.address === token.address ? sell : buy })
    },
    setBuy(token: Token) {
      const { sell, buy } = store.getState()
      change({ buy: token, sell: sell?.address === token.address ? buy : sell })
    },

    /** Turns the pair around. What would have been bought, when known, becomes what is sold. */
    flip(returns?: bigint) {
      const { sell, buy, text } = store.getState()
      if (buy === undefined) return
      const turned = returns === undefined ? text : write(keepDigits(returns, 6), buy)
      change({ sell: buy, buy: sell, text: turned })
    },

    /**
     * Sells `percent` of `balance`; all of the network's coin keeps some back for the fee. A balance that is unknown or empty
     * has no share: what was typed stays.
     */
    setShare(percent: number, balance: bigint | undefined) {
      const { sell } = store.getState()
      if (sell === undefined || !balance) return
      change({ text: write(shareOf(percent, balance, isNative(sell.address)), sell) })
    },

    /** After a swap: the pair stays, the amount and this trade's own slippage go. */
    clear: () => change({ text: '', slippageBps: undefined }),
  }
}

/** What the form says in base units, or why it says nothing yet. */
export function amountOf({ text, sell }: TradeState): bigint | AmountFault {
  return sell === undefined ? 'empty' : parseAmount(text, sell.decimals)
}

/** The trade to ask a price for, once the form is filled. */
export function tradeOf(state: TradeState): Trade | undefined {
  const { chainId, sell, buy } = state
  const amount = amountOf(state)
  if (chainId === undefined || sell === undefined || buy === undefined) return undefined
  if (typeof amount !== 'bigint' || amount === 0n) return undefined
  return { chainId, sell: sell.address, buy: buy.address, amount }
}

/** A form that nobody filled. */
export const blank = { sell: undefined, buy: undefined, text: '', slippageBps: undefined }

const empty: TradeState = { ...blank, chainId: undefined }

function shareOf(percent: number, balance: bigint, isCoin: boolean): bigint {
  const share = (balance * BigInt(percent)) / 100n
  const most = isCoin ? balance - coinReserve : balance
  return share < most ? share : most > 0n ? most : 0n
}

function draftOf({ chainId, sell, buy, text, slippageBps }: TradeState): Draft | undefined {
  if (chainId === undefined || sell === undefined || buy === undefined) return undefined
  const draft = { chainId, sell: sell.address, buy: buy.address, amount: text }
  return slippageBps === undefined ? draft : { ...draft, slippageBps }
}
