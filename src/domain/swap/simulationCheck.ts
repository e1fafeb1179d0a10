import { type ErrorDetails, WalletError } from '../../errors.ts'
import type { AllowanceChange, BalanceChange, Simulation } from '../activity/callBatch.ts'
import { permit2 } from '../signing/permit2.ts'
import type { Address } from '../token/token.ts'
import { unlimitedAmount } from '../token/unlimited.ts'
import { priceBelowMinReturn } from './belowFloor.ts'
import type { RouteOptions } from './routeOptions.ts'
import type { SwapIntent } from './swap.ts'

/** What the user's own node says of a swap that is about to be signed, all its transactions together. */
export type SimulationVerdict =
  /**
   * It pays `received` base units of the bought token, at least the floor, and nothing else leaves but `companions`, which move with
   * the sold token by that token's own contract.
   */
  | { status: 'matches'; received: bigint; seen: SimulatedSwap; companions?: BalanceChange[] }
  | { status: 'below-floor'; received: bigint; seen: SimulatedSwap }
  /** More leaves the account, or may be taken from it afterwards, than was agreed. */
  | { status: 'unexpected'; seen: SimulatedSwap; what: Unexpected[] }
  /** It fails, or the node cannot say. */
  | Exclude<Simulation, { status: 'succeeds' }>

/**
 * What was seen to change. `isNarrow`: the node let us look at the two tokens of the trade only. `isWeak`: contracts can tell the
 * simulation from a real block.
 */
export type SimulatedSwap = {
  changes: BalanceChange[]
  grants: AllowanceChange[]
  isNarrow?: boolean
  isWeak?: boolean
}

/** An item that leaves together with the sold token, `amount` of it. */
export type Companion = { token: Address; nft: bigint; amount: bigint }

/** What should not have happened, with the change or grant that shows it. */
export type Unexpected =
  | { kind: 'leaves'; change: BalanceChange }
  | { kind: 'grants'; grant: AllowanceChange }

/** The part of an intent that its transactions have to agree with. */
export type SwapExpectations = Pick<SwapIntent, 'account' | 'trade' | 'floor' | 'router'> & {
  /** The partner fee is one of them. */
  options?: RouteOptions | undefined
  receiver?: Address | undefined
  allowPartialFill?: boolean | undefined
  permission?: SwapIntent['permission'] | undefined
  /** The permission that was chosen cannot be had for an amount (DAI's own permit). */
  isUnlimited?: boolean | undefined
  /** What could be taken of the sold token before: by Permit2 where that is the way, else by the router. */
  allowed?: bigint | undefined
}

/**
 * Judges what all transactions of a swap were seen to do, as far as they remain, by what the user agreed to. `mirror` is the contract of
 * the sold token's items, where that is another one (ERC-7631).
 */
export function evaluateSimulation(
  simulation: Simulation,
  agreed: SwapExpectations,
  mirror?: Address,
): SimulationVerdict {
  if (simulation.status === 'reverts') {
    const received = returnedBy(simulation.facts)
    return received === undefined ? simulation : { status: 'below-floor', received, seen: nothing }
  }
  if (simulation.status === 'unknown') return simulation
  const { changes, grants, isNarrow, isWeak, arrived } = simulation
  const { account, trade, floor, receiver = account, allowPartialFill } = agreed
  const seen: SimulatedSwap = { changes, grants, ...(isNarrow && { isNarrow }), ...(isWeak && { isWeak }) }

  // Somebody else's balance is read by itself; without it nobody knows what was paid.
  const received = receiver === account ? changeOf(changes, trade.buy) : arrived
  if (received === undefined)
    return { status: 'unknown', reason: 'The node cannot read what the receiver gets' }
  const spent = -changeOf(changes, trade.sell)
  const isItem = ({ token, nft }: BalanceChange) =>
    nft !== undefined && (token.address === trade.sell || token.address === mirror)
  // Items come and go with their token, and never without it.
  const companions = spent > 0n ? changes.filter((change) => isItem(change) && change.amount < 0n) : []

  const what: Unexpected[] = [
    ...changes
      // The sold token may go down by the amount, and its own items with it. Nothing else may: no other token, no
      // item of another collection, nor the coin (its change leaves out the network's fee). Gains are welcome.
      .filter((change) => {
        const { token, nft, amount } = change
        const isSold = token.address === trade.sell && nft === undefined
        return isSold ? spent > trade.amount : amount < 0n && !companions.includes(change)
      })
      .map((change): Unexpected => ({ kind: 'leaves', change })),
    ...grants
      .filter((grant) => !isAgreed(grant, agreed, spent))
      .map((grant): Unexpected => ({ kind: 'grants', grant })),
  ]
  if (what.length > 0) return { status: 'unexpected', seen, what }

  // Of a partial fill the price counts, not the sum: as much for each unit as the floor is for the whole amount.
  const pays =
    received >= floor || (allowPartialFill && spent > 0n && received * trade.amount >= floor * spent)
  if (!pays) return { status: 'below-floor', received, seen }
  return { status: 'matches', received, seen, ...(companions.length > 0 && { companions }) }
}

/** The items that leave with the sold token, as an intent keeps what the user accepted. */
export function getCompanions(verdict: SimulationVerdict): Companion[] {
  const { companions = [] } = verdict.status === 'matches' ? verdict : {}
  return companions.flatMap(({ token, nft, amount }) =>
    nft === undefined ? [] : [{ token: token.address, nft, amount: -amount }],
  )
}

