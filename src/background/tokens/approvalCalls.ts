import { encodeFunctionData, parseAbi } from 'viem'
import { permit2 } from '../../domain/signing/permit2.ts'
import type { Address, Hex } from '../../domain/token/token.ts'
import { approvalData } from '../../evm/erc20.ts'
import { once } from '../../lib/once.ts'

export type ApprovalCall = { to: Address; data: Hex; value: bigint }

/** Encodes an approval of exactly `amount`; zero revokes. */
export function approval(token: Address, spender: Address, amount: bigint): ApprovalCall {
  return { to: token, data: approvalData(spender, amount), value: 0n }
}

// github.com/Uniswap/permit2: src/AllowanceTransfer.sol.
const abi = once(() =>
  parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)']),
)

/** Encodes an approval at Permit2 with the maximum expiration; zero revokes. */
export function permit2Approval(token: Address, spender: Address, amount: bigint): ApprovalCall {
  const args = [token, spender, amount, amount > 0n ? 2 ** 48 - 1 : 0] as const
  return { to: permit2, data: encodeFunctionData({ abi: abi(), functionName: 'approve', args }), value: 0n }
}
