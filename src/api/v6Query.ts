import { formatExact } from '../domain/amount.ts'
import { type Address, type Hex, isNative, parseAddress } from '../domain/token.ts'
import type { Trade } from '../domain/trade.ts'
import { WalletError } from '../errors.ts'
import type { QuoteOptions, SwapOptions } from './api.ts'
import type { Query } from './http.ts'

const largest = 2n ** 256n - 1n

/** The query of `quote`. Limits are the interface's; throws `invalid-input` naming the field that breaks one. */
export function quoteQuery(trade: Trade, options: QuoteOptions): Query {
  const src = checkAddress('sell', trade.sell)
  const dst = checkAddress('buy', trade.buy)
  if (src === dst) throw invalid('buy', 'must differ from the token that is sold')
  return {
    src,
    dst,
    amount: checkAmount('amount', trade.amount, 1n),
    protocols: given(options.protocols, (ids) => checkSources('protocols', ids)),
    // Excluding nothing is not a filter, while allowing nothing would be one.
    excludedProtocols: options.excludedProtocols?.length
      ? checkSources('excludedProtocols', options.excludedProtocols)
      : undefined,
    fee: given(options.fee, checkFee),
    gasPrice: given(options.gasPrice, (wei) => checkAmount('gasPrice', wei, 0n)),
    complexityLevel: given(options.complexityLevel, (level) => checkCount('complexityLevel', level, 0, 2)),
    parts: given(options.parts, (parts) => checkCount('parts', parts, 0, 50)),
    mainRouteParts: given(options.mainRouteParts, (parts) => checkCount('mainRouteParts', parts, 0, 10)),
    gasLimit: given(options.gasLimit, (gas) => checkCount('gasLimit', gas, 100_000, 11_500_000)),
    connectorTokens: given(options.connectorTokens, checkConnectors),
  }
}

/** The query of `swap`: that of `quote` and what only a swap needs. Throws `invalid-input` in the same way. */
export function swapQuery(trade: Trade, options: SwapOptions): Query {
  const { slippageBps, leastReturn } = options
  if ((slippageBps === undefined) === (leastReturn === undefined)) {
    throw invalid('slippageBps', 'and leastReturn: exactly one of the two is needed')
  }
  if (options.fee !== undefined && options.fee > 0 && options.referrer === undefined) {
    throw invalid('referrer', 'is needed when there is a fee')
  }
  if (options.permit !== undefined && isNative(trade.sell)) {
    throw invalid('permit', 'has no meaning for the network’s own coin')
  }
  return {
    ...quoteQuery(trade, options),
    from: checkAddress('from', options.from),
    origin: checkAddress('origin', options.origin),
    // A hundredth of a percent has at most two decimals, so the text is exact.
    slippage: given(slippageBps, (bps) => formatExact(BigInt(checkCount('slippageBps', bps, 0, 5_000)), 2)),
    minReturn: given(leastReturn, (least) => checkAmount('leastReturn', least, 1n)),
    permit: given(options.permit, checkPermit),
    receiver: given(options.receiver, (address) => checkAddress('receiver', address)),
    referrer: given(options.referrer, (address) => checkAddress('referrer', address)),
    allowPartialFill: given(options.allowPartialFill, (flag) => checkFlag('allowPartialFill', flag)),
    compatibility: given(options.compatibility, (flag) => checkFlag('compatibility', flag)),
    disableEstimate: given(options.disableEstimate, (flag) => checkFlag('disableEstimate', flag)),
    usePatching: given(options.usePatching, (flag) => checkFlag('usePatching', flag)),
    usePermit2: given(options.usePermit2, (flag) => checkFlag('usePermit2', flag)),
    forceApprove: given(options.forceApprove, (flag) => checkFlag('forceApprove', flag)),
    createAccessList: given(options.createAccessList, (flag) => checkFlag('createAccessList', flag)),
  }
}

/** `address` as the wire carries it: lower case. */
export function checkAddress(field: string, address: Address): Address {
  const parsed = typeof address === 'string' ? parseAddress(address) : undefined
  if (parsed === undefined) throw invalid(field, 'is not an address')
  return parsed
}

/** `amount`, when it is between `least` and 2^256-1. */
export function checkAmount(field: string, amount: bigint, least: bigint): bigint {
  if (typeof amount !== 'bigint' || amount < least || amount > largest) {
    throw invalid(field, `must be a whole amount between ${least} and 2^256-1`)
  }
  return amount
}

function checkCount(field: string, count: number, least: number, most: number): number {
  if (!Number.isInteger(count) || count < least || count > most) {
    throw invalid(field, `must be a whole number between ${least} and ${most}`)
  }
  return count
}

function checkFee(percent: number): number {
  const isPlain = /^\d(\.\d+)?$/.test(String(percent))
  if (typeof percent !== 'number' || !isPlain || percent > 3) {
    throw invalid('fee', 'must be a percentage between 0 and 3')
  }
  return percent
}

function checkFlag(field: string, flag: boolean): boolean {
  if (typeof flag !== 'boolean') throw invalid(field, 'must be true or false')
  return flag
}

function checkSources(field: string, ids: string[]): string {
  const areIds = Array.isArray(ids) && ids.length > 0 && ids.every((id) => /^[^\s,]+$/.test(id))
  if (!areIds) throw invalid(field, 'must name at least one liquidity source')
  return ids.join(',')
}

function checkConnectors(connectors: number | Address[]): number | string {
  if (!Array.isArray(connectors)) return checkCount('connectorTokens', connectors, 0, 5)
  if (connectors.length < 1 || connectors.length > 5) {
    throw invalid('connectorTokens', 'must be a count up to 5, or one to five tokens')
  }
  return connectors.map((token) => checkAddress('connectorTokens', token)).join(',')
}

/** Seven words are an EIP-2612 permit's arguments, eight a DAI style one's; neither has a selector. */
function checkPermit(permit: Hex): Hex {
  const words = /^0x([0-9a-fA-F]{64})+$/.test(permit) ? (permit.length - 2) / 64 : 0
  if (words !== 7 && words !== 8) throw invalid('permit', 'must be seven or eight words of hex')
  return permit
}

function given<Value, Text>(value: Value | undefined, check: (value: Value) => Text): Text | undefined {
  return value === undefined ? undefined : check(value)
}

function invalid(field: string, fault: string): WalletError {
  return new WalletError('invalid-input', `${field} ${fault}.`, { field })
}
