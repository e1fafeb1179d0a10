import { encodeDeployData } from 'viem'
import type { Address } from '../../service/config.ts'
import type { Build } from './artifacts.ts'
import { deployer, type LocalnetClient, send } from './client.ts'

export type Placement = { address: Address; build: Build; args: readonly unknown[] }

/**
 * Deploys a contract at a chosen address: its constructor runs there as code, so that storage and immutables
 * with the own address are right. The constructor must be deterministic. Throws when it reverts.
 */
export async function placeContract(
  client: LocalnetClient,
  { address, build, args }: Placement,
): Promise<void> {
  const bytecode = encodeDeployData({ ...build, args: [...args] })
  await client.setCode({ address, bytecode })
  const { data: code = '0x' } = await client.call({ account: deployer, to: address })
  await send(client, { to: address })
  await client.setCode({ address, bytecode: code })
}
