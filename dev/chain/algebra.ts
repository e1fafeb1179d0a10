import type { Address } from '../../service/config.ts'
import { readBuild } from './artifacts.ts'
import type { ContractName, Plan } from './deploy.ts'

const names = ['algebraFactory', 'algebraDeployer', 'algebraPluginFactory', 'algebraCallee'] as const

export type AlgebraContract = (typeof names)[number]

/** Owner of the factory. */
export const algebraOwner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed5ee9'

const core = '@cryptoalgebra/integral-core/artifacts/contracts'
const plugin = '@cryptoalgebra/integral-base-plugin/artifacts/contracts'

/**
 * Algebra Integral. The plugin factory gives pools a dynamic fee once the factory names it; the callee mints
 * and swaps with its callers' tokens.
 */
export function algebraPlans(predict: (name: ContractName) => Address): Plan[] {
  const plan = (name: AlgebraContract, file: string, args: () => unknown[]): Plan => {
    return { name, from: algebraOwner, build: () => readBuild(file), args }
  }
  const factory = () => [predict('algebraFactory')]
  return [
    plan('algebraFactory', `${core}/AlgebraFactory.sol/AlgebraFactory.json`, () => [
      predict('algebraDeployer'),
    ]),
    plan('algebraDeployer', `${core}/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json`, factory),
    plan('algebraPluginFactory', `${plugin}/BasePluginV1Factory.sol/BasePluginV1Factory.json`, factory),
    plan('algebraCallee', `${core}/test/TestAlgebraCallee.sol/TestAlgebraCallee.json`, () => []),
  ]
}

export function algebraContracts(predict: (name: ContractName) => Address): Record<AlgebraContract, Address> {
  return Object.fromEntries(names.map((name) => [name, predict(name)])) as Record<AlgebraContract, Address>
}
