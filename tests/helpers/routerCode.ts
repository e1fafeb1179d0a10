import { readFileSync } from 'node:fs'
import { createPublicClient, type Hex, http } from 'viem'
import { routerAddress } from '../../contracts/create2.ts'
import { parseConfig } from '../../service/config.ts'

export const routerChainIds = [1, 10, 56, 137, 8453, 42161, 31337]

/** Simulates the creation, which returns the runtime code. */
export async function readRouterCode(rpcUrl: string, chainId: number): Promise<Hex> {
  const file = new URL(`../../service/chains/${chainId}.json`, import.meta.url)
  const config = parseConfig(JSON.parse(readFileSync(file, 'utf8')), String(chainId))
  const { initCode } = routerAddress(config)
  const { data } = await createPublicClient({ transport: http(rpcUrl) }).call({ data: initCode })
  return data ?? '0x'
}
