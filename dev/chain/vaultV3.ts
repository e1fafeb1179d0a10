import type { Address } from '../../service/config.ts'
import type { ContractName, Plan } from './deploy.ts'
import { readPackageContract } from './packageContracts.ts'

const names = [
  ...(['vaultV3Authorizer', 'vaultV3Admin', 'vaultV3Extension', 'vaultV3Fees', 'vaultV3'] as const),
  ...(['weightedV3Factory', 'stableV3Factory', 'vaultV3Operator'] as const),
] as const

export type VaultV3Contract = (typeof names)[number]

/** Deploys Balancer's v3 vault and may do everything there. */
export const vaultV3Owner: Address = '0x5eed5eed5eed5eed5eed5eed5eed5eed5eed0ba3'

const day = 86_400n

/** As on Ethereum (VaultFactory.sol): pausable for four years, and paused for half a year at most. */
const pauseWindow = 4n * 365n * day
const bufferPeriod = 180n * day
const minTradeAmount = 1_000_000n
const minWrapAmount = 1_000n

/** Protocol's part of swap fees, with 18 decimals; of yield none. */
const swapFeePart = 5n * 10n ** 17n

export function vaultV3Plans(predict: (name: ContractName) => Address): Plan[] {
  const plan = (name: VaultV3Contract, contract: string, args: () => unknown[]): Plan => {
    return { name, from: vaultV3Owner, build: () => readPackageContract(contract), args }
  }
  const vault = () => predict('vaultV3')
  const factory = (name: VaultV3Contract, contract: string) =>
    plan(name, contract, () => [vault(), pauseWindow, `${contract} 1`, `${contract.slice(0, -7)} 1`])
  return [
    plan('vaultV3Authorizer', 'OwnerAuthorizer', () => [vaultV3Owner]),
    plan('vaultV3Admin', 'VaultAdmin', () => [
      ...[vault(), pauseWindow, bufferPeriod],
      ...[minTradeAmount, minWrapAmount],
    ]),
    plan('vaultV3Extension', 'VaultExtension', () => [vault(), predict('vaultV3Admin')]),
    plan('vaultV3Fees', 'ProtocolFeeController', () => [vault(), swapFeePart, 0n]),
    plan('vaultV3', 'Vault', () => [
      ...[predict('vaultV3Extension'), predict('vaultV3Authorizer'), predict('vaultV3Fees')],
    ]),
    factory('weightedV3Factory', 'WeightedPoolFactory'),
    factory('stableV3Factory', 'StablePoolFactory'),
    plan('vaultV3Operator', 'VaultOperator', () => [vault()]),
  ]
}

export function vaultV3Contracts(predict: (name: ContractName) => Address): Record<VaultV3Contract, Address> {
  return Object.fromEntries(names.map((name) => [name, predict(name)])) as Record<VaultV3Contract, Address>
}
