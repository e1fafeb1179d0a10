import * as v from 'valibot'
import type { Hex } from '../../domain/token/token.ts'
import type { ErrorDetails } from '../../errors.ts'
import { type RpcCall, toRpcCall } from '../rpc/call.ts'
import type { RpcError } from '../rpc/errorObject.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { isBareRevert, isRevert, parseRevert } from '../rpc/rpcError.ts'
import { hex } from '../rpc/schemas.ts'

export type Reverted = {
  hash: Hex
  block: bigint
  call: RpcCall & { gas: bigint }
  gasUsed: bigint
  /** False if an earlier transaction in the block prepared it. */
  isAlone: boolean
}

/**
 * Returns the revert reason of a mined transaction, by the same call after and before its block, then its
 * trace.
 */
export async function getMinedRevert(
  rpc: Rpc,
  { hash, block, call: { gas, ...call }, gasUsed, isAlone }: Reverted,
): Promise<{ reason: string; facts: ErrorDetails } | undefined> {
  const wire = { ...toRpcCall(call), gas: toHex(gas) }
  const callAt = async (number: bigint) => {
    const outcome = await rpc.attempt('eth_call', [wire, toHex(number)], hex)
    return 'refusal' in outcome && isRevert(outcome.refusal) ? outcome.refusal : undefined
  }
  const traceIt = async () => {
    const options = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } }
    const outcome = await rpc.attempt('debug_traceTransaction', [hash, options], trace)
    return 'refusal' in outcome ? undefined : toRefusal(outcome.result)
  }
  const asks = [() => callAt(block), ...(isAlone ? [() => callAt(block - 1n)] : []), traceIt]
  let found: ReturnType<typeof parseRevert> | undefined
  for (const ask of asks) {
    const refusal = await ask().catch(() => undefined)
    if (refusal === undefined) continue
    const read = parseRevert(refusal)
    if (!isBareRevert(read.reason)) return read
    found ??= read
  }
  // EIP-150.
  if (gasUsed * 64n >= gas * 63n) return { reason: 'out of gas', facts: {} }
  return found && Object.keys(found.facts).length > 0 ? { reason: '', facts: found.facts } : undefined
}

function toRefusal({ output, error, revertReason }: v.InferOutput<typeof trace>): RpcError | undefined {
  if (error === undefined) return undefined
  const message = revertReason === undefined ? error : `execution reverted: ${revertReason}`
  return { code: 3, message, data: output }
}

/** geth's callTracer. */
const trace = v.object({
  output: v.fallback(v.optional(hex), undefined),
  error: v.fallback(v.optional(v.string()), undefined),
  revertReason: v.fallback(v.optional(v.string()), undefined),
})

function toHex(number: bigint): Hex {
  return `0x${number.toString(16)}`
}
