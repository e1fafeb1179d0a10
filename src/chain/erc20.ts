import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { Address, Hex } from '../domain/token.ts'

// EIP-20.
const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
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
  return encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
}

export function balanceData(owner: Address): Hex {
  return encodeFunctionData({ abi, functionName: 'balanceOf', args: [owner] })
}

export function allowanceData(owner: Address, spender: Address): Hex {
  return encodeFunctionData({ abi, functionName: 'allowance', args: [owner, spender] })
}

export function labelData(label: 'name' | 'symbol' | 'decimals'): Hex {
  return encodeFunctionData({ abi, functionName: label })
}