/**
 * What a swap's calldata says of itself. `isBinding`: it names all that matters, the bought token too, to a router that is known to hold
 * to it.
 */
export type CalldataTerms = { floor: bigint; isBinding: boolean }

/**
 * Throws when a swap with this verdict must not be signed. One that could not be simulated passes only when `isBinding`, and so does one
 * simulated in a block that contracts can tell from a real one. One that hides in a crowd never does: that is its contracts' doing, not the node's.
 * Of companions those leave that were `accepted`, by their ids, and no others.
 */
export function requireMatch(
  verdict: SimulationVerdict,
  { floor, isBinding }: CalldataTerms,
  accepted: Companion[],
): void {
  if (verdict.status === 'below-floor') {
    throw priceBelowMinReturn('The swap would pay', verdict.received, floor, 'promised')
  }
  if (verdict.status === 'unexpected') throw unexpected(verdict.what)
  if (verdict.status === 'reverts') {
    const { reason } = verdict
    throw new WalletError('would-fail', `The swap would fail: ${reason}.`, { reason })
  }
  if (verdict.status === 'unknown' && verdict.isCrowded) {
    const { reason } = verdict
    throw new WalletError('unexpected-change', `Nobody could look at all that it changes: ${reason}.`, {
      reason,
    })
  }
  if (verdict.status === 'matches') {
    const surprise = verdict.companions?.find((change) => !isAccepted(change, accepted))
    if (surprise !== undefined) throw unexpected([{ kind: 'leaves', change: surprise }])
  }
  const isWhole = verdict.status === 'matches' && !verdict.seen.isNarrow && !verdict.seen.isWeak
  if (isBinding || isWhole) return
  const reason = verdict.status === 'unknown' ? verdict.reason : 'Contracts can tell it from a real block'
  throw new WalletError(
    'unsafe-transaction',
    `It could not be tried out, and what it says of itself binds nobody: ${reason}.`,
    { fact: 'untried', reason },
  )
}

function isAccepted({ token, nft, amount }: BalanceChange, accepted: Companion[]): boolean {
  return accepted.some((one) => one.token === token.address && one.nft === nft && -amount <= one.amount)
}

function changeOf(changes: BalanceChange[], address: Address): bigint {
  return changes
    .filter(({ token, nft }) => token.address === address && nft === undefined)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/**
 * Whether `grant` is what the user gave the router, or Permit2, less what was taken of it by now. What could be taken before is no new
 * grant: many tokens log what is left of an allowance with each transfer.
 */
function isAgreed(
  { token, nft, spender, amount }: AllowanceChange,
  agreed: SwapExpectations,
  spent: bigint,
): boolean {
  const { trade, router, permission, allowed = 0n } = agreed
  if (token.address !== trade.sell || nft !== undefined || amount === 'all') return false
  const viaPermit2 = permission?.via === 'permit2'
  const holder = viaPermit2 ? permit2 : router
  if (spender === holder && amount <= allowed) return true
  if (spender === permit2 && viaPermit2) return amount <= rest(permission.amount, spent)
  if (spender !== router) return false
  // With Permit2 the router's grant is the one inside it, which is signed for the amount alone.
  if (permission?.via === 'approve') return amount <= rest(permission.amount, spent)
  return amount <= rest(agreed.isUnlimited ? unlimitedAmount : trade.amount, spent)
}

/** Tokens do not count down from unlimited. */
function rest(granted: bigint, spent: bigint): bigint {
  return granted === unlimitedAmount ? unlimitedAmount : granted - spent
}

/** Why what was seen is not signed, by the first of what should not have happened. */
export function unexpected([first]: Unexpected[]): WalletError {
  if (first?.kind === 'grants') {
    const { token, spender, amount } = first.grant
    return new WalletError('unexpected-change', `${spender} could take ${token.symbol} afterwards.`, {
      kind: 'grants',
      token: token.address,
      symbol: token.symbol,
      amount: String(amount),
      spender,
    })
  }
  const { token, nft, amount = 0n } = first?.change ?? {}
  const what = nft === undefined ? `${-amount} base units` : `${-amount} of item ${nft}`
  return new WalletError('unexpected-change', `${what} of ${token?.symbol} would leave, too.`, {
    kind: 'leaves',
    token: token?.address ?? '',
    symbol: token?.symbol ?? '',
    amount: String(-amount),
  })
}

const nothing: SimulatedSwap = { changes: [], grants: [] }

const floorErrors: (string | undefined)[] = ['ReturnTooLow', 'FillTooLow', 'ReturnAmountIsNotEnough']

/**
 * What the router said that it would have returned, when it refused for that: the floor at work. Of a partial fill, what all would have
 * brought at its price, as the floor is for all. Undefined for any other failure.
 */
export function returnedBy(facts: ErrorDetails = {}): bigint | undefined {
  const { error, returned = '', spent = '1', amount = '1' } = facts
  if (!floorErrors.includes(error) || ![returned, spent, amount].every((text) => /^\d+$/.test(text)))
    return undefined
  return BigInt(spent) === 0n ? 0n : (BigInt(returned) * BigInt(amount)) / BigInt(spent)
}

/** The same, met by an estimate. */
export function priceMoved(facts: ErrorDetails): WalletError | undefined {
  const returned = returnedBy(facts)
  if (returned === undefined) return undefined
  return priceBelowMinReturn(
    'The price moved: the swap would return',
    returned,
    facts.minimum ?? '',
    'promised',
  )
}
