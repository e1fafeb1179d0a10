import { size } from 'viem'
import type { Call } from '../../domain/activity/callBatch.ts'
import type { Simulation } from '../../domain/activity/simulation.ts'
import { larger } from '../../domain/bounds.ts'
import { simulationReasons } from '../../domain/swap/simulationReasons.ts'
import type { Address } from '../../domain/token/token.ts'
import { readFees } from '../fees.ts'
import { toQuantity, toRpcCall } from '../rpc/call.ts'
import type { RpcError } from '../rpc/errorObject.ts'
import { type CallResult, type Call as Read, readNumber } from '../rpc/multicall.ts'
import { isReaderMissing, toReturned } from '../rpc/reader.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { runWithAmpleGas } from './ampleGas.ts'
import { getHeader, toBlockContexts } from './blockContext.ts'
import { createCallProbe } from './ethCallSimulation.ts'
import {
  cannotPay,
  createSimulationBackend,
  isBlockLost,
  isTooHeavy,
  type PaidCall,
  resultTooLong,
  type SimulatedCall,
  type SimulationBackend,
  type SimulationContext,
} from './simulationBackend.ts'
import {
  balancesUnread,
  insufficientFunds,
  reverts,
  tooComplex,
  tryFirst,
  withoutGas,
} from './unsimulated.ts'
import {
  type AllowanceProbe,
  type BalanceProbe,
  findAllowanceProbes,
  findBalanceProbes,
  toBalanceProbe,
} from './watchedBalances.ts'
import { getRealBlock } from './witness.ts'
import { findWorstCase, measure, type ReadToken } from './worstCase.ts'

export type SimulateRequest = {
  tokenOf?: ReadToken
  /** Tokens to read without logs. */
  tokens?: Address[]
  /** Another account whose balance is read. */
  receiver?: { holder: Address; token: Address }
}

/** `gas` is empty unless all succeed. */
export type SimulationResult = { simulation: Simulation; gas: bigint[] }

type SimulateParams = SimulateRequest & { tokenOf: ReadToken }

type Place = { chainId: number; refused: Set<string> }

const maxHoldings = 100

/** Twice the limit of nodes. */
const maxData = 262_144

/**
 * Simulates `calls` in order in two plausible blocks; the outcome is the worse of both. Falls back to
 * eth_call, for `asked.tokens` only.
 */
export async function simulate(
  rpc: Rpc,
  from: Address,
  calls: Call[],
  asked: SimulateParams,
  place: Place,
): Promise<SimulationResult> {
  if (calls.reduce((sum, { data }) => sum + size(data), 0) > maxData)
    return tooComplex(simulationReasons.tooMuchData)
  let backends = await createTrials(rpc, from, place)
  let found = await observe(backends, from, calls, asked)
  if ('refusal' in found && isBlockLost(found.refusal)) {
    // Reorg.
    backends = await createTrials(rpc, from, place)
    found = await observe(backends, from, calls, asked)
  }
  if (!('refusal' in found)) return found
  if (found.refusal === resultTooLong) return tooComplex(simulationReasons.tooManyLogs)
  if (isTooHeavy(found.refusal)) return tooComplex(simulationReasons.tooMuchGas)
  const alone = await tryFirst(rpc, from, calls, found.refusal)
  const [backend] = backends
  if (alone.status !== 'unknown' || asked.tokens === undefined || backend === undefined)
    return withoutGas(alone)
  const narrow = await observe([createCallProbe(rpc, from, backend)], from, calls, asked)
  return withoutGas('refusal' in narrow ? alone : narrow.simulation)
}

async function createTrials(
  rpc: Rpc,
  from: Address,
  { chainId, refused }: Place,
): Promise<SimulationBackend[]> {
  const [fees, header] = await Promise.all([readFees(rpc), getHeader(rpc)])
  const create = (context: Omit<SimulationContext, 'refused'>) =>
    createSimulationBackend(rpc, from, fees, { ...context, refused })
  if (header === undefined) {
    const { baseFeePerGas, isLegacy } = fees
    const overrides = isLegacy ? {} : { baseFeePerGas: toQuantity(baseFeePerGas) }
    return [create({ block: 'latest', overrides })]
  }
  const real = await getRealBlock(rpc, header)
  const { block, contexts } = toBlockContexts(header, fees, { chainId, nowMs: Date.now(), real })
  return contexts.map((context) => create({ block, ...context }))
}

/**
 * Any contract may write any log, so balances and allowances are read before and after. Gas, fees and block
 * context are realistic, to hide the simulation from contracts; docs/security/swap-checks.md lists the rest.
 */
