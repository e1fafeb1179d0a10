import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import type { Address } from '../../service/config.ts'
import { tokens } from '../pools/tokens.ts'
import { type LocalnetClient, send } from './client.ts'
import { predictAddress } from './deploy.ts'

// USDT returns nothing.
const abi = parseAbi(['function transfer(address to, uint256 value)'])

/** Sends ten ETH and every token; throws on a revert. */
export async function fund(client: LocalnetClient, address: Address): Promise<void> {
  await send(client, { to: address, value: parseEther('10') })
  for (const { symbol, decimals, gift } of tokens) {
    const args = [address, gift * 10n ** BigInt(decimals)] as const
    const data = encodeFunctionData({ abi, functionName: 'transfer', args })
    await send(client, { to: predictAddress(symbol), data })
  }
}
