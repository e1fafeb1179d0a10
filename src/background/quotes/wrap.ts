import { concatHex, numberToHex } from 'viem'
import type { Call } from '../../domain/activity/callBatch.ts'
import type { Quote, Trade } from '../../domain/swap/quote.ts'
import type { WrapKind } from '../../domain/swap/wrap.ts'
import type { Address } from '../../domain/token/token.ts'

const wrapGas = 50_000n

/** Encodes `deposit()` or `withdraw(uint256)` of WETH9. */
export function wrapCall(kind: WrapKind, wrapped: Address, amount: bigint): Call {
  if (kind === 'wrap') return { to: wrapped, data: '0xd0e30db0', value: amount }
  return { to: wrapped, data: concatHex(['0x2e1a7d4d', numberToHex(amount, { size: 32 })]), value: 0n }
}

/** `symbol` is the wrapped token's. */
export function wrapQuote(trade: Trade, symbol: string): Quote {
  const source = { name: symbol, share: 100 }
  const route = [{ token: trade.sell, hops: [{ buy: trade.buy, share: 100, sources: [source] }] }]
  return { trade, returns: trade.amount, gas: wrapGas, route }
}
