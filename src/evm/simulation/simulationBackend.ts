import * as v from 'valibot'
import { smaller } from '../../domain/bounds.ts'
import type { Address, Hex } from '../../domain/token/token.ts'
import { toWalletError } from '../../errors.ts'
import type { Fees } from '../fees.ts'
import { randomBytes, toQuantity, toRpcCall } from '../rpc/call.ts'
import { parseErrorObject, type RpcError } from '../rpc/errorObject.ts'
import { nativeBalanceOwner, type Call as Read } from '../rpc/multicall.ts'
import { nativeReaderCode, readerCode, toReaderCall } from '../rpc/reader.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { rpcErrorKind } from '../rpc/rpcErrorKind.ts'
import * as answers from '../rpc/schemas.ts'
import { type BlockContext, type BlockOverrides, type Refusable, unsupportedFields } from './blockContext.ts'
import { parseWitnessed, witnessCode } from './witness.ts'

export type SimulationBackend = {
  run(calls: PaidCall[]): Promise<SimulationRun>
  paying(call: PlainCall, limit: bigint): PaidCall
  asking(call: Read): PaidCall
  reading(read: Read): PaidCall
  readerState: Record<Address, { code: Hex }>
  /** Wei. */
  feeOf(results: SimulatedCall[]): bigint
  /** RPCs may ignore overrides. */
  witness?: { call: PaidCall; isHeld(result: SimulatedCall | undefined): boolean }
  blockGas?: bigint
  isNarrow?: boolean
}

/** `lentTo`: own balance, if raised by the fee. */
export type SimulationRun = { results: SimulatedCall[]; lentTo?: bigint } | { refusal: RpcError }

export type PlainCall = ReturnType<typeof toRpcCall>
export type PaidCall = PlainCall & { gas: string } & Paid

type Paid = { maxFeePerGas: string; maxPriorityFeePerGas: string } | { gasPrice: string }

export type SimulationContext = Partial<BlockContext> & {
  block: string
  overrides: BlockOverrides
  refused: Set<string>
}

export const unsupported: { refusal: RpcError } = { refusal: { code: 0, message: '', data: undefined } }

const readGas = 500_000n

