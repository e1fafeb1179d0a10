import type { Chain } from '../chain/client.ts'
import type { StepKind } from '../domain/swap.ts'
import type { Address } from '../domain/token.ts'
import type { Trade } from '../domain/trade.ts'
import { WalletError } from '../errors.ts'

/**
 * The transactions that make up `trade`, in order: an approval where the router may not take enough yet, and before it a reset
 * for tokens that refuse to change an allowance that is not zero. Throws `not-enough-balance`.
 */
export async function planSteps(
  chain: Chain,
  owner: Address,
  { sell, amount }: Trade,
  router: Address,
): Promise<{ steps: StepKind[]; coin: bigint }> {
  const { balance, allowance, coin } = await chain.position(owner, sell, router)
  if (balance < amount) {
    throw new WalletError(
      'not-enough-balance',
      `The account holds ${balance} of the ${amount} base units to sell.`,
      {
        balance: balance.toString(),
        amount: amount.toString(),
      },
    )
  }
  if (allowance >= amount) return { steps: ['swap'], coin }
  const reset = allowance > 0n && (await chain.needsReset(owner, sell, router, amount))
  return { steps: reset ? ['reset', 'approve', 'swap'] : ['approve', 'swap'], coin }
}
