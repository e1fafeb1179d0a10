import type { StateOverride } from 'viem'
import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import { paymentsOf } from '../routing/payments.ts'
import type { Service } from '../service.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import type { Plan } from './quote.ts'
import type { SwapRequest } from './request.ts'
import { findFeeOnTransfer, type Transfer } from './simulate.ts'

/** Returns a token that charges for transfers. Fees may depend on accounts, so every transfer is tried. */
export function findTaxedToken(
  { config, node }: Service,
  request: SwapRequest,
  { route, block }: Plan,
  override: StateOverride,
): Promise<Address | undefined> {
  const { sell, from, receiver, referrer, amount, usePermit2 } = request
  const { router } = config
  const spender = usePermit2 ? config.permit2 : router
  // The second is for an allowance that a permit sets, where the first fails.
  const pulls = (to: Address, amount: bigint): Transfer[] => {
    const pulled = { token: sell, from, to, amount }
    return [{ ...pulled, spender }, pulled]
  }
  const traded = paymentsOf(route).flatMap(({ edge, kind, payer, payee }): Transfer[] => {
    const [input, output] = [route.tokens[edge.from], route.tokens[edge.to]]
    if (input === undefined || output === undefined || edge.pool.address === config.wrapped) return []
    const holder = holderOf(edge.pool)
    const isVault = spenderKinds.has(kind)
    const to = payee === 'recipient' ? receiver : payee === 'router' ? router : holderOf(payee)
    return [
      ...(payer === 'sender' ? pulls(isVault ? router : holder, edge.sold) : []),
      ...(payer === 'router' || isVault
        ? [{ token: input, from: router, to: holder, amount: edge.sold }]
        : []),
      { token: output, from: holder, to, amount: edge.bought },
    ]
  })
  const fee = amount - route.amount
  const transfers: Transfer[] = [
    ...traded,
    ...(fee > 0n && referrer !== undefined ? pulls(referrer, fee) : []),
  ]
  return findFeeOnTransfer(
    node,
    transfers.filter(({ token, from, to }) => token !== nativeTokenAddress && from !== to),
    block,
    override,
  )
}

/** Kinds that take tokens from the router by an allowance (contracts/Route.sol). */
const spenderKinds = new Set([4, 6, 9])

/** Returns the account that holds the pool's tokens. */
export function holderOf(pool: Pool): Address {
  return pool.holder ?? pool.address
}