/** Creates a backend on eth_simulateV1. */
export function createSimulationBackend(
  rpc: Rpc,
  from: Address,
  fees: Fees,
  context: SimulationContext,
): SimulationBackend {
  const { baseFeePerGas, maxFeePerGas, maxPriorityFeePerGas, isLegacy } = fees
  const { block, overrides, systemState = {}, isHeld, refused } = context
  const paid: Paid = isLegacy
    ? { gasPrice: toQuantity(maxFeePerGas) }
    : { maxFeePerGas: toQuantity(maxFeePerGas), maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas) }
  // Random, so contracts cannot know them.
  const asker = randomBytes(20)
  const reader = randomBytes(20)
  const observer = randomBytes(20)
  const coinReader = randomBytes(20)
  const readerState = { [reader]: { code: readerCode }, [coinReader]: { code: nativeReaderCode } }
  // A call that burns all its gas leaves the others theirs.
  const asking = ({ to, data }: Read): PaidCall => ({
    ...toRpcCall({ from: asker, to, data, value: 0n }),
    ...paid,
    gas: toQuantity(readGas),
  })

  async function attempt(calls: object[], balance?: bigint): Promise<SimulationRun> {
    // Random, so contracts cannot recognise it.
    const needed = BigInt(calls.length) * readGas * maxFeePerGas
    const spare = BigInt(randomBytes(7))
    const ownState = {
      [asker]: { balance: toQuantity(needed + spare) },
      ...readerState,
      ...(isHeld && { [observer]: { code: witnessCode } }),
      ...(balance !== undefined && { [from]: { balance: toQuantity(balance) } }),
    }
    // Remembered only once the request succeeds without them.
    const dropped = new Set(refused)
    for (;;) {
      const taken = Object.entries(overrides).filter(([field]) => !dropped.has(field))
      const blockOverrides: BlockOverrides = Object.fromEntries(taken)
      const isSystemStateSent = Object.keys(systemState).length > 0 && !dropped.has('stateDiff')
      const stateOverrides = { ...(isSystemStateSent && systemState), ...ownState }
      // No base fee without validation (geth, Anvil).
      const options = {
        blockStateCalls: [{ blockOverrides, stateOverrides, calls }],
        traceTransfers: true,
        validation: true,
      }
      const outcome = await catchUnsupported(rpc.attempt('eth_simulateV1', [options, block], blocks))
      if (!('refusal' in outcome)) {
        for (const field of dropped) refused.add(field)
        const results = outcome.result[0]?.calls
        return results?.length === calls.length ? { results } : unsupported
      }
      const { refusal } = outcome
      if (isBlockLost(refusal) || cannotPay(refusal)) return outcome
      const sent = Object.keys(blockOverrides) as Refusable[]
      const fields = unsupportedFields(refusal, isSystemStateSent ? [...sent, 'stateDiff'] : sent)
      if (fields.length === 0) return outcome
      for (const field of fields) dropped.add(field)
    }
  }

  return {
    /** Raises the balance to cover the fee, to learn the outcome. */
    async run(calls) {
      const found = await attempt(calls)
      if (!('refusal' in found) || !cannotPay(found.refusal)) return found
      const own = calls.filter((call) => call.from === from)
      const has = await rpc.ask('eth_getBalance', [from, block], answers.quantity)
      if (BigInt(own[0]?.value ?? 0) > has) return found
      const fee = own.reduce((sum, { gas }) => sum + BigInt(gas) * maxFeePerGas, 0n)
      const lent = await attempt(calls, has + fee)
      return 'refusal' in lent ? lent : { ...lent, lentTo: has }
    },
    paying: (call, limit) => ({ ...call, ...paid, gas: toQuantity(limit) }),
    asking,
    reading: (read) => {
      const target = nativeBalanceOwner(read) === undefined ? read : { ...read, to: coinReader }
      return asking(toReaderCall(reader, target))
    },
    readerState,
    feeOf(results) {
      const tipped = baseFeePerGas + maxPriorityFeePerGas
      const price = smaller(tipped, maxFeePerGas)
      return results.reduce((sum, { gasUsed }) => sum + gasUsed * price, 0n)
    },
    ...(overrides.gasLimit && { blockGas: BigInt(overrides.gasLimit) }),
    ...(isHeld && {
      witness: {
        call: asking({ to: observer, data: '0x' }),
        isHeld(result) {
          const seen = result?.status === '0x1' ? parseWitnessed(result.returnData) : undefined
          return seen !== undefined && isHeld(seen)
        },
      },
    }),
  }
}

/** Returns a refusal if the RPC cannot simulate. Rethrows if unreachable or rate limited. */
export async function catchUnsupported<Outcome>(
  outcome: Promise<Outcome>,
): Promise<Outcome | { refusal: RpcError }> {
  return outcome.catch((error: unknown) => {
    const { code, facts } = toWalletError(error)
    if (facts.isTooLong) return { refusal: resultTooLong }
    if (code === 'node-refused' || ['401', '403'].includes(facts.status ?? '')) return unsupported
    if (code !== 'node-unreachable' || facts.status === '429' || facts.rpcMessage === undefined) throw error
    return { refusal: { code: Number(facts.rpcCode), message: facts.rpcMessage, data: undefined } }
  })
}

export const resultTooLong: RpcError = { code: 0, message: 'The answer is too long.', data: undefined }

/** Matches geth's -38015, gas limits, 'execution aborted (timeout = 5s)'. */
export function isTooHeavy({ code, message }: RpcError): boolean {
  return (
    code === -38015 || /gas limit|gas cap|too much gas|execution aborted|timeout|timed out/i.test(message)
  )
}

export function isBlockLost(refusal: RpcError): boolean {
  return rpcErrorKind(refusal) === 'lost-block'
}

export function cannotPay(refusal: RpcError): boolean {
  return rpcErrorKind(refusal) === 'unaffordable'
}

export type SimulatedCall = v.InferOutput<typeof result>

// geth puts revert data into `error`, others into `returnData`.
const result = v.object({
  status: v.picklist(['0x0', '0x1']),
  returnData: answers.hex,
  gasUsed: answers.quantity,
  logs: v.array(answers.log),
  error: v.nullish(
    v.pipe(
      v.looseObject({}),
      v.transform((error) => parseErrorObject(error)),
    ),
  ),
})
const blocks = v.array(v.object({ calls: v.array(result) }))
