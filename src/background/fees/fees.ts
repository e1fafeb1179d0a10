import type { Call } from '../../domain/activity/callBatch.ts'
import { larger, smaller } from '../../domain/bounds.ts'
import type { Address } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { RpcCall } from '../../evm/rpc/call.ts'

/** Gas limit of an approval that cannot be estimated yet. */
export const approvalGas = 100_000n

/** Estimates gas. Throws `would-fail` if the call reverts. */
export async function estimateGas(chain: Pick<Chain, 'estimateGas'>, call: RpcCall): Promise<bigint> {
  try {
    return await chain.estimateGas(call)
  } catch (cause) {
    const { code, message, facts } = toWalletError(cause)
    if (code !== 'reverted') throw cause
    throw new WalletError('would-fail', message, facts, { cause })
  }
}

/** Ethereum's limit, for RPCs that report none. */
const usualBlockGas = 30_000_000n

type GasChain = Pick<Chain, 'estimateGas' | 'blockGasLimit'>

export async function maxCallGas(chain: Pick<Chain, 'blockGasLimit'>): Promise<bigint> {
  return (await chain.blockGasLimit()) ?? usualBlockGas
}

/**
 * Returns the gas limit: the estimate plus margin, or the requested gas if higher. Throws `would-fail`,
 * unless `mayFail` with requested gas, and `unsafe-transaction` above the block gas limit.
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

/** As `estimateCallGas`, for `used` simulated gas and a block gas limit of `most`. */
export function callGasLimit(used: bigint, most: bigint, asked = 0n): bigint {
  // An estimate of a whole block leaves no margin.
  const limit = used > most ? used : smaller(withMargin(used), most)
  const allowed = larger(limit, asked)
  checkBlockGas(allowed, most)
  return allowed
}

/** Throws `unsafe-transaction` above the block gas limit. */
export function checkBlockGas(gas: bigint, most: bigint): void {
  if (gas <= most) return
  throw new WalletError('unsafe-transaction', 'The transaction asks for more gas than a block may have.', {
    fact: 'gas',
    expected: String(most),
    found: String(gas),
  })
}

/** Exact gas of a native token transfer without code (yellow paper, appendix G). */
export const plainGas = 21_000n

/**
 * Returns the gas that a call with this limit will likely use: as simulated, or the estimate where the RPC
 * counts L1 fees or other units as gas.
 */
export function expectedCallGas(limit: bigint, used: bigint | undefined): bigint {
  const estimate = withoutMargin(limit)
  return used === undefined || estimate >= 2n * used ? estimate : smaller(used, limit)
}

function withoutMargin(limit: bigint): bigint {
  return limit === plainGas ? limit : (limit * 5n) / 6n
}

function withMargin(gas: bigint): bigint {
  return gas === plainGas ? gas : (gas * 6n) / 5n
}

/** Throws `not-enough-gas` unless `coin` wei cover value and fee. */
export function requireNativeBalance(coin: bigint, value: bigint, fee: bigint): void {
  if (coin >= value + fee) return
  throw new WalletError(
    'not-enough-gas',
    `The account holds ${coin} wei; the transaction takes ${value} and its network fee up to ${fee}.`,
    { coin: String(coin), value: String(value), fee: String(fee), missing: String(value + fee - coin) },
  )
}

/**
 * Returns the maximum fee of all steps in wei: 1.5 times the shown one, which covers three full blocks of
 * +1/8 base fee (EIP-1559).
 */
export function feeCap(networkFee: bigint): bigint {
  return (networkFee * 3n) / 2n
}
