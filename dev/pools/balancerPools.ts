import { getContractAddress } from 'viem'
import type { Address } from '../../service/config.ts'
import { predictAddress } from '../chain/deploy.ts'
import type { Side } from './pools.ts'
import { findToken, type TokenSymbol, unitsForUsd } from './tokens.ts'

export type VaultPlan = {
  tokens: readonly TokenSymbol[]
  /** Initial total. */
  usd: number
  /** Percent of the value, or weights. */
  parts: readonly number[]
  /** Ppm. */
  fee: number
} & (
  | {
      kind: 'weighted'
      /** Premium on the first token's price; below the fee, against arbitrage. */
      skewBps: number
    }
  | { kind: 'stable'; amplification: number }
)

/** Two and three tokens, 6 to 18 decimals; the stable pool is unbalanced. */
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

/** Sorted by address, as in the Vault. */
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

/** Nonces used for the pools' code. */
const madeBefore = { weighted: 0, stable: 2 }

/** Predicts the address; nonces start at one (EIP-161). */
export function vaultPoolAddress(plan: VaultPlan): Address {
  const from = predictAddress(`${plan.kind}Factory`)
  const place = vaultPools.filter(({ kind }) => kind === plan.kind).indexOf(plan)
  const nonce = BigInt(1 + madeBefore[plan.kind] + place)
  return getContractAddress({ from, nonce }).toLowerCase() as Address
}

/** "LINK/WETH weighted 80/20 0.3 %" */
export function vaultPoolTitle(plan: VaultPlan): string {
  const shape = plan.kind === 'weighted' ? plan.parts.join('/') : plan.amplification
  return `${plan.tokens.join('/')} ${plan.kind} ${shape} ${plan.fee / 10_000} %`
}
