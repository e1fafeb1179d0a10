import * as z from 'zod/mini'
import type { Call, Change, Grant, Simulation } from '../domain/calls.ts'
import { type Address, type Hex, native, type Token } from '../domain/token.ts'
import { toWalletError } from '../errors.ts'
import * as answers from './answers.ts'
import { wireCall } from './call.ts'
import { newToken, transferTopic } from './erc20.ts'
import { findHoldings, findPermissions, type Holding, type Permission } from './holdings.ts'
import type { Call as Read } from './multicall.ts'
import { isRevert, readRefusal, readRevert } from './refusal.ts'
import type { Refusal, Rpc } from './rpc.ts'

/** `gas` is what each call used; empty unless they all succeed. */
export type Simulated = { simulation: Simulation; gas: bigint[] }

export type TokenOf = (token: Address) => Promise<Token>

/** What a transaction of now pays, in wei per gas. */
export type Fees = { baseFeePerGas: bigint; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }

/** More than this many tokens in one go is nobody's everyday transaction. */
const mostHoldings = 100

/** For a call whose gas limit nobody knows yet: more than nearly all use. */
const amplyGas = 5_000_000n

/**
 * What `calls`, sent one after the other, would do to `from`, by the node's eth_simulateV1. Logs only tell where to look: any
 * contract may write any log. Balances and allowances are read before and after, inside the simulation. The first call's `gas` is
 * the limit it will be signed with; later ones get what they turn out to need, or what was asked for where that is more.
 *
 * A contract must not see that it is only tried out, or it would behave. So calls have the gas limit and the fees of real ones, in
 * a block with the base fee of the next.
 */
export async function simulate(
  rpc: Rpc,
  tokenOf: TokenOf,
  from: Address,
  calls: Call[],
  fees: Fees,
): Promise<Simulated> {
  const plain = calls.map(({ gas: _limit, ...call }) => wireCall({ from, ...call }))
  const trial = createTrial(rpc, from, fees)
  const withLimits = (limits: bigint[]) => plain.map((call, index) => trial.paying(call, limits[index] ?? 0n))

  const amply = calls.map(({ gas }, index) => (index === 0 ? (gas ?? amplyGas) : most(gas, amplyGas)))
  const first = await trial.run(withLimits(amply))
  if ('refusal' in first) return withoutGas(await tryFirst(rpc, plain, first.refusal))
  const failed = first.results.findIndex(({ status }) => status === '0x0')
  if (failed >= 0) return withoutGas(reverts(first.results, failed))

  const logs = first.results.flatMap((result) => result.logs)
  const holdings = findHoldings(logs, calls, from)
  const permissions = findPermissions(logs, from)
  // Each permission is read as well, and may name a token of its own.
  if (holdings.length > mostHoldings || permissions.length > mostHoldings) {
    return withoutGas({ ...unknown('Too many tokens take part in it'), isCrowded: true })
  }
  const before = holdings.map(({ read }) => trial.reading(read))
  const after = [...holdings, ...permissions].map(({ read }) => trial.reading(read))
  const limits = first.results.map(({ gasUsed }, index) => limitOf(calls[index], index, gasUsed))
  const second = await trial.run([...before, ...withLimits(limits), ...after])
  if ('refusal' in second) {
    return withoutGas(
      cannotPay(second.refusal) ? poor : unknown('The node cannot read the balances after it'),
    )
  }
  const results = second.results.slice(before.length, before.length + calls.length)
  // A block came between the two, or it needs more gas than it used.
  const late = results.findIndex(({ status }) => status === '0x0')
  if (late >= 0) return withoutGas(reverts(results, late))

  const ends = second.results.slice(before.length + calls.length).map(returned)
  const starts = second.results.slice(0, before.length).map(returned)
  const changes = holdings.map((holding, index) => {
    const amount = changeOf(holding, starts[index], ends[index], coinOf(logs, from), trial.feeOf(results))
    return { ...holding, amount }
  })
  const coins = changes.find(({ token }) => token === native)?.amount ?? 0n
  // It was lent what the fee takes; that is not to be spent on anything else.
  if (second.lentTo !== undefined && second.lentTo + coins < 0n) return withoutGas(poor)
  const grants = permissions.map((permission, index) =>
    toGrant(tokenOf, permission, ends[holdings.length + index]),
  )
  const simulation: Simulation = {
    status: 'succeeds',
    changes: await Promise.all(
      changes.filter(({ amount }) => amount !== 0n).map((one) => toChange(tokenOf, one)),
    ),
    grants: (await Promise.all(grants)).filter((grant) => grant !== undefined),
  }
  return { simulation, gas: results.map(({ gasUsed }) => gasUsed) }
}

type Run = { results: Result[]; lentTo?: bigint } | { refusal: Refusal }

