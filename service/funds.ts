import { erc20Abi } from 'viem'
import { allowance } from './approvals.ts'
import type { Address } from './config.ts'
import { ServiceError } from './errors.ts'
import type { Node } from './node.ts'
import type { SwapRequest } from './request.ts'
import type { Service } from './service.ts'
import { native } from './tokens.ts'

/** What stops the payer from paying: NOT_ENOUGH_BALANCE before NOT_ENOUGH_ALLOWANCE, or undefined when the router may take it all. */
export async function findShortfall(
  { config, node }: Service,
  { sell, from, amount, permit, forceApprove }: SwapRequest,
  blockNumber: bigint,
): Promise<ServiceError | undefined> {
  const [balance, allowed] = await Promise.all([
    readBalance(node, sell, from, blockNumber),
    allowance(node, sell, from, config.router, blockNumber),
  ])
  if (balance < amount) {
    return new ServiceError(
      'NOT_ENOUGH_BALANCE',
      `Not enough balance. Amount: ${amount}. Balance: ${balance}.`,
      [
        { type: 'amount', value: String(amount) },
        { type: 'balance', value: String(balance) },
      ],
    )
  }
  // A permit gives the allowance on the way; whether it does is seen in the simulation.
  if (allowed >= amount || permit !== undefined || forceApprove) return undefined
  const text = `Not enough allowance. Amount: ${amount}. Allowance: ${allowed}. Spender: ${config.router}.`
  return new ServiceError('NOT_ENOUGH_ALLOWANCE', text, [
    { type: 'amount', value: String(amount) },
    { type: 'allowance', value: String(allowed) },
  ])
}

async function readBalance(node: Node, token: Address, owner: Address, blockNumber: bigint): Promise<bigint> {
  if (token === native) return node.getBalance({ address: owner, blockNumber })
  const read = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const
  return node.readContract({ ...read, blockNumber })
}