async function observe(
  backends: SimulationBackend[],
  from: Address,
  calls: Call[],
  asked: SimulateParams,
): Promise<SimulationResult | { refusal: RpcError }> {
  const { tokens = [], receiver } = asked
  const isNarrow = backends.some((backend) => backend.isNarrow)
  const plain = calls.map(({ gas: _limit, ...call }) => toRpcCall({ from, ...call }))
  const withLimits = (backend: SimulationBackend, limits: bigint[]) =>
    plain.map((call, index) => backend.paying(call, limits[index] ?? 0n))

  const firsts = await runWithAmpleGas(backends, calls, withLimits)
  const found: SimulatedCall[][] = []
  for (const first of firsts) {
    if ('refusal' in first) return first
    const failed = first.results.findIndex(({ status }) => status === '0x0')
    if (failed >= 0) return withoutGas(reverts(first.results, failed))
    found.push(first.results)
  }

  const theirs = receiver && { ...toBalanceProbe(receiver.token, receiver.holder), holder: receiver.holder }
  let logs = found.flat().flatMap((result) => result.logs)
  // Contracts may touch other tokens with real gas limits.
  for (let round = 0; round < 2; round++) {
    const called = calls.flatMap(({ to }) => to ?? [])
    const holdings = findBalanceProbes(logs, called, from, tokens)
    const permissions = findAllowanceProbes(logs, calls, from)
    if (holdings.length > maxHoldings || permissions.length > maxHoldings) {
      return tooComplex(simulationReasons.tooManyTokens)
    }
    const looked = (theirs ? [...holdings, theirs] : holdings).map(({ read }) => read)
    const reads = { before: looked, after: [...looked, ...permissions.map(({ read }) => read)] }
    const seconds = await Promise.all(
      backends.map((backend, at) => {
        const limits = (found[at] ?? []).map(({ gasUsed }, index) => toLimit(calls[index], index, gasUsed))
        return readAround(backend, withLimits(backend, limits), reads)
      }),
    )
    const around: Around[] = []
    for (const second of seconds) {
      if ('refusal' in second) {
        if (isBlockLost(second.refusal)) return second
        if (cannotPay(second.refusal)) return withoutGas(insufficientFunds)
        if (second.refusal === noReader) return withoutGas(balancesUnread)
        // Contracts can make reads too expensive.
        return isNarrow ? withoutGas(balancesUnread) : tooComplex(balancesUnread.reason)
      }
      // New block, or more gas needed.
      const late = second.results.findIndex(({ status }) => status === '0x0')
      if (late >= 0) return withoutGas(reverts(second.results, late))
      around.push(second)
    }
    const again = around.flatMap(({ results }) => results.flatMap((result) => result.logs))
    const known = new Set([...holdings, ...permissions].map(readKey))
    const touched = [...findBalanceProbes(again, [], from), ...findAllowanceProbes(again, [], from)]
    if (touched.every((each) => known.has(readKey(each)))) {
      return conclude({ backends, around, holdings, permissions, theirs, from, asked })
    }
    logs = [...logs, ...again]
  }
  return tooComplex(simulationReasons.tokensVary)
}

type Observed = {
  backends: SimulationBackend[]
  around: Around[]
  holdings: BalanceProbe[]
  permissions: AllowanceProbe[]
  theirs: (BalanceProbe & { holder: Address }) | undefined
  from: Address
  asked: SimulateParams
}

async function conclude({ backends, around, holdings, permissions, theirs, from, asked }: Observed) {
  const isNarrow = backends.some((backend) => backend.isNarrow)
  const measured = []
  for (const [at, { starts, results, ends, lentTo }] of around.entries()) {
    const isCoinKnown = [starts[0], ends[0]].every((read) => readNumber(read) !== undefined)
    if (isNarrow && !isCoinKnown) return withoutGas(balancesUnread)
    const fee = backends[at]?.feeOf(results) ?? 0n
    const outcome = measure({ holdings, permissions, theirs, from, starts, ends, results, fee })
    // Only for the fee.
    if (lentTo !== undefined && lentTo + (outcome.amounts[0] ?? 0n) < 0n) return withoutGas(insufficientFunds)
    measured.push(outcome)
  }
  const isWeak = !isNarrow && around.some(({ isHeld }) => !isHeld)
  const worst = await findWorstCase(measured, { holdings, permissions }, asked.tokenOf)
  const simulation: Simulation = {
    status: 'succeeds',
    ...worst,
    ...(isNarrow && { isNarrow }),
    ...(isWeak && { isWeak }),
  }
  const [{ results = [] } = {}, ...others] = around
  const gas = results.map(({ gasUsed }, index) =>
    others.reduce((highest, { results }) => larger(results[index]?.gasUsed ?? 0n, highest), gasUsed),
  )
  return { simulation, gas }
}

function readKey({ read: { to, data } }: { read: Read }): string {
  return to + data
}

const noReader: RpcError = { code: 0, message: 'The node overrides no code.', data: undefined }

type Around = {
  starts: CallResult[]
  results: SimulatedCall[]
  ends: CallResult[]
  lentTo?: bigint
  isHeld: boolean
}

async function readAround(
  backend: SimulationBackend,
  calls: PaidCall[],
  { before, after }: { before: Read[]; after: Read[] },
): Promise<Around | { refusal: RpcError }> {
  const { witness } = backend
  const all = [
    ...(witness ? [witness.call] : []),
    ...before.map(backend.reading),
    ...calls,
    ...after.map(backend.reading),
  ]
  const run = await backend.run(all)
  if ('refusal' in run) return run
  const results = witness ? run.results.slice(1) : run.results
  const [begin, end] = [before.length, before.length + calls.length]
  if ([...results.slice(0, begin), ...results.slice(end)].some(isReaderMissing)) return { refusal: noReader }
  const read = (reads: Read[], results: SimulatedCall[]) =>
    reads.map((_read, index) => toReturned(results[index]))
  return {
    ...run,
    isHeld: witness?.isHeld(run.results[0]) ?? false,
    starts: read(before, results.slice(0, begin)),
    results: results.slice(begin, end),
    ends: read(after, results.slice(end)),
  }
}

/** A fifth may have been refunded (EIP-3529), and a fifth more is signed. */
function toLimit(call: Call | undefined, index: number, used: bigint): bigint {
  const ample = (used * 3n) / 2n
  return index === 0 ? (call?.gas ?? ample) : larger(call?.gas ?? 0n, ample)
}
