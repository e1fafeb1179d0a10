import { type ErrorDetails, WalletError } from '../../errors.ts'
import type {
  AllowanceChange,
  BalanceChange,
  Companion,
  SimulatedSwap,
  Simulation,
  SimulationVerdict,
  Unexpected,
} from '../activity/simulation.ts'
import { permit2 } from '../signing/permit2.ts'
import { maxUint256 } from '../token/amount.ts'
import type { Address } from '../token/token.ts'
import { priceBelowMinReturn } from './belowMinReturn.ts'
import type { RouteOptions } from './routeOptions.ts'
import { simulationReasons } from './simulationReasons.ts'
import type { SwapIntent } from './swap.ts'

export type SwapExpectations = Pick<SwapIntent, 'account' | 'trade' | 'floor' | 'router'> & {
  options?: RouteOptions | undefined
  receiver?: Address | undefined
  allowPartialFill?: boolean | undefined
  permission?: SwapIntent['permission'] | undefined
  /** The permission has no limit (DAI). */
  isUnlimited?: boolean | undefined
  /** Allowance before, to Permit2 or the router. */
  allowed?: bigint | undefined
}

/** Checks a simulation against the agreed terms. `mirror`: contract of the sold token's items (ERC-7631). */
export function evaluateSimulation(
  simulation: Simulation,
  agreed: SwapExpectations,
  mirror?: Address,
): SimulationVerdict {
  if (simulation.status === 'reverts') {
    const received = returnedBy(simulation.facts)
    if (received !== undefined) return toBelowFloor(received)
    const reason = simulation.reason.replace(/^Call \d+: /, '')
    return routerReasons.includes(reason) ? toBelowFloor() : simulation
  }
  if (simulation.status === 'unknown') return simulation
  const { changes, grants, isNarrow, isWeak, arrived } = simulation
  const { account, trade, floor, receiver = account, allowPartialFill } = agreed
  const seen: SimulatedSwap = { changes, grants, ...(isNarrow && { isNarrow }), ...(isWeak && { isWeak }) }

  // Another recipient is read separately.
  const received = receiver === account ? toChange(changes, trade.buy) : arrived
  if (received === undefined) return { status: 'unknown', reason: simulationReasons.recipientUnread }
  const spent = -toChange(changes, trade.sell)
  const isItem = ({ token, nft }: BalanceChange) =>
    nft !== undefined && (token.address === trade.sell || token.address === mirror)
  // Items never move without their token.
  const companions = spent > 0n ? changes.filter((change) => isItem(change) && change.amount < 0n) : []

  const what: Unexpected[] = [
    ...changes
      // Only the sold token, up to the amount, and its own items may decrease. The native change excludes the
      // network fee.
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

  // A partial fill must meet the price per unit.
  const pays =
    received >= floor || (allowPartialFill && spent > 0n && received * trade.amount >= floor * spent)
  if (!pays) return { status: 'below-floor', received, seen }
  return { status: 'matches', received, seen, ...(companions.length > 0 && { companions }) }
}

export function getCompanions(verdict: SimulationVerdict): Companion[] {
  const { companions = [] } = verdict.status === 'matches' ? verdict : {}
  return companions.flatMap(({ token, nft, amount }) =>
    nft === undefined ? [] : [{ token: token.address, nft, amount: -amount }],
  )
}

/** `isBinding`: names all that matters, for a router known to comply. */
export type CalldataTerms = { floor: bigint; isBinding: boolean }

/**
 * Throws `below-floor`, `unexpected-change`, `would-fail` or `unsafe-transaction`. Without a reliable
 * simulation a swap passes only if `isBinding`; a crowded one never, since its contracts cause that. Only
 * `accepted` companions may leave.
 */
export function requireMatch(
  verdict: SimulationVerdict,
  { floor, isBinding }: CalldataTerms,
  accepted: Companion[],
): void {
  if (verdict.status === 'below-floor') {
    const { received } = verdict
    throw received === undefined
      ? priceTooLow()
      : priceBelowMinReturn('The swap would pay', received, floor, 'promised')
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

function toChange(changes: BalanceChange[], address: Address): bigint {
  return changes
    .filter(({ token, nft }) => token.address === address && nft === undefined)
    .reduce((sum, { amount }) => sum + amount, 0n)
}

/**
 * True within the given permission, minus the used amount. A previous allowance is no new grant: many tokens
 * log the rest with each transfer.
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
  // With Permit2 the inner grant is signed only for the amount.
  if (permission?.via === 'approve') return amount <= rest(permission.amount, spent)
  return amount <= rest(agreed.isUnlimited ? maxUint256 : trade.amount, spent)
}

/** Unlimited allowances do not decrease. */
function rest(granted: bigint, spent: bigint): bigint {
  return granted === maxUint256 ? maxUint256 : granted - spent
}

/** Returns the error for the first effect. */
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

/** Returns the verdict on a swap that the router rejects for minReturn. */
export function toBelowFloor(received?: bigint): Extract<SimulationVerdict, { status: 'below-floor' }> {
  const seen: SimulatedSwap = { changes: [], grants: [] }
  return { status: 'below-floor', ...(received !== undefined && { received }), seen }
}

/** Of SwapRouter02, without amounts. */
const routerReasons: (string | undefined)[] = [
  'Too little received',
  'Insufficient token',
  'Insufficient WETH9',
]

const floorErrors: (string | undefined)[] = ['ReturnTooLow', 'FillTooLow', 'ReturnAmountIsNotEnough']

/**
 * Returns the amount reported by a router that rejected for minReturn, scaled to the whole amount; undefined
 * for other failures.
 */
export function returnedBy(facts: ErrorDetails = {}): bigint | undefined {
  const { error, returned = '', spent = '1', amount = '1' } = facts
  if (!floorErrors.includes(error) || ![returned, spent, amount].every((text) => /^\d+$/.test(text)))
    return undefined
  return BigInt(spent) === 0n ? 0n : (BigInt(returned) * BigInt(amount)) / BigInt(spent)
}

/** Returns the same as an error. */
export function priceMoved(facts: ErrorDetails): WalletError | undefined {
  if (routerReasons.includes(facts.reason)) return priceTooLow()
  const returned = returnedBy(facts)
  if (returned === undefined) return undefined
  return priceBelowMinReturn(
    'The price moved: the swap would return',
    returned,
    facts.minimum ?? '',
    'promised',
  )
}

function priceTooLow(): WalletError {
  return new WalletError('below-floor', 'The price moved: the swap would return less than promised.')
}
