import * as v from 'valibot'
import { toHex } from '../domain/hex.ts'
import type { Address } from '../domain/token/token.ts'
import { type ErrorCode, toWalletError } from '../errors.ts'
import * as answers from './answers.ts'
import { wireCall } from './call.ts'
import { type Fees, least } from './fees.ts'
import type { Call as Read } from './multicall.ts'
import { readRefusal } from './refusal.ts'
import type { Refusal, Rpc } from './rpc.ts'

/** A block to try calls in, as the next one will be. */
export type Trial = {
  run(calls: Wire[]): Promise<Run>
  /** A call of the account, with what it will be signed with. */
  paying(call: Plain, limit: bigint): Wire
  /** A read of somebody whom no contract knows. */
  reading(read: Read): Wire
  /** What calls of the account cost in that block. */
  feeOf(results: Result[]): bigint
  /** Nobody tells what took part. */
  isNarrow?: boolean
}

/** `lentTo` is what the account has itself, where it was lent the fee. */
export type Run = { results: Result[]; lentTo?: bigint } | { refusal: Refusal }

export type Plain = ReturnType<typeof wireCall>
export type Wire = Plain & { gas: string; maxFeePerGas: string; maxPriorityFeePerGas: string }

/** A node that does not do it, or answers in its own way. */
export const noAnswer: { refusal: Refusal } = { refusal: { code: 0, message: '', data: undefined } }

/** A read takes some 30,000. */
const readGas = 500_000n

/** By eth_simulateV1. */
export function createTrial(rpc: Rpc, from: Address, fees: Fees): Trial {
  const { baseFeePerGas, maxFeePerGas, maxPriorityFeePerGas } = fees
  const paid = {
    maxFeePerGas: toQuantity(maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
  }
  // Nobody's account, made up anew each time so that no contract knows it.
  const reader: Address = toHex(crypto.getRandomValues(new Uint8Array(20)))

  async function attempt(calls: object[], balance?: bigint): Promise<Run> {
    // Enough for what it reads, and no sum that tells it from others.
    const needed = BigInt(calls.length) * readGas * maxFeePerGas
    const spare = BigInt(toHex(crypto.getRandomValues(new Uint8Array(7))))
    const stateOverrides = {
      [reader]: { balance: toQuantity(needed + spare) },
      ...(balance !== undefined && { [from]: { balance: toQuantity(balance) } }),
    }
    const block = { blockOverrides: { baseFeePerGas: toQuantity(baseFeePerGas) }, stateOverrides, calls }
    // Without validation there is no base fee (geth, Anvil).
    const params = [{ blockStateCalls: [block], traceTransfers: true, validation: true }, 'latest']
    const outcome = await answered(rpc.attempt('eth_simulateV1', params, blocks))
    if ('refusal' in outcome) return outcome
    const results = outcome.result[0]?.calls
    return results?.length === calls.length ? { results } : noAnswer
  }

  return {
    /** An account that cannot pay the fee is lent it: what the calls would do is worth knowing all the same. */
    async run(calls) {
      let found = await attempt(calls)
      // Of a block that is taken back meanwhile a node knows nothing any more; of the next one it does.
      if ('refusal' in found && codeOf(found.refusal) === 'node-unreachable') found = await attempt(calls)
      if (!('refusal' in found) || !cannotPay(found.refusal)) return found
      const own = calls.filter((call) => call.from === from)
      const has = await rpc.ask('eth_getBalance', [from, 'latest'], answers.quantity)
      if (BigInt(own[0]?.value ?? 0) > has) return found
      const fee = own.reduce((sum, { gas }) => sum + BigInt(gas) * maxFeePerGas, 0n)
      const lent = await attempt(calls, has + fee)
      return 'refusal' in lent ? lent : { ...lent, lentTo: has }
    },
    paying: (call, limit) => ({ ...call, ...paid, gas: toQuantity(limit) }),
    // Each read by itself, with gas of its own: a contract that burns all of it takes nobody else's answer along.
    reading: ({ to, data }) => ({
      ...wireCall({ from: reader, to, data, value: 0n }),
      ...paid,
      gas: toQuantity(readGas),
    }),
    /** EIP-1559. */
    feeOf(results) {
      const tipped = baseFeePerGas + maxPriorityFeePerGas
      const price = least(tipped, maxFeePerGas)
      return results.reduce((sum, { gasUsed }) => sum + gasUsed * price, 0n)
    },
  }
}

/** A node that answers in its own way cannot do it. */
export async function answered<Outcome>(outcome: Promise<Outcome>): Promise<Outcome | typeof noAnswer> {
  return outcome.catch((error: unknown) => {
    if (toWalletError(error).code === 'node-refused') return noAnswer
    throw error
  })
}

export function cannotPay(refusal: Refusal): boolean {
  return codeOf(refusal) === 'not-enough-gas'
}

function codeOf(refusal: Refusal): ErrorCode {
  return readRefusal(refusal, 'eth_simulateV1').code
}

function toQuantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

export type Result = v.InferOutput<typeof result>

// Geth puts a revert's data into the error, other nodes into what was returned.
const result = v.object({
  status: v.picklist(['0x0', '0x1']),
  returnData: answers.hex,
  gasUsed: answers.quantity,
  logs: v.array(answers.log),
  error: v.optional(v.object({ data: v.optional(answers.hex) })),
})
const blocks = v.array(v.object({ calls: v.array(result) }))
