import { decodeFunctionData, encodeFunctionData } from 'viem/utils'
import type { ApprovalTransaction } from '../api/api.ts'
import { approvalData } from '../chain/erc20.ts'
import { readAbi } from '../domain/abi.ts'
import type { SwapIntent } from '../domain/swap.ts'
import { type Address, type Hex, isNative } from '../domain/token.ts'
import type { SwapTransaction } from '../domain/trade.ts'
import { WalletError } from '../errors.ts'

// What the service answers is read here, byte for byte, before anything is signed. What cannot be read is refused.
// Not compared: the executor, `srcReceiver` and `data`. They say how the router trades, and whatever they say our router takes
// no more than `amount` and pays no less than `minReturnAmount`, or reverts (contracts/ISwapRouter.sol).

/** The part of an intent that calldata has to agree with. */
export type Agreement = Pick<SwapIntent, 'account' | 'trade' | 'floor' | 'router'>

/** Target, calldata and coins of a transaction, before nonce and fees. */
export type Call = { to: Address; data: Hex; value: bigint }

// The general entry point that `compatibility=true` asks for, and the only one accepted: selector 0x07ed2379.
const router = readAbi([
  'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, Description desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)',
])
const swapSelector = '0x07ed2379'
const nobody: Address = '0x0000000000000000000000000000000000000000'

/**
 * Reads the calldata of `transaction` against what the user agreed to, and answers the floor found inside it, in base units of
 * the bought token. Throws a WalletError `below-floor` when that floor is too low and `unsafe-transaction` for all else.
 */
export function checkSwap(transaction: SwapTransaction, agreed: Agreement): bigint {
  const { account, trade } = agreed
  agree('sender', 'It would be sent from another account.', transaction.from, account)
  agree('router', 'It goes to another contract than the router you reviewed.', transaction.to, agreed.router)

  const { desc } = readSwap(transaction.data)
  const value = isNative(trade.sell) ? trade.amount : 0n
  agree('sell', 'It sells another token.', desc.srcToken, trade.sell)
  agree('buy', 'It buys another token.', desc.dstToken, trade.buy)
  agree('amount', 'It sells another amount.', desc.amount, trade.amount)
  agree('value', 'It sends another amount of coins along.', transaction.value, value)
  agree('flags', 'It sets flags that change how the router works.', desc.flags, 0n)
  if (desc.dstReceiver.toLowerCase() !== nobody) {
    agree('receiver', 'It pays what was bought to somebody else.', desc.dstReceiver, account)
  }
  if (desc.minReturnAmount < agreed.floor) {
    throw new WalletError(
      'below-floor',
      `The service's transaction promises ${desc.minReturnAmount}, less than the ${agreed.floor} base units you accepted.`,
      { expected: agreed.floor.toString(), found: desc.minReturnAmount.toString() },
    )
  }
  return desc.minReturnAmount
}

/** Compares the router that the service names with the one that the user pinned. */
export function checkRouter(named: Address, pinned: Address): void {
  agree('router', 'Its router is another contract than the one set for this network.', named, pinned)
}

/** Our own approval: `spender` may take exactly `amount` of `address` from the sender. Zero takes the permission back. */
export function approval(address: Address, spender: Address, amount: bigint): Call {
  return { to: address, data: approvalData(spender, amount), value: 0n }
}

/** Compares the service's approval with our own. We sign ours; a service that disagrees is not trusted with the swap. */
export function checkApproval(answer: ApprovalTransaction, ours: Call): void {
  agree('token', 'The approval it asks for is for another token.', answer.to, ours.to)
  agree('value', 'The approval it asks for sends coins along.', answer.value, ours.value)
  agree('data', 'The approval it asks for is for another spender or amount.', answer.data, ours.data)
}

function readSwap(bytes: Hex) {
  const data = bytes.toLowerCase() as Hex
  if (data.slice(0, 10) !== swapSelector) {
    throw unsafe('It calls a function that the wallet does not know.', {
      expected: swapSelector,
      found: data.slice(0, 10),
    })
  }
  const [executor, desc, route] = decodeSwap(data)
  // One value has one encoding here: bytes that decode to the same values in another way, or trail behind, are refused.
  const again = encodeFunctionData({ abi: router, functionName: 'swap', args: [executor, desc, route] })
  if (again !== data) throw unsafe('Its calldata is not encoded the plain way.')
  return { executor, desc, route }
}

function decodeSwap(data: Hex) {
  try {
    return decodeFunctionData({ abi: router, data }).args
  } catch (cause) {
    throw unsafe('Its calldata cannot be read.', {}, cause)
  }
}

function agree(fact: string, sentence: string, found: string | bigint, expected: string | bigint): void {
  if (found.toString().toLowerCase() === expected.toString().toLowerCase()) return
  throw unsafe(sentence, { fact, expected: expected.toString(), found: found.toString() })
}

function unsafe(sentence: string, facts: Record<string, string> = {}, cause?: unknown): WalletError {
  return new WalletError(
    'unsafe-transaction',
    `The service's transaction was refused. ${sentence}`,
    facts,
    cause === undefined ? {} : { cause },
  )
}
