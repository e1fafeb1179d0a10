import { erc20Abi, type StateOverride } from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import type { Block } from '../engine.ts'
import { ServiceError } from '../errors.ts'
import { type Node, requireRpcError } from '../indexer/node.ts'
import type { Service } from '../service.ts'
import { nativeTokenAddress, unknownToken } from '../tokens/registry.ts'
import { findAllowanceOverride } from './allowanceSlot.ts'
import { allowance } from './approvals.ts'
import { type Grant, permit2Allowance, permit2Override } from './permit2.ts'
import type { SwapRequest } from './request.ts'

/**
 * Returns NOT_ENOUGH_BALANCE or else NOT_ENOUGH_ALLOWANCE if the payer cannot pay. With Permit2, the token's
 * allowance comes before Permit2's.
 */
export async function findShortfall(
  service: Service,
  request: SwapRequest,
  block: Block,
): Promise<ServiceError | undefined> {
  const { sell, from, amount } = request
  const [balance, layers] = await Promise.all([
    readBalance(service.node, sell, from, block.number),
    readLayers(service, request, block),
  ])
  if (balance < amount) return notEnoughBalance(amount, balance)
  const short = layers.find(({ allowed }) => allowed < amount)
  return short && notEnoughAllowance(amount, short)
}

type Layer = { spender: Address; allowed: bigint }

/** Allowances of a permit are left to the simulation. */
async function readLayers(
  { config, node }: Service,
  { sell, from, permit, usePermit2, forceApprove }: SwapRequest,
  block: Block,
): Promise<Layer[]> {
  if (sell === nativeTokenAddress || forceApprove) return []
  const ofToken = async (spender: Address): Promise<Layer> => {
    return { spender, allowed: await allowance(node, sell, from, spender, block.number) }
  }
  if (!usePermit2) return permit === undefined ? [await ofToken(config.router)] : []
  const ofPermit2 = async (): Promise<Layer> => {
    return {
      spender: config.router,
      allowed: await permit2Allowance(node, grantOf(config, sell, from), block),
    }
  }
  return Promise.all([ofToken(config.permit2), ...(permit === undefined ? [ofPermit2()] : [])])
}

/** Returns the state override of a missing approval. Throws FORCE_APPROVE_NOT_SUPPORTED. */
export async function allowanceOverride(
  { config, node }: Service,
  { sell, from, amount, usePermit2 }: SwapRequest,
  block: Block,
): Promise<StateOverride> {
  const spender = usePermit2 ? config.permit2 : config.router
  const ofToken = await findAllowanceOverride(node, sell, from, spender, amount, block.number)
  if (ofToken === undefined) {
    throw new ServiceError('FORCE_APPROVE_NOT_SUPPORTED', `forceApprove is not supported for ${sell}`)
  }
  return usePermit2 ? [...ofToken, ...permit2Override(grantOf(config, sell, from), amount)] : ofToken
}

function grantOf({ permit2, router }: ChainConfig, token: Address, owner: Address): Grant {
  return { permit2, owner, token, spender: router }
}

async function readBalance(node: Node, token: Address, owner: Address, blockNumber: bigint): Promise<bigint> {
  if (token === nativeTokenAddress) return node.getBalance({ address: owner, blockNumber })
  const read = { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] } as const
  return node.readContract({ ...read, blockNumber }).catch((error: unknown) => {
    requireRpcError(error)
    throw unknownToken(token)
  })
}

function notEnoughBalance(amount: bigint, balance: bigint): ServiceError {
  return new ServiceError(
    'NOT_ENOUGH_BALANCE',
    `Not enough balance. Amount: ${amount}. Balance: ${balance}.`,
    [
      { type: 'amount', value: String(amount) },
      { type: 'balance', value: String(balance) },
    ],
  )
}

function notEnoughAllowance(amount: bigint, { spender, allowed }: Layer): ServiceError {
  const text = `Not enough allowance. Amount: ${amount}. Allowance: ${allowed}. Spender: ${spender}.`
  return new ServiceError('NOT_ENOUGH_ALLOWANCE', text, [
    { type: 'amount', value: String(amount) },
    { type: 'allowance', value: String(allowed) },
    { type: 'spender', value: spender },
  ])
}
