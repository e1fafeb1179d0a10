import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import type { Address } from '../../service/config.ts'
import { tokens } from '../pools/tokens.ts'
import { type LocalnetClient, send } from './client.ts'
import { predictAddress } from './deploy.ts'

// USDT returns nothing.
const abi = parseAbi(['function transfer(address to, uint256 value)'])

export type Gift = { token: Address; amount: bigint }

/** Sends ten ETH and every token; throws on a revert. */
export async function fund(client: LocalnetClient, address: Address, gifts = localGifts()): Promise<void> {
  await send(client, { to: address, value: parseEther('10') })
  for (const { token, amount } of gifts) {
    const args = [address, amount] as const
    await send(client, { to: token, data: encodeFunctionData({ abi, functionName: 'transfer', args }) })
  }
}

function localGifts(): Gift[] {
  return tokens.map(({ symbol, decimals, gift }) => ({
    token: predictAddress(symbol),
    amount: gift * 10n ** BigInt(decimals),
  }))
}
