import { encodeFunctionData, parseAbi } from 'viem'
import { expect } from 'vitest'
import { verifySwapCalldata } from '../../../src/background/swap/verifyCalldata.ts'
import type { SwapTransaction } from '../../../src/domain/swap/quote.ts'
import type { SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { figure } from '../figures.ts'

// Written independently of contracts/ISwapRouter.sol.
const abi = parseAbi([
  'function swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags) desc, bytes data) payable returns (uint256, uint256)',
])

export const account: Address = '0xa11ce00000000000000000000000000000000001'
export const thief: Address = '0xbad0000000000000000000000000000000000002'
export const router: Address = '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3'
const executor: Address = '0xe1ec000000000000000000000000000000000005'
export const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
export const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
export const zero: Address = '0x0000000000000000000000000000000000000000'

export const agreed: SwapExpectations = {
  account,
  trade: { chainId: 31337, sell: dai, buy: weth, amount: 10n ** 21n },
  floor: 5n * 10n ** 17n,
  router,
}

export const deadlines = { after: 1_000n, before: 2_201n }

export type Description = {
  srcToken: Address
  dstToken: Address
  srcReceiver: Address
  dstReceiver: Address
  amount: bigint
  minReturnAmount: bigint
  flags: bigint
}

export function answer(
  agreement: SwapExpectations = agreed,
  changes: Partial<Description> = {},
  data: Hex = '0x0102030405',
  by: Address = executor,
): SwapTransaction {
  const { trade, floor } = agreement
  const desc: Description = {
    srcToken: trade.sell,
    dstToken: trade.buy,
    srcReceiver: agreement.router,
    dstReceiver: agreement.account,
    amount: trade.amount,
    minReturnAmount: floor,
    flags: 0n,
    ...changes,
  }
  return {
    trade,
    returns: floor * 2n,
    from: agreement.account,
    to: agreement.router,
    data: encodeFunctionData({ abi, functionName: 'swap', args: [by, desc, data] }),
    value: trade.sell === nativeTokenAddress ? trade.amount : 0n,
    gas: 200_000n,
    route: [],
  }
}

export function floorOf(transaction: SwapTransaction, agreement: SwapExpectations = agreed): bigint {
  const { floor, isBinding } = verifySwapCalldata(transaction, agreement, {
    strict: true,
    isBindingRouter: true,
    deadlines,
  })
  expect(isBinding).toBe(true)
  return floor
}

export function refusal(
  transaction: SwapTransaction,
  agreement: SwapExpectations = agreed,
  strict = true,
): WalletError {
  try {
    verifySwapCalldata(transaction, agreement, { strict, isBindingRouter: true, deadlines })
  } catch (error) {
    if (error instanceof WalletError) return error
    throw error
  }
  throw new Error('The transaction was accepted.')
}

export function tellMutated(
  { accepted, refused }: { accepted: number; refused: number },
  what: string,
): void {
  figure(
    '41',
    `${accepted + refused} mutated ${what}: ${refused} refused, ${accepted} accepted that say the same`,
  )
}

type Mutation =
  | { at: number; flip: number }
  | { to: number; from: number }
  | { nudged: number; by: bigint }
  | { resize: number }

export function mutate(data: Buffer, mutation: Mutation): Buffer {
  const mutated = Buffer.alloc(data.length + ('resize' in mutation ? mutation.resize : 0))
  data.copy(mutated)
  if ('at' in mutation && mutation.at < mutated.length) mutated[mutation.at]! ^= mutation.flip
  if ('to' in mutation) {
    const word = data.subarray(4 + 32 * mutation.from, 36 + 32 * mutation.from)
    word.copy(mutated, Math.min(4 + 32 * mutation.to, mutated.length))
  }
  if ('nudged' in mutation && 36 + 32 * mutation.nudged <= data.length) {
    const next = BigInt.asUintN(256, wordOf(data, mutation.nudged) + mutation.by)
    mutated.write(next.toString(16).padStart(64, '0'), 4 + 32 * mutation.nudged, 'hex')
  }
  return mutated
}

export function wordOf(data: Buffer, index: number): bigint {
  return BigInt(`0x${data.toString('hex', 4 + 32 * index, 36 + 32 * index)}`)
}
