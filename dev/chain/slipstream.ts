import type { Address } from '../../service/config.ts'
import type { Build } from './artifacts.ts'
import { readOldContract } from './packageContracts.ts'

const contracts = [
  'slipstreamDesk',
  'slipstreamPool',
  'slipstreamFactory',
  'slipstreamFees',
  'slipstreamUnstakedFees',
] as const

export type SlipstreamContract = (typeof contracts)[number]

/** Owner and fee manager of the Slipstream factory. */
export const slipstreamOwner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5eea'

type Predict = (name: SlipstreamContract) => Address
type Plan = { name: SlipstreamContract; build: () => Build; args: () => unknown[]; from: Address }

/** Aerodrome's Slipstream; SlipstreamDesk (dev/oldContracts) stands in for its voter. */
export function slipstreamPlans(predict: Predict): Plan[] {
  const plan = (name: SlipstreamContract, contract: string, args: () => unknown[]): Plan => {
    return { name, from: slipstreamOwner, build: () => readOldContract(contract), args }
  }
  return [
    plan('slipstreamDesk', 'SlipstreamDesk', () => []),
    // Copied by the factory (EIP-1167).
    plan('slipstreamPool', 'CLPool', () => []),
    plan('slipstreamFactory', 'CLFactory', () => {
      return [predict('slipstreamDesk'), predict('slipstreamDesk'), predict('slipstreamPool')]
    }),
    // Adds nothing to the fees of pools that have no scaling factor of their own.
    plan('slipstreamFees', 'DynamicSwapFeeModule', () => [predict('slipstreamFactory'), 0n, 50_000n, [], []]),
    plan('slipstreamUnstakedFees', 'CustomUnstakedFeeModule', () => [predict('slipstreamFactory')]),
  ]
}

export function slipstreamContracts(predict: Predict): Record<SlipstreamContract, Address> {
  return Object.fromEntries(contracts.map((name) => [name, predict(name)])) as Record<
    SlipstreamContract,
    Address
  >
}
