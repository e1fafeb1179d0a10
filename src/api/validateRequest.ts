import type { Trade } from '../domain/swap/quote.ts'
import { maxUint256 } from '../domain/token/amount.ts'
import { type Address, parseAddress } from '../domain/token/token.ts'
import { WalletError } from '../errors.ts'
import type { SwapOptions } from './client.ts'

// Limits of both versions. All throw `invalid-input` with the field.

export function checkTrade(trade: Trade, chainId: number): Trade {
  if (trade.chainId !== chainId) {
    const text = `This service is asked about chain ${chainId}, not ${trade.chainId}.`
    throw new WalletError('invalid-input', text, { field: 'chainId' })
  }
  const sell = checkAddress('sell', trade.sell)
  const buy = checkAddress('buy', trade.buy)
  if (sell === buy) throw invalidRequest('buy', 'must differ from the token that is sold')
  return { chainId, sell, buy, amount: checkAmount('amount', trade.amount, 1n) }
}

export function checkCombination({ slippageBps, leastReturn, feeBps = 0, referrer }: SwapOptions): void {
  if ((slippageBps === undefined) === (leastReturn === undefined)) {
    throw invalidRequest('slippageBps', 'and leastReturn: exactly one of the two is needed')
  }
  if (feeBps > 0 && referrer === undefined) throw invalidRequest('referrer', 'is needed when there is a fee')
}

/** Returns the address in lower case. */
export function checkAddress(field: string, address: Address): Address {
  const parsed = typeof address === 'string' ? parseAddress(address) : undefined
  if (parsed === undefined) throw invalidRequest(field, 'is not an address')
  return parsed
}

/** Requires `least` to 2^256-1. */
export function checkAmount(field: string, amount: bigint, least: bigint): bigint {
  if (typeof amount !== 'bigint' || amount < least || amount > maxUint256) {
    throw invalidRequest(field, `must be a whole amount between ${least} and 2^256-1`)
  }
  return amount
}

export function checkCount(field: string, count: number, [least, most]: readonly [number, number]): number {
  if (!Number.isInteger(count) || count < least || count > most) {
    throw invalidRequest(field, `must be a whole number between ${least} and ${most}`)
  }
  return count
}

export function checkFlag(field: string, flag: boolean): boolean {
  if (typeof flag !== 'boolean') throw invalidRequest(field, 'must be true or false')
  return flag
}

/** Requires 0 to 50 percent. */
export function checkSlippage(bps: number): number {
  return checkCount('slippageBps', bps, [0, 5_000])
}

export function mapOptional<Value, Text>(
  value: Value | undefined,
  check: (value: Value) => Text,
): Text | undefined {
  return value === undefined ? undefined : check(value)
}

export function invalidRequest(field: string, fault: string): WalletError {
  return new WalletError('invalid-input', `${field} ${fault}.`, { field })
}
