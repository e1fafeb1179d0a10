import type { Step, Swap } from '../swap/swap.ts'
import { type Address, type Hex, nativeTokenAddress, type Token } from '../token/token.ts'
import type { CallBatch } from './callBatch.ts'
import { isSwap } from './intent.ts'

/** Anything that the wallet sent, or tried to. */
export type Activity = Swap | CallBatch

export type ActivityKind = 'swap' | 'wrap' | 'send' | 'revoke' | 'call'

export type ActivityState = 'waiting' | 'done' | 'below-minimum' | 'failed' | 'cancelled'

/** Wrapping and unwrapping are known by their steps. What no purpose names is whatever a page wanted. */
export function activityKind(one: Activity): ActivityKind {
  if (isSwap(one)) return one.steps.some(({ kind }) => kind === 'wrap' || kind === 'unwrap') ? 'wrap' : 'swap'
  const { purpose } = one.intent
  if (purpose === undefined) return 'call'
  return purpose.kind === 'transfer' ? 'send' : 'revoke'
}

export function activityState({ outcome }: Activity): ActivityState {
  if (outcome.status === 'done' || outcome.status === 'below-minimum') return outcome.status
  if (outcome.status !== 'failed') return 'waiting'
  return outcome.code === 'cancelled' ? 'cancelled' : 'failed'
}

/** An amount of one token. */
export type ActivityAmount = { token: Address; amount: bigint }

/** What went out and what came in, as far as the wallet knows: of what failed, what was to. */
export function amountsOf(one: Activity): { out?: ActivityAmount; in?: ActivityAmount } {
  if (isSwap(one)) {
    const { outcome, intent } = one
    const { sell, buy, amount } = intent.trade
    const brought = outcome.status === 'done' || outcome.status === 'below-minimum' ? outcome : undefined
    return {
      out: { token: sell, amount: brought?.spent ?? amount },
      in: { token: buy, amount: brought?.received ?? intent.floor },
    }
  }
  const { purpose, calls } = one.intent
  if (purpose?.kind === 'transfer') return { out: { token: purpose.token, amount: purpose.amount } }
  if (purpose?.kind === 'revoke') return {}
  const coins = calls.reduce((sum, { value }) => sum + value, 0n)
  return coins > 0n ? { out: { token: nativeTokenAddress, amount: coins } } : {}
}

/** All tokens that it has to do with: what moved, and what was granted or taken back. */
export function activityTokens(one: Activity): Address[] {
  const moved = Object.values(amountsOf(one)).map(({ token }) => token)
  const { purpose } = isSwap(one) ? { purpose: undefined } : one.intent
  return purpose === undefined ? moved : [...moved, purpose.token]
}

/** Whom it went to, was taken from, or was sent to: everybody but the account and the tokens. */
export function addressesOf(one: Activity): Address[] {
  if (isSwap(one)) return one.intent.receiver === undefined ? [] : [one.intent.receiver]
  const { purpose, calls } = one.intent
  if (purpose?.kind === 'transfer') return [purpose.to]
  if (purpose?.kind === 'revoke') return [purpose.spender]
  return calls.flatMap(({ to }) => to ?? [])
}

/** Every transaction that was signed for it. */
export function transactionHashes({ steps }: Activity): Hex[] {
  return steps.flatMap(({ hash, rivals }) => rivals?.map((rival) => rival.hash) ?? hash ?? [])
}

/** The step whose transaction is sent and in no block: what may still be sped up, or cancelled. */
export function waitingStep({ steps }: Activity): Step | undefined {
  const signed = steps.findLast(({ state }) => state !== 'waiting')
  return signed?.state === 'sent' || signed?.state === 'signed' ? signed : undefined
}

/**
 * The most that it can cost, in wei: what its transactions were signed for, those in a block with what they did cost. While one remains to
 * be signed, what the user accepted for all of them.
 */
export function maxFee({ steps, intent }: Activity): bigint {
  const isSigned = steps.every(({ fee }) => fee !== undefined)
  return isSigned ? steps.reduce((sum, { fee = 0n }) => sum + fee, 0n) : intent.feeCap
}

/** What the user wants last of a step is that nothing of it happens. */
export function isCancelling({ rivals }: Step): boolean {
  return rivals?.at(-1)?.cancels === true
}

/** Nothing for a token that nobody described. */
export type GetName = (
  chainId: number,
  token: Address,
) => Pick<Token, 'symbol' | 'name' | 'decimals'> | null | undefined
