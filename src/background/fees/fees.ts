import type { Call } from '../../domain/activity/callBatch.ts'
import { larger, smaller } from '../../domain/bounds.ts'
import type { Address } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { RpcCall } from '../../evm/call.ts'
import type { Chain } from '../../evm/client.ts'

/** What an approval needs at most, for one that cannot be estimated because an earlier step has to be mined first. */
export const approvalGas = 100_000n

/**
 * The gas that a call takes as things stand. Throws `would-fail` for one that is about to be signed and would be reverted.
 */
export async function estimateGas(chain: Pick<Chain, 'estimateGas'>, call: RpcCall): Promise<bigint> {
  try {
    return await chain.estimateGas(call)
  } catch (cause) {
    const { code, message, facts } = toWalletError(cause)
    if (code !== 'reverted') throw cause
    throw new WalletError('would-fail', message, facts, { cause })
  }
}

/** Gas limit of a call where the node does not name that of its blocks: the one of Ethereum for years. */
const usualBlockGas = 30_000_000n

type GasChain = Pick<Chain, 'estimateGas' | 'blockGasLimit'>

/**
 * The most gas that one transaction may use: all of a block. What it may cost is another limit, the fee cap.
 */
export async function maxCallGas(chain: Pick<Chain, 'blockGasLimit'>): Promise<bigint> {
  return (await chain.blockGasLimit()) ?? usualBlockGas
}

/**
 * The gas to allow for a call of the user's own or of a page: what the node estimates with a margin, or what
 * the page asks for where that is more. A call that would fail now can be sent all the same, when the user
 * knows (`mayFail`) and the page says with how much gas. Throws `would-fail` for any other, and
 * `unsafe-transaction` for more gas than a block has.
 */
export async function estimateCallGas(
  chain: GasChain,
  from: Address,
  { gas: asked, ...call }: Call,
  mayFail: boolean,
): Promise<bigint> {
  const [used, most] = await Promise.all([
    estimateGas(chain, { from, ...call }).catch((error: unknown) => {
      if (!mayFail || asked === undefined || toWalletError(error).code !== 'would-fail') throw error
      return 0n
    }),
    maxCallGas(chain),
  ])
  return callGasLimit(used, most, asked)
}

/** The same for a call that used `used` when it was tried out, where a block has `most`. */
export function callGasLimit(used: bigint, most: bigint, asked = 0n): bigint {
  // A node that estimates all of a block leaves no room for a margin.
  const limit = used > most ? used : smaller(withMargin(used), most)
  const allowed = larger(limit, asked)
  checkBlockGas(allowed, most)
  return allowed
}

/** Throws `unsafe-transaction` for more gas than a block has. */
export function checkBlockGas(gas: bigint, most: bigint): void {
  if (gas <= most) return
  throw new WalletError('unsafe-transaction', 'The transaction asks for more gas than a block may have.', {
    fact: 'gas',
    expected: String(most),
    found: String(gas),
  })
}

/** What moves coins and runs no contract, takes this and never more (yellow paper, appendix G). */
export const plainGas = 21_000n

function withMargin(gas: bigint): bigint {
  return gas === plainGas ? gas : (gas * 6n) / 5n
}

/** Throws `not-enough-gas` unless `coin` wei pay for what a transaction takes along and for its fee. */
export function requireNativeBalance(coin: bigint, value: bigint, fee: bigint): void {
  if (coin >= value + fee) return
  throw new WalletError(
    'not-enough-gas',
    `The account holds ${coin} wei; the transaction takes ${value} and its network fee up to ${fee}.`,
    { coin: String(coin), value: String(value), fee: String(fee), missing: String(value + fee - coin) },
  )
}

/**
 * What all steps of a swap may cost, in wei, when `networkFee` was shown: half as much again. Between the review and the last
 * signature an approval has to be mined, and the base fee may rise an eighth with each block (EIP-1559): three full blocks.
 */
export function feeCap(networkFee: bigint): bigint {
  return (networkFee * 3n) / 2n
}
