import type { Receipt } from '../../chain/answers.ts'
import type { Chain } from '../../chain/client.ts'
import { feeOf, receivedFrom } from '../../chain/transaction.ts'
import { readAbi } from '../../domain/abi/abi.ts'
import { decodeEventLog } from '../../domain/abi/abiCalls.ts'
import type { SwapIntent } from '../../domain/swap/swap.ts'
import { wrapKind } from '../../domain/swap/wrap.ts'
import { isNative } from '../../domain/token/token.ts'

// contracts/ISwapRouter.sol: `returnAmount` is by how much the receiver's balance grew.
const events = readAbi([
  'event Swapped(address indexed sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
])

/** Base units of the bought token, and of the sold one where only a part of it was. */
export type Brought = { received: bigint; isLeast?: true; spent?: bigint }

/**
 * What a mined swap brought: what the router says, else what the bought token's Transfer logs say, or for coins, which leave no logs,
 * what the block did to the receiver. Where that cannot be told, the floor was paid at least. A deposit or a withdrawal has paid the
 * amount.
 */
export async function broughtBy(
  intent: SwapIntent,
  receipt: Receipt,
  chain: Pick<Chain, 'inBlock'>,
): Promise<Brought> {
  const { account, trade, router, floor, receiver = account } = intent
  if (wrapKind(trade, router) !== undefined) return { received: trade.amount }
  for (const { address, topics, data } of receipt.logs) {
    if (address !== router) continue
    const event = decodeSwapped(topics, data)
    if (event?.sender.toLowerCase() !== account) continue
    const { returnAmount: received, spentAmount: spent } = event
    return { received, ...(spent < trade.amount && { spent }) }
  }
  if (!isNative(trade.buy)) return { received: receivedFrom(receipt, trade.buy, receiver) }
  const received = await coinsFrom(intent, receipt, chain).catch(() => undefined)
  return received !== undefined && isLikely(intent, received)
    ? { received }
    : { received: floor, isLeast: true }
}

/** Somebody else's payment in the same block cannot be told apart, but by being far more than the swap was to bring. */
function isLikely({ floor, shown, slippageBps }: SwapIntent, received: bigint): boolean {
  const most = ((shown?.returns ?? 0n) * BigInt(10_000 + slippageBps)) / 10_000n
  return received >= floor && received <= most
}

/** Undefined where the receiver sent something else in the same block, whose coins and fee are not this swap's. */
async function coinsFrom(
  { account, receiver = account }: SwapIntent,
  receipt: Receipt,
  chain: Pick<Chain, 'inBlock'>,
): Promise<bigint | undefined> {
  const { grown, sent } = await chain.inBlock(receiver, receipt.blockNumber)
  const isOwn = receiver === account
  if (sent !== (isOwn ? 1 : 0)) return undefined
  return isOwn ? grown + feeOf(receipt) : grown
}

function decodeSwapped(topics: Receipt['logs'][number]['topics'], data: Receipt['logs'][number]['data']) {
  try {
    const [signature, ...indexed] = topics
    if (signature === undefined) return undefined
    return decodeEventLog({ abi: events(), topics: [signature, ...indexed], data }).args
  } catch {
    return undefined
  }
}
