import { getContractAddress } from 'viem'
import type { Address } from '../service/config.ts'
import { predictAddress } from './deploy.ts'
import type { Side } from './pools.ts'
import { findToken, type TokenSymbol, unitsForUsd } from './tokens.ts'

/** Balancer Vault pool to create. */
export type VaultPlan = {
  tokens: readonly TokenSymbol[]
  /** Initial dollars, all tokens together. */
  usd: number
  /** Percent of the value per token; the weights of a weighted pool. */
  parts: readonly number[]
  /** Ppm of the amount sold. */
  fee: number
} & (
  | {
      kind: 'weighted'
      /** Premium on the first token's price; below the fee, so that no free arbitrage exists. */
      skewBps: number
    }
  | { kind: 'stable'; amplification: number }
)

/** Two and three tokens with 6, 8 and 18 decimals; the stable pool is slightly unbalanced. */
export const vaultPools: readonly VaultPlan[] = [
  { kind: 'weighted', tokens: ['LINK', 'WETH'], parts: [80, 20], usd: 2_000_000, fee: 3_000, skewBps: -11 },
  {
    kind: 'weighted',
    tokens: ['WBTC', 'WETH', 'USDC'],
    parts: [50, 30, 20],
    usd: 8_000_000,
    fee: 2_500,
    skewBps: 6,
  },
  {
    kind: 'stable',
    tokens: ['USDC', 'USDT', 'DAI'],
    parts: [34, 33.5, 32.5],
    usd: 15_000_000,
    fee: 400,
    amplification: 200,
  },
]

/** Returns the amounts sorted by address, as in the Vault. */
export function vaultSides(plan: VaultPlan): (Side & { part: number })[] {
  const skew = plan.kind === 'weighted' ? plan.skewBps : 0
  const sides = plan.tokens.map((symbol, i) => {
    const part = plan.parts[i] ?? 0
    const amount = unitsForUsd(findToken(symbol), (plan.usd * part) / 100)
    return { token: predictAddress(symbol), amount: i === 0 ? amount : skewed(amount, skew), part }
  })
  return sides.sort((a, b) => (a.token < b.token ? -1 : 1))
}

function skewed(amount: bigint, bps: number): bigint {
  return (amount * BigInt(10_000 + bps)) / 10_000n
}

/** Contracts created before the first pool; the stable factory splits its pool code in two. */
const madeBefore = { weighted: 0, stable: 2 }

/** Predicts the pool's address from the factory's nonce, which starts at one (EIP-161). */
export function vaultPoolAddress(plan: VaultPlan): Address {
  const from = predictAddress(`${plan.kind}Factory`)
  const place = vaultPools.filter(({ kind }) => kind === plan.kind).indexOf(plan)
  const nonce = BigInt(1 + madeBefore[plan.kind] + place)
  return getContractAddress({ from, nonce }).toLowerCase() as Address
}

/** Returns a title such as "LINK/WETH weighted 80/20 0.3 %". */
export function vaultPoolTitle(plan: VaultPlan): string {
  const shape = plan.kind === 'weighted' ? plan.parts.join('/') : plan.amplification
  return `${plan.tokens.join('/')} ${plan.kind} ${shape} ${plan.fee / 10_000} %`
}
