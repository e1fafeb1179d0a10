import type { Call, Change, Grant, Simulation } from '../domain/activity/calls.ts'
import { words } from '../domain/hex.ts'
import { type Address, native, nobody, type Token } from '../domain/token/token.ts'
import { toWalletError } from '../errors.ts'
import * as answers from './answers.ts'
import { wireCall } from './call.ts'
import type { SimulateAsk } from './client.ts'
import { newToken, transferTopic } from './erc20.ts'
import type { Fees } from './fees.ts'
import { findHoldings, findPermissions, type Holding, holdingOf, type Permission } from './holdings.ts'
import { type Call as Read, type Returned, readNumber } from './multicall.ts'
import { createProbe } from './probe.ts'
import { isRevert, readRevert } from './refusal.ts'
import type { Refusal, Rpc } from './rpc.ts'
import { cannotPay, createTrial, type Result, type Trial, type Wire } from './trial.ts'

/** `gas` is what each call used; empty unless they all succeed, and where the node has no eth_simulateV1. */
export type Simulated = { simulation: Simulation; gas: bigint[] }

export type TokenOf = (token: Address) => Promise<Token>

type Asked = SimulateAsk & { tokenOf: TokenOf }

/** More than this many tokens in one go is nobody's everyday transaction. */
const mostHoldings = 100

/** For a call whose gas limit nobody knows yet: more than nearly all use. */
const amplyGas = 5_000_000n

/**
 * What `calls`, sent one after the other, would do to `from`, by the node's eth_simulateV1. A node that has none is asked by eth_call
 * with the account's code overridden, when the caller says which tokens to look at.
 */
export async function simulate(
  rpc: Rpc,
  from: Address,
  calls: Call[],
  asked: Asked,
  fees: Fees,
): Promise<Simulated> {
  const trial = createTrial(rpc, from, fees)
  const found = await observe(trial, from, calls, asked)
  if (!('refusal' in found)) return found
  const alone = await tryFirst(rpc, from, calls, found.refusal)
  if (alone.status !== 'unknown' || asked.tokens === undefined) return withoutGas(alone)
  const narrow = await observe(createProbe(rpc, from, trial), from, calls, asked)
  return withoutGas('refusal' in narrow ? alone : narrow.simulation)
}

/**
 * Logs only tell where to look: any contract may write any log. Balances and allowances are read before and after, inside the
 * simulation. The first call's `gas` is the limit it will be signed with; later ones get what they turn out to need, or what was
 * asked for where that is more.
 *
 * A contract must not see that it is only tried out, or it would behave. So calls have the gas limit and the fees of real ones, in
 * a block with the base fee of the next.
 */
async function observe(
  trial: Trial,
  from: Address,
  calls: Call[],
  { tokenOf, tokens = [], receiver }: Asked,
): Promise<Simulated | { refusal: Refusal }> {
  const plain = calls.map(({ gas: _limit, ...call }) => wireCall({ from, ...call }))
  const withLimits = (limits: bigint[]) => plain.map((call, index) => trial.paying(call, limits[index] ?? 0n))

  const amply = calls.map(({ gas }, index) => (index === 0 ? (gas ?? amplyGas) : most(gas, amplyGas)))
  const first = await trial.run(withLimits(amply))
  if ('refusal' in first) return first
  const failed = first.results.findIndex(({ status }) => status === '0x0')
  if (failed >= 0) return withoutGas(reverts(first.results, failed))

  const logs = first.results.flatMap((result) => result.logs)
  const holdings = findHoldings(logs, [...calls.flatMap(({ to }) => to ?? []), ...tokens], from)
  const permissions = findPermissions(logs, calls, from)
  // Each permission is read as well, and may name a token of its own.
  if (holdings.length > mostHoldings || permissions.length > mostHoldings) {
    return withoutGas({ ...unknown('Too many tokens take part in it'), isCrowded: true })
  }
  const theirs = receiver && { ...holdingOf(receiver.token, receiver.holder), holder: receiver.holder }
  const looked = (theirs ? [...holdings, theirs] : holdings).map(({ read }) => read)
  const allowed = permissions.map(({ read }) => read)
  const limits = first.results.map(({ gasUsed }, index) => limitOf(calls[index], index, gasUsed))
  const second = await readAround(trial, withLimits(limits), looked, [...looked, ...allowed])
  if ('refusal' in second) {
    if (cannotPay(second.refusal)) return withoutGas(poor)
    // It ran without the reads: contracts can make those cost more than a block has.
    return withoutGas(trial.isNarrow ? unread : { ...unread, isCrowded: true })
  }
  const { starts, results, ends } = second
  // A block came between the two, or it needs more gas than it used.
  const late = results.findIndex(({ status }) => status === '0x0')
  if (late >= 0) return withoutGas(reverts(results, late))

  // Without logs only the chain itself tells of coins.
  const isCoinKnown = [starts[0], ends[0]].every((read) => readNumber(read) !== undefined)
  if (trial.isNarrow && !isCoinKnown) return withoutGas(unread)
  const fee = trial.feeOf(results)
  const changes = holdings.map((holding, index) => {
    const amount = changeOf(holding, starts[index], ends[index], coinOf(logs, from), fee)
    return { ...holding, amount }
  })
  const coins = changes.find(({ token }) => token === native)?.amount ?? 0n
  // It was lent what the fee takes; that is not to be spent on anything else.
  if (second.lentTo !== undefined && second.lentTo + coins < 0n) return withoutGas(poor)
  const grants = permissions.map((permission, index) =>
    toGrant(tokenOf, permission, ends[looked.length + index]),
  )
  const last = holdings.length
  const arrived = theirs && arrivedAt(theirs, starts[last], ends[last], logs)
  const simulation: Simulation = {
    status: 'succeeds',
    changes: await Promise.all(
      changes.filter(({ amount }) => amount !== 0n).map((one) => toChange(tokenOf, one)),
    ),
    grants: (await Promise.all(grants)).filter((grant) => grant !== undefined),
    ...(trial.isNarrow && { isNarrow: true }),
    ...(arrived !== undefined && { arrived }),
  }
  return { simulation, gas: results.map(({ gasUsed }) => gasUsed) }
}

