import { type Address, parseEther as ether, parseAbi } from 'viem'
import { converter, type Hop } from './fuzz/ask.ts'
import type { Stage } from './stage.ts'

/** contracts/README.md */
export const [deposit, redeem, wrapShares, unwrapShares, sellGem, buyGem] = [0, 1, 2, 3, 4, 5] as const

const wad = 10n ** 18n
/** Base units of DAI per unit of USDC. */
const perGem = 10n ** 12n

const views = parseAbi([
  'function previewDeposit(uint256) view returns (uint256)',
  'function previewRedeem(uint256) view returns (uint256)',
  'function getWstETHByStETH(uint256) view returns (uint256)',
  'function getStETHByWstETH(uint256) view returns (uint256)',
])

export function hop(pool: Address, form: number, from = 0, more: Partial<Hop> = {}): Hop {
  return { kind: converter, from, to: from + 1, pool, fee: form, ...more }
}

export function view(
  { client }: Pick<Stage, 'client'>,
  address: Address,
  functionName: (typeof views)[number]['name'],
  amount: bigint,
): Promise<bigint> {
  return client.readContract({ address, abi: views, functionName, args: [amount] })
}

/** DssLitePsm.sellGem with the localnet's fee of 0.1 %. */
export const daiFor = (gems: bigint) => gems * perGem - (gems * perGem * 10n ** 15n) / wad

/** Price of `gems` by DssLitePsm.buyGem with the localnet's fee of 0.08 %. */
export const daiOf = (gems: bigint) => gems * perGem + (gems * perGem * 8n * 10n ** 14n) / wad

/** Returns the most gems that `dai` pays for. */
export function gemsFor(dai: bigint): bigint {
  let gems = dai / perGem
  while (daiOf(gems) > dai) gems -= (daiOf(gems) - dai) / (2n * perGem) + 1n
  while (daiOf(gems + 1n) <= dai) gems++
  return gems
}

export type Conversion = {
  form: number
  pool: Address
  tokens: readonly [sold: Address, bought: Address]
  /** One whole token. */
  unit: bigint
  /** True if tokens move in whole shares. */
  isRounded: boolean
  /** The contract's own answer; of peg modules their formula. */
  told(amount: bigint): bigint | Promise<bigint>
}

/** Returns a conversion of each form on the localnet. */
export function conversions(stage: Pick<Stage, 'client' | 'contracts' | 'tokens'>): Conversion[] {
  const { savingsVault: vault, pooledShares: pooled, wrappedShares: wrapped, pegModule } = stage.contracts
  const { USDC, DAI } = stage.tokens
  const ask = (pool: Address, name: (typeof views)[number]['name']) => (amount: bigint) =>
    view(stage, pool, name, amount)
  const plain = { unit: wad, isRounded: false }
  return [
    { ...plain, form: deposit, pool: vault, tokens: [DAI, vault], told: ask(vault, 'previewDeposit') },
    { ...plain, form: redeem, pool: vault, tokens: [vault, DAI], told: ask(vault, 'previewRedeem') },
    {
      ...{ unit: wad, isRounded: true, form: wrapShares, pool: wrapped, tokens: [pooled, wrapped] },
      told: ask(wrapped, 'getWstETHByStETH'),
    },
    {
      ...{ unit: wad, isRounded: true, form: unwrapShares, pool: wrapped, tokens: [wrapped, pooled] },
      told: ask(wrapped, 'getStETHByWstETH'),
    },
    { ...plain, form: sellGem, pool: pegModule, tokens: [USDC, DAI], unit: 10n ** 6n, told: daiFor },
    { ...plain, form: buyGem, pool: pegModule, tokens: [DAI, USDC], told: gemsFor },
  ]
}

export function askOf({ form, pool, tokens }: Pick<Conversion, 'form' | 'pool' | 'tokens'>) {
  return { tokens, hops: [hop(pool, form)], amount: form === sellGem ? 10n ** 9n : ether('10') }
}
