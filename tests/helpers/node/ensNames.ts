import { toHex } from 'viem'
import { namehash, packetToBytes } from 'viem/ens'
import type { Artifact } from '../../../contracts/artifact.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import { type Address, zeroAddress } from '../../../src/domain/token/token.ts'
import { compileFile } from '../../evm/contracts/compiled.ts'

const contracts = [
  'NameRegistry',
  'NameResolver',
  'OffchainResolver',
  'OffchainWildcardResolver',
  'TextResolver',
  'WildcardResolver',
] as const

type Named = (typeof contracts)[number]

/** ENS registry on Ethereum. */
export const registry: Address = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'

export async function createNames({ client }: Localnet) {
  const artifacts: Record<Named, Artifact> = await compileFile('Names.sol', contracts)
  const deploy = async (name: Named): Promise<Address> => {
    const { abi, bytecode } = artifacts[name]
    const receipt = await client.receiptOf(await client.deployContract({ abi, bytecode } as never))
    return receipt.contractAddress?.toLowerCase() as Address
  }
  const code = await client.getCode({ address: await deploy('NameRegistry') })
  await client.setCode({ address: registry, bytecode: code ?? '0x' })
  const resolvers = {
    plain: await deploy('NameResolver'),
    offchain: await deploy('OffchainResolver'),
    offchainWildcard: await deploy('OffchainWildcardResolver'),
    text: await deploy('TextResolver'),
    wildcard: await deploy('WildcardResolver'),
  }
  async function write(address: Address, name: Named, functionName: string, args: unknown[]): Promise<void> {
    const { abi } = artifacts[name]
    await client.receiptOf(await client.writeContract({ address, abi, functionName, args } as never))
  }

  return {
    /** Expects a normalised name. */
    async register(name: string, who: Address, kind: keyof typeof resolvers = 'plain'): Promise<void> {
      await write(registry, 'NameRegistry', 'setRecord', [namehash(name), who, resolvers[kind]])
      if (kind === 'plain') await write(resolvers.plain, 'NameResolver', 'setAddr', [namehash(name), who])
    },
    async answerBelow(name: string, who: Address): Promise<void> {
      await write(resolvers.wildcard, 'WildcardResolver', 'setAddr', [toHex(packetToBytes(name)), who])
    },
    /** The resolver has no code. */
    async misdirect(name: string): Promise<void> {
      await write(registry, 'NameRegistry', 'setRecord', [
        namehash(name),
        zeroAddress,
        `0x${'9a'.repeat(20)}`,
      ])
    },
  }
}