/** `calls` with what was read before them and after, in the same order. */
type Around = { starts: Returned[]; results: Result[]; ends: Returned[]; lentTo?: bigint }

async function readAround(
  trial: Trial,
  calls: Wire[],
  before: Read[],
  after: Read[],
): Promise<Around | { refusal: Refusal }> {
  const run = await trial.run([...before.map(trial.reading), ...calls, ...after.map(trial.reading)])
  if ('refusal' in run) return run
  const [begin, end] = [before.length, before.length + calls.length]
  return {
    ...run,
    starts: run.results.slice(0, begin).map(returned),
    results: run.results.slice(begin, end),
    ends: run.results.slice(end).map(returned),
  }
}

/** Half as much again as was used: a fifth of that may have been given back (EIP-3529), and a fifth more is signed. */
function limitOf(call: Call | undefined, index: number, used: bigint): bigint {
  const ample = (used * 3n) / 2n
  return index === 0 ? (call?.gas ?? ample) : most(call?.gas, ample)
}

function most(one: bigint | undefined, other: bigint): bigint {
  return one !== undefined && one > other ? one : other
}

/** What a node that does not simulate can say: whether the first call would fail by itself. */
async function tryFirst(rpc: Rpc, from: Address, calls: Call[], refusal: Refusal): Promise<Simulation> {
  if (cannotPay(refusal)) return poor
  const [first] = calls.map(({ gas: _limit, ...call }) => wireCall({ from, ...call }))
  const outcome = await rpc.attempt('eth_call', [first, 'latest'], answers.hex)
  if (!('refusal' in outcome)) return unknown('The node cannot simulate')
  if (cannotPay(outcome.refusal)) return poor
  if (!isRevert(outcome.refusal)) return unknown('The node cannot simulate')
  const { data, message } = outcome.refusal
  return failing(calls, 0, readRevert(data ?? '0x'), message)
}

const poor: Simulation = { status: 'reverts', reason: 'The account cannot pay for it' }

function unknown(reason: string) {
  return { status: 'unknown' as const, reason }
}

const unread = unknown('The node cannot read the balances after it')

function withoutGas(simulation: Simulation): Simulated {
  return { simulation, gas: [] }
}

function reverts(results: Result[], index: number): Simulation {
  const result = results[index]
  const revert = readRevert(result?.error?.data ?? result?.returnData ?? '0x')
  return failing(results, index, revert, 'no reason was given')
}

function failing(
  { length }: unknown[],
  index: number,
  { reason, facts }: ReturnType<typeof readRevert>,
  otherwise: string,
): Simulation {
  const why = reason || otherwise
  return { status: 'reverts', reason: length === 1 ? why : `Call ${index + 1}: ${why}`, facts }
}

function returned(result: Result | undefined): Returned {
  return result?.status === '0x1' ? result.returnData : undefined
}

/** `coin` and `fee` are the account's coins that moved, by the node's own account of them, and what the calls cost. */
function changeOf(
  { token, count }: Holding,
  before: Returned,
  after: Returned,
  coin: bigint,
  fee: bigint,
): bigint {
  const [had, has] = [count(before), count(after)]
  if (token !== native) {
    // A contract that was created on the way had nothing of anybody's.
    return (has ?? 0n) - (had ?? 0n)
  }
  return had === undefined || has === undefined ? coin : has - had + fee
}

/** What somebody else's balance grew by. Undefined where nobody can read it: that it did not grow is another thing. */
function arrivedAt(
  theirs: Holding & { holder: Address },
  before: Returned,
  after: Returned,
  logs: answers.Log[],
): bigint | undefined {
  const isRead = [before, after].every((read) => theirs.count(read) !== undefined)
  if (!isRead && theirs.token !== native) return undefined
  return changeOf(theirs, before, after, coinOf(logs, theirs.holder), 0n)
}

async function toChange(
  tokenOf: TokenOf,
  { token, nft, amount }: Pick<Holding, 'token' | 'nft'> & { amount: bigint },
): Promise<Change> {
  return { token: await named(tokenOf, token), amount, ...(nft === undefined ? {} : { nft }) }
}

async function toGrant(
  tokenOf: TokenOf,
  { token, spender, nft, count }: Permission,
  after: Returned,
): Promise<Grant | undefined> {
  const amount = count(after)
  if (amount === undefined || amount === 0n) return undefined
  return { token: await named(tokenOf, token), spender, amount, ...(nft === undefined ? {} : { nft }) }
}

/** The coins by the node's own pseudo-logs (traceTransfers), for a chain where nobody tells the balance of an account. */
function coinOf(logs: answers.Log[], account: Address): bigint {
  const party = words([account])
  let sum = 0n
  for (const { address, topics, data } of logs) {
    if ((address !== native && address !== nobody) || topics[0] !== transferTopic) continue
    if (topics[2] === party) sum += BigInt(data)
    if (topics[1] === party) sum -= BigInt(data)
  }
  return sum
}

/** A contract that does not describe itself is called by its address. */
async function named(tokenOf: TokenOf, address: Address): Promise<Token> {
  return tokenOf(address).catch((error: unknown) => {
    if (!['unknown-token', 'node-refused'].includes(toWalletError(error).code)) throw error
    return newToken(address, `${address.slice(0, 6)}…${address.slice(-4)}`, '', 0)
  })
}
