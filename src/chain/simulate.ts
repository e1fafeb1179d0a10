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

type TokenOf = (token: Address) => Promise<Token>

/** More than this many tokens in one go is nobody's everyday transaction. */
const mostHoldings = 100

/**
 * What `calls`, sent one after the other, would do to `from`, by the node's eth_simulateV1. Logs only tell where to look: any
 * contract may write any log. Balances and allowances are read before and after, inside the simulation.
 */
export async function simulate(rpc: Rpc, tokenOf: TokenOf, from: Address, calls: Call[]): Promise<Simulated> {
  // The page's own gas is left out: too little of it would hide what more of it does.
  const wire = calls.map(({ gas: _asked, ...call }) => wireCall({ from, ...call }))
  const first = await run(rpc, wire)
  if ('refusal' in first) return withoutGas(await tryFirst(rpc, wire, first.refusal))
  const failed = first.findIndex(({ status }) => status === '0x0')
  if (failed >= 0) return withoutGas(reverts(first, failed))

  const logs = first.flatMap((result) => result.logs)
  const holdings = findHoldings(logs, calls, from)
  if (holdings.length > mostHoldings) return withoutGas(unknown('Too many tokens take part in it'))
  const permissions = findPermissions(logs, from)
  const before = holdings.map(({ read }) => readCall(read))
  const after = [...holdings, ...permissions].map(({ read }) => readCall(read))
  const second = await run(rpc, [...before, ...wire, ...after])
  if ('refusal' in second) return withoutGas(unknown('The node cannot read the balances after it'))
  const results = second.slice(before.length, before.length + calls.length)
  // A block came between the two.
  const late = results.findIndex(({ status }) => status === '0x0')
  if (late >= 0) return withoutGas(reverts(results, late))

  const ends = second.slice(before.length + calls.length).map(returned)
  const changes = holdings.map((holding, index) =>
    toChange(tokenOf, holding, returned(second[index]), ends[index], coinOf(logs, from)),
  )
  const grants = permissions.map((permission, index) =>
    toGrant(tokenOf, permission, ends[holdings.length + index]),
  )
  const simulation: Simulation = {
    status: 'succeeds',
    changes: (await Promise.all(changes)).filter((change) => change !== undefined),
    grants: (await Promise.all(grants)).filter((grant) => grant !== undefined),
  }
  return { simulation, gas: results.map(({ gasUsed }) => gasUsed) }
}

async function run(rpc: Rpc, calls: object[]): Promise<Result[] | { refusal: Refusal }> {
  const params = [{ blockStateCalls: [{ calls }], traceTransfers: true, validation: false }, 'latest']
  const outcome = await rpc.attempt('eth_simulateV1', params, blocks).catch((error: unknown) => {
    // A node that answers in its own way cannot do it.
    if (toWalletError(error).code === 'node-refused') return undefined
    throw error
  })
  if (outcome !== undefined && 'refusal' in outcome) return outcome
  const results = outcome?.result[0]?.calls
  return results?.length === calls.length ? results : { refusal: { code: 0, message: '', data: undefined } }
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

function unknown(reason: string): Simulation {
  return { status: 'unknown', reason }
}

function withoutGas(simulation: Simulation): Simulated {
  return { simulation, gas: [] }
}

function reverts(results: Result[], index: number): Simulation {
  const result = results[index]
  const why = readRevert(result?.error?.data ?? result?.returnData ?? '0x').reason || 'no reason was given'
  return { status: 'reverts', reason: results.length === 1 ? why : `Call ${index + 1}: ${why}` }
}

// Each read by itself, with gas of its own: a contract that burns all of it takes nobody else's answer along.
const readGas = '0x7a120'
const nobody: Address = '0x0000000000000000000000000000000000000000'

function readCall({ to, data }: Read) {
  return { ...wireCall({ from: nobody, to, data, value: 0n }), gas: readGas }
}

function returned(result: Result | undefined): Hex | undefined {
  return result?.status === '0x1' ? result.returnData : undefined
}

async function toChange(
  tokenOf: TokenOf,
  { token, nft, count }: Holding,
  before: Hex | undefined,
  after: Hex | undefined,
  coin: bigint,
): Promise<Change | undefined> {
  const [had, has] = [count(before), count(after)]
  const isUnread = had === undefined && has === undefined
  // A contract that was created on the way had nothing of anybody's.
  const amount = isUnread && token === native ? coin : (has ?? 0n) - (had ?? 0n)
  if (amount === 0n) return undefined
  return { token: await named(tokenOf, token), amount, ...(nft === undefined ? {} : { nft }) }
}

async function toGrant(
  tokenOf: TokenOf,
  { token, spender, count }: Permission,
  after: Hex | undefined,
): Promise<Grant | undefined> {
  const amount = count(after)
  if (amount === undefined || amount === 0n) return undefined
  return { token: await named(tokenOf, token), spender, amount }
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
