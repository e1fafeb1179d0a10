import { concatHex, parseAbiItem, toEventSelector } from 'viem'
import { decodeReturned } from '../../domain/abi/decodeStrict.ts'
import { meetsMinimum } from '../../domain/swap/minimum.ts'
import { isBindingRouter } from '../../domain/swap/routers.ts'
import type { Swap, SwapIntent } from '../../domain/swap/swap.ts'
import { weth9CodeHashes, wrapKind } from '../../domain/swap/wrap.ts'
import { type Hex, isNative } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'
import type { Receipt } from '../../evm/rpc/schemas.ts'
import { amountFromLogs, receiptFee, transferredBy } from '../../evm/transaction.ts'
import { once } from '../../lib/once.ts'

// contracts/ISwapRouter.sol: `returnAmount` is the recipient's gain.
const swapped = once(() =>
  parseAbiItem('event Swapped(address indexed sender, uint256 spentAmount, uint256 returnAmount)'),
)

export type SwapResult = Extract<Swap['outcome'], { status: 'done' | 'below-minimum' }>

type Reads = Pick<Chain, 'balanceChangeInBlock' | 'codeHash'>

/**
 * Returns what a mined swap brought. Trusts events of our own router code, else Transfer logs, else balances
 * around the block; `isLeast` if none tells.
 */
export async function readSwapResult(
  intent: SwapIntent,
  receipt: Receipt,
  chain: Reads,
): Promise<SwapResult> {
  const { account, trade, router, floor, receiver = account } = intent
  const codeHash = await chain.codeHash(router).catch(() => undefined)
  const isWrap = wrapKind(trade, router) !== undefined
  if (isWrap && codeHash !== undefined && weth9CodeHashes.includes(codeHash))
    return { status: 'done', received: trade.amount }
  const event = isBindingRouter(router, trade.chainId, codeHash) ? swappedIn(intent, receipt) : undefined
  if (event) return toBrought(intent, event.returnAmount, event.spentAmount)

  const spent = await spentBy(intent, receipt, chain)
  const logged = isNative(trade.buy) ? 0n : amountFromLogs(receipt, trade.buy, receiver)
  const known = toBrought(intent, logged, spent)
  if (known.status === 'done') return known
  const grown = await grownBy(intent, receipt, chain)
  if (grown === undefined && logged === 0n) return { status: 'done', received: floor, isLeast: true }
  return toBrought(intent, grown !== undefined && grown > logged ? grown : logged, spent)
}

function toBrought(intent: SwapIntent, received: bigint, spent: bigint): SwapResult {
  const status = meetsMinimum(intent, received, spent) ? 'done' : 'below-minimum'
  return { status, received, ...(spent < intent.trade.amount && { spent }) }
}

function swappedIn({ account, router }: SwapIntent, receipt: Receipt) {
  for (const { address, topics, data } of receipt.logs) {
    if (address !== router) continue
    const event = decodeSwapped(topics, data)
    if (event?.sender === account) return event
  }
  return undefined
}

async function spentBy(intent: SwapIntent, receipt: Receipt, chain: Reads): Promise<bigint> {
  const { account, trade, allowPartialFill } = intent
  if (!allowPartialFill) return trade.amount
  const logged = isNative(trade.sell) ? 0n : -transferredBy(receipt, trade.sell, account)
  const left = logged > 0n ? logged : await fallenBy(intent, receipt, chain).catch(() => undefined)
  return left !== undefined && left >= 0n && left < trade.amount ? left : trade.amount
}

/** Some tokens log another event (ERC-404). */
async function fallenBy(
  { account, trade }: SwapIntent,
  receipt: Receipt,
  chain: Reads,
): Promise<bigint | undefined> {
  if (isNative(trade.sell)) return getCoins(account, true, receipt, chain).then((coins) => coins && -coins)
  const { grown, sent } = await chain.balanceChangeInBlock(account, receipt.blockNumber, trade.sell)
  return sent === 1 ? -grown : undefined
}

/** Undefined if unknown or mixed with other payments. */
async function grownBy(intent: SwapIntent, receipt: Receipt, chain: Reads): Promise<bigint | undefined> {
  const { account, trade, receiver = account, floor, shown, slippageBps } = intent
  const isOwn = receiver === account
  const reading = isNative(trade.buy)
    ? getCoins(receiver, isOwn, receipt, chain)
    : getBalance(intent, receipt, chain)
  const grown = await reading.catch(() => undefined)
  // Other payments in the block only show if implausibly large.
  const most = ((shown?.returns ?? floor) * BigInt(10_000 + slippageBps)) / 10_000n
  return grown === undefined || grown > most ? undefined : grown < 0n ? 0n : grown
}

/** Undefined if the account sent anything else in the block. */
async function getCoins(
  account: SwapIntent['account'],
  isSender: boolean,
  receipt: Receipt,
  chain: Reads,
): Promise<bigint | undefined> {
  const { grown, sent } = await chain.balanceChangeInBlock(account, receipt.blockNumber)
  if (sent !== (isSender ? 1 : 0)) return undefined
  return isSender ? grown + receiptFee(receipt) : grown
}

async function getBalance(
  { account, trade, receiver = account }: SwapIntent,
  receipt: Receipt,
  chain: Reads,
): Promise<bigint | undefined> {
  const { grown, sent } = await chain.balanceChangeInBlock(receiver, receipt.blockNumber, trade.buy)
  return sent === (receiver === account ? 1 : 0) ? grown : undefined
}

/** The indexed field is first and all are static, so topics and data are one encoding. */
function decodeSwapped([signature, ...topics]: Hex[], data: Hex) {
  if (signature !== toEventSelector(swapped()) || topics.length !== 1) return undefined
  try {
    const [sender, spentAmount, returnAmount] = decodeReturned(swapped().inputs, concatHex([...topics, data]))
    return { sender, spentAmount, returnAmount }
  } catch {
    return undefined
  }
}
