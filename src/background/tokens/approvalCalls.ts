import type { ApprovalTransaction } from '../../api/client.ts'
import { readAbi } from '../../domain/abi/abi.ts'
import { encodeFunctionData } from '../../domain/abi/abiCalls.ts'
import { permit2 } from '../../domain/signing/permit2.ts'
import type { Address, Hex } from '../../domain/token/token.ts'
import { approvalData } from '../../evm/erc20.ts'
import { requireEqual } from '../swap/unsafe.ts'

/** Target, calldata and coins of an approval. */
export type ApprovalCall = { to: Address; data: Hex; value: bigint }

/** Our own approval: `spender` may take exactly `amount` of `token` from the sender. Zero takes the permission back. */
export function approval(token: Address, spender: Address, amount: bigint): ApprovalCall {
  return { to: token, data: approvalData(spender, amount), value: 0n }
}

// github.com/Uniswap/permit2: src/AllowanceTransfer.sol.
const abi = readAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)'])

/** The same at Permit2, for as long as it can be. */
export function permit2Approval(token: Address, spender: Address, amount: bigint): ApprovalCall {
  const args = [token, spender, amount, amount > 0n ? 2 ** 48 - 1 : 0] as const
  return { to: permit2, data: encodeFunctionData({ abi: abi(), functionName: 'approve', args }), value: 0n }
}

/** Compares the service's approval with our own. We sign ours; a service that disagrees is not trusted with the swap. */
export function checkApproval(answer: ApprovalTransaction, ours: ApprovalCall): void {
  requireEqual('token', answer.to, ours.to)
  requireEqual('value', answer.value, ours.value)
  requireEqual('data', answer.data, ours.data)
}
