import type { Build } from '../../../dev/chain/artifacts.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../src/domain/token/token.ts'

export async function deployContract(
  { client }: Pick<Localnet, 'client'>,
  { abi, bytecode }: Build,
  args: unknown[],
): Promise<Address> {
  const hash = await client.deployContract({ abi, bytecode, args } as never)
  return (await client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
}
