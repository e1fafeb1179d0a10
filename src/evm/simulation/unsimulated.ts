import type { Call } from '../../domain/activity/callBatch.ts'
import type { Simulation } from '../../domain/activity/simulation.ts'
import { simulationReasons } from '../../domain/swap/simulationReasons.ts'
import type { Address } from '../../domain/token/token.ts'
import { toRpcCall } from '../rpc/call.ts'
import type { RpcError } from '../rpc/errorObject.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { isBareRevert, isRevert, noReason, parseRevert } from '../rpc/rpcError.ts'
import * as answers from '../rpc/schemas.ts'
import { cannotPay, type SimulatedCall } from './simulationBackend.ts'

type Unsimulated = { simulation: Simulation; gas: [] }

/** Simulates the first call by eth_call. */
export async function tryFirst(
  rpc: Rpc,
  from: Address,
  calls: Call[],
  refusal: RpcError,
): Promise<Simulation> {
  if (cannotPay(refusal)) return insufficientFunds
  const [first] = calls.map(({ gas: _limit, ...call }) => toRpcCall({ from, ...call }))
  const outcome = await rpc.attempt('eth_call', [first, 'latest'], answers.hex)
  const isCreation = calls.some(({ to }) => to === undefined)
  const without = unknown(isCreation ? simulationReasons.creationUnsupported : simulationReasons.unsupported)
  if (!('refusal' in outcome)) return without
  if (cannotPay(outcome.refusal)) return insufficientFunds
  if (!isRevert(outcome.refusal)) return without
  return failing(calls, 0, parseRevert(outcome.refusal))
}

export const insufficientFunds: Simulation = {
  status: 'reverts',
  reason: simulationReasons.insufficientFunds,
}

function unknown(reason: string) {
  return { status: 'unknown' as const, reason }
}

export const balancesUnread = unknown(simulationReasons.balancesUnread)

/** Returns the outcome when the wallet's limits are exceeded. */
export function tooComplex(reason: string): Unsimulated {
  return withoutGas({ ...unknown(reason), isCrowded: true })
}

export function withoutGas(simulation: Simulation): Unsimulated {
  return { simulation, gas: [] }
}

export function reverts(results: SimulatedCall[], index: number): Simulation {
  const result = results[index]
  const { data = '0x', message = '' } = result?.error ?? {}
  const revert = { data: data === '0x' ? (result?.returnData ?? data) : data, message }
  return failing(results, index, parseRevert(revert))
}

function failing(
  { length }: unknown[],
  index: number,
  { reason, facts }: ReturnType<typeof parseRevert>,
): Simulation {
  const why = isBareRevert(reason) ? noReason : reason
  return { status: 'reverts', reason: length === 1 ? why : `Call ${index + 1}: ${why}`, facts }
}
