import type { Address } from '../../service/config.ts'
import { readBuild } from './artifacts.ts'
import type { ContractName, Plan } from './deploy.ts'
import { readPackageContract } from './packageContracts.ts'

const names = ['composableFees', 'composableFactory', 'composableRate'] as const

export type ComposableContract = (typeof names)[number]

/** Creates the composable stable pools. */
export const composableOwner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed0ba2'

const tasks = '@balancer-labs/v2-deployments/dist/tasks'

/** The third version of Balancer's composable stable pools, and a rate that anyone may set. */
export function composablePlans(predict: (name: ContractName) => Address): Plan[] {
  const from = composableOwner
  const vault = () => predict('vault')
  return [
    {
      ...{ name: 'composableFees', from },
      build: () =>
        readBuild(
          `${tasks}/20220725-protocol-fee-percentages-provider/artifact/ProtocolFeePercentagesProvider.json`,
        ),
      args: () => [vault(), 10n ** 18n, 10n ** 18n],
    },
    {
      ...{ name: 'composableFactory', from },
      build: () =>
        readBuild(`${tasks}/20230206-composable-stable-pool-v3/artifact/ComposableStablePoolFactory.json`),
      args: () => [vault(), predict('composableFees'), 'Factory 3', 'Pool 3'],
    },
    {
      ...{ name: 'composableRate', from },
      build: () => readPackageContract('FixedRate'),
      args: () => [],
    },
  ]
}

export function composableContracts(
  predict: (name: ContractName) => Address,
): Record<ComposableContract, Address> {
  return Object.fromEntries(names.map((name) => [name, predict(name)])) as Record<ComposableContract, Address>
}