/** A block to try calls in, as the next one will be. */
function createTrial(rpc: Rpc, from: Address, { baseFeePerGas, maxFeePerGas, maxPriorityFeePerGas }: Fees) {
  const fees = {
    maxFeePerGas: toQuantity(maxFeePerGas),
    maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas),
  }
  // Nobody's account, made up anew each time so that no contract knows it, and with enough to pay for what it reads.
  const reader: Address = `0x${`${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '').slice(0, 40)}`

  async function attempt(calls: object[], balance?: bigint): Promise<Run> {
    const stateOverrides = {
      [reader]: { balance: toQuantity(2n ** 100n) },
      ...(balance !== undefined && { [from]: { balance: toQuantity(balance) } }),
    }
    const block = { blockOverrides: { baseFeePerGas: toQuantity(baseFeePerGas) }, stateOverrides, calls }
    // Without validation there is no base fee (geth, Anvil).
    const params = [{ blockStateCalls: [block], traceTransfers: true, validation: true }, 'latest']
    const outcome = await rpc.attempt('eth_simulateV1', params, blocks).catch((error: unknown) => {
      // A node that answers in its own way cannot do it.
      if (toWalletError(error).code === 'node-refused') return undefined
      throw error
    })
    if (outcome !== undefined && 'refusal' in outcome) return outcome
    const results = outcome?.result[0]?.calls
    return results?.length === calls.length
      ? { results }
      : { refusal: { code: 0, message: '', data: undefined } }
  }

  return {
    /** An account that cannot pay the fee is lent it: what the calls would do is worth knowing all the same. */
    async run(calls: Wire[]): Promise<Run> {
      const found = await attempt(calls)
      if (!('refusal' in found) || !cannotPay(found.refusal)) return found
      const own = calls.filter((call) => call.from === from)
      const has = await rpc.ask('eth_getBalance', [from, 'latest'], answers.quantity)
      if (BigInt(own[0]?.value ?? 0) > has) return found
      const fee = own.reduce((sum, { gas }) => sum + BigInt(gas) * maxFeePerGas, 0n)
      const lent = await attempt(calls, has + fee)
      return 'refusal' in lent ? lent : { ...lent, lentTo: has }
    },
    paying: (call: Plain, limit: bigint): Wire => ({ ...call, ...fees, gas: toQuantity(limit) }),
    // Each read by itself, with gas of its own: a contract that burns all of it takes nobody else's answer along.
    reading: ({ to, data }: Read): Wire => ({
      ...wireCall({ from: reader, to, data, value: 0n }),
      ...fees,
      gas: toQuantity(500_000n),
    }),
    /** What calls of the account cost in that block (EIP-1559). */
    feeOf(results: Result[]): bigint {
      const tipped = baseFeePerGas + maxPriorityFeePerGas
      const price = tipped < maxFeePerGas ? tipped : maxFeePerGas
      return results.reduce((sum, { gasUsed }) => sum + gasUsed * price, 0n)
    },
  }
}

type Plain = ReturnType<typeof wireCall>
type Wire = Plain & { gas: string }

/** Half as much again as was used: a fifth of that may have been given back (EIP-3529), and a fifth more is signed. */
function limitOf(call: Call | undefined, index: number, used: bigint): bigint {
  const ample = (used * 3n) / 2n
  return index === 0 ? (call?.gas ?? ample) : most(call?.gas, ample)
}

function most(one: bigint | undefined, other: bigint): bigint {
  return one !== undefined && one > other ? one : other
}

function toQuantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** What a node that does not simulate can say: whether the first call would fail by itself. */
async function tryFirst(rpc: Rpc, [first]: object[], refusal: Refusal): Promise<Simulation> {
  if (cannotPay(refusal)) return poor
  const outcome = await rpc.attempt('eth_call', [first, 'latest'], answers.hex)
  if (!('refusal' in outcome)) return unknown('The node cannot simulate')
  if (cannotPay(outcome.refusal)) return poor
  if (!isRevert(outcome.refusal)) return unknown('The node cannot simulate')
  const { data, message } = outcome.refusal
  return { status: 'reverts', reason: readRevert(data ?? '0x').reason || message }
}

const poor: Simulation = { status: 'reverts', reason: 'The account cannot pay for it' }

function cannotPay(refusal: Refusal): boolean {
  return readRefusal(refusal, 'eth_simulateV1').code === 'not-enough-gas'
}

function unknown(reason: string) {
  return { status: 'unknown' as const, reason }
}

function withoutGas(simulation: Simulation): Simulated {
  return { simulation, gas: [] }
}

function reverts(results: Result[], index: number): Simulation {
  const result = results[index]
  const why = readRevert(result?.error?.data ?? result?.returnData ?? '0x').reason || 'no reason was given'
  return { status: 'reverts', reason: results.length === 1 ? why : `Call ${index + 1}: ${why}` }
}

const nobody: Address = '0x0000000000000000000000000000000000000000'

function returned(result: Result | undefined): Hex | undefined {
  return result?.status === '0x1' ? result.returnData : undefined
}

/** `coin` and `fee` are the account's coins that moved, by the node's own account of them, and what the calls cost. */
function changeOf(
  { token, count }: Holding,
  before: Hex | undefined,
  after: Hex | undefined,
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

async function toChange(
  tokenOf: TokenOf,
  { token, nft, amount }: Pick<Holding, 'token' | 'nft'> & { amount: bigint },
): Promise<Change> {
  return { token: await named(tokenOf, token), amount, ...(nft === undefined ? {} : { nft }) }
}

async function toGrant(
  tokenOf: TokenOf,
  { token, spender, nft, count }: Permission,
  after: Hex | undefined,
): Promise<Grant | undefined> {
  const amount = count(after)
  if (amount === undefined || amount === 0n) return undefined
  return { token: await named(tokenOf, token), spender, amount, ...(nft === undefined ? {} : { nft }) }
}

/** The coins by the node's own pseudo-logs (traceTransfers), for a chain where nobody tells the balance of an account. */
function coinOf(logs: answers.Log[], account: Address): bigint {
  const party = `0x${account.slice(2).padStart(64, '0')}`
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

type Result = z.output<typeof result>

// Geth puts a revert's data into the error, other nodes into what was returned.
const result = z.object({
  status: z.enum(['0x0', '0x1']),
  returnData: answers.hex,
  gasUsed: answers.quantity,
  logs: z.array(answers.log),
  error: z.optional(z.object({ data: z.optional(answers.hex) })),
})
const blocks = z.array(z.object({ calls: z.array(result) }))
