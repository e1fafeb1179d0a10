import type { Simulation } from '../../domain/activity/simulation.ts'
import { type Address, isNative, nativeTokenAddress } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'

type Moved = { token: Address; amount: bigint }

/** Limits the market lookup, as a fee warning must not block. */
const patienceMs = 2_000

/** Returns the value of `amounts` in wei by the chain's own market; undefined if one cannot be valued. */
export async function worthInNative(
  chain: Pick<Chain, 'marketReturns'>,
  amounts: Moved[],
  wrapped: Address | undefined,
): Promise<bigint | undefined> {
  const isCoin = ({ token }: Moved) => isNative(token) || token === wrapped
  const coins = amounts.filter(isCoin).reduce((sum, { amount }) => sum + amount, 0n)
  const tokens = amounts.filter((one) => !isCoin(one))
  if (tokens.length === 0) return coins
  const asks = tokens.map(({ token, amount }) => ({ sell: token, buy: nativeTokenAddress, amount }))
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs))
  const returns = await Promise.race([chain.marketReturns(asks), late]).catch(() => undefined)
  let sum = coins
  for (const one of returns ?? [undefined]) {
    if (one === undefined) return undefined
    sum += one.returns
  }
  return sum
}

/** Returns the amounts leaving in a simulation, else those arriving; undefined with NFTs. */
export function movedBy(simulation: Simulation): Moved[] | undefined {
  if (simulation.status !== 'succeeds') return undefined
  const { changes } = simulation
  const leaving = changes.filter(({ amount }) => amount < 0n)
  const moved = leaving.length > 0 ? leaving : changes
  if (moved.length === 0 || moved.some(({ nft }) => nft !== undefined)) return undefined
  return moved.map(({ token, amount }) => ({ token: token.address, amount: amount < 0n ? -amount : amount }))
}
