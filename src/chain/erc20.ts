import { readAbi } from '../domain/abi/abi.ts'
import { encodeFunctionData } from '../domain/abi/abiCalls.ts'
import { toText } from '../domain/hex.ts'
import type { Address, Hex, Token } from '../domain/token/token.ts'
import { type Returned, readNumber } from './multicall.ts'

// EIP-20.
const abi = readAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function balanceOf(address owner)',
  'function allowance(address owner, address spender)',
  'function name()',
  'function symbol()',
  'function decimals()',
])

/** keccak256 of Transfer(address,address,uint256). */
export const transferTopic: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Calldata that lets `spender` take `amount`; 0 takes the permission back. */
export function approvalData(spender: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: abi(), functionName: 'approve', args: [spender, amount] })
}

export function transferData(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: abi(), functionName: 'transfer', args: [to, amount] })
}

export function balanceData(owner: Address): Hex {
  return encodeFunctionData({ abi: abi(), functionName: 'balanceOf', args: [owner] })
}

export function allowanceData(owner: Address, spender: Address): Hex {
  return encodeFunctionData({ abi: abi(), functionName: 'allowance', args: [owner, spender] })
}

export function labelData(label: 'name' | 'symbol' | 'decimals'): Hex {
  return encodeFunctionData({ abi: abi(), functionName: label })
}

/** A text as tokens return it: ABI-encoded, or 32 bytes filled up with zeros in contracts from before `string` was usual. */
export function readLabel(returned: Returned): string {
  if (returned === undefined) return ''
  if (returned.length === 66) return toText(returned).replace(/\0.*$/s, '')
  const length = readNumber(`0x${returned.slice(66)}`)
  if (length === undefined || length > 1_000n) return ''
  return toText(`0x${returned.slice(130, 130 + Number(length) * 2)}`)
}

/** A token as its own contract describes it, which is not much. */
export function newToken(address: Address, symbol: string, name: string, decimals: number): Token {
  return { address, symbol, name, decimals, listed: false, eip2612: false, taxed: false, tags: [] }
}
