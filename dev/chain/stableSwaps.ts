import type { Address } from '../../service/config.ts'
import type { ContractName, Plan } from './deploy.ts'
import { readPackageContract } from './packageContracts.ts'

/** Contracts of dev/contracts/StableSwap*.sol. */
const contracts = {
  curveThreePool: 'CurvePool',
  curveRegistry: 'CurveRegistry',
  curveFactory: 'CurveFactory',
  curveFactoryNg: 'CurveFactoryNg',
  pancakeStableFactory: 'PancakeStableFactory',
} as const

export type StableSwapContract = keyof typeof contracts

const names = Object.keys(contracts) as StableSwapContract[]

/** Owns Curve's and PancakeSwap's stable pools. */
export const curveOwner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5ec0'

export function stableSwapPlans(predict: (name: ContractName) => Address): Plan[] {
  // As 3pool of 2020, which no factory made.
  const threePool = () => [
    ...[curveOwner, (['DAI', 'USDC', 'USDT'] as const).map(predict), 2_000n],
    ...[1_000_000n, 1n],
  ]
  return names.map((name) => ({
    ...{ name, from: curveOwner },
    build: () => readPackageContract(contracts[name]),
    args: name === 'curveThreePool' ? threePool : () => [],
  }))
}

export function stableSwapContracts(
  predict: (name: ContractName) => Address,
): Record<StableSwapContract, Address> {
  return Object.fromEntries(names.map((name) => [name, predict(name)])) as Record<StableSwapContract, Address>
}
