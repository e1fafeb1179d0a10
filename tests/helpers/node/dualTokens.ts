import { type Abi, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseEther } from 'viem'
import { readArtifact } from '../../../contracts/artifact.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../src/domain/token/token.ts'

const poolAbi = parseAbi([
  'function createPair(address, address) returns (address)',
  'function getPair(address, address) view returns (address)',
  'function mint(address) returns (uint256)',
  'function exempt(address)',
])

/** Deploys a token of contracts/test/DualToken.sol with a Uniswap V2 pool of 10,000 each with DAI. */
export async function issueDualToken(
  { client, contracts, tokens }: Localnet,
  name: string,
): Promise<Address> {
  const { abi, bytecode } = readArtifact(name)
  const { contractAddress } = await client.receiptOf(await client.deployContract({ abi, bytecode } as never))
  const token = contractAddress?.toLowerCase() as Address
  const send = (to: Address, functionName: string, args: unknown[], abi: Abi = poolAbi) =>
    client.execute({ to, data: encodeFunctionData({ abi, functionName, args }) as Hex })
  const pair = [token, tokens.DAI] as const
  await send(contracts.v2Factory, 'createPair', [...pair])
  const pool = await client.readContract({
    address: contracts.v2Factory,
    abi: poolAbi,
    functionName: 'getPair',
    args: pair,
  })
  await send(token, 'exempt', [pool])
  for (const one of pair) await send(one, 'transfer', [pool, parseEther('10000')], erc20Abi)
  await send(pool, 'mint', [pool])
  return token
}

export async function giveToken(
  { client }: Localnet,
  token: Address,
  to: Address,
  units: number,
): Promise<void> {
  const args = [to, parseEther(String(units))] as const
  await client.execute({
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  })
}
