import { decodeEventLog } from 'viem/utils'
import type { Receipt } from '../chain/answers.ts'
import { receivedFrom } from '../chain/transaction.ts'
import { readAbi } from '../domain/abi.ts'
import type { SwapIntent } from '../domain/swap.ts'
import { isNative } from '../domain/token.ts'

// contracts/ISwapRouter.sol: `returnAmount` is by how much the receiver's balance grew.
const events = readAbi([
  'event Swapped(address indexed sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
])

/**
 * What a mined swap brought, in base units of the bought token: what the router says, else what the token's Transfer logs say. A
 * router that says nothing of native coins has paid the floor at least, and no more is known.
 */
export function receivedBy({ account, trade, router, floor }: SwapIntent, receipt: Receipt): bigint {
  for (const { address, topics, data } of receipt.logs) {
    if (address !== router) continue
    const event = decodeSwapped(topics, data)
    if (event?.sender.toLowerCase() === account) return event.returnAmount
  }
  return isNative(trade.buy) ? floor : receivedFrom(receipt, trade.buy, account)
}

function decodeSwapped(topics: Receipt['logs'][number]['topics'], data: Receipt['logs'][number]['data']) {
  try {
    const [signature, ...indexed] = topics
    if (signature === undefined) return undefined
    return decodeEventLog({ abi: events, topics: [signature, ...indexed], data }).args
  } catch {
    return undefined
  }
}
