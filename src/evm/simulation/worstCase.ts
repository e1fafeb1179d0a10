import { pad } from 'viem'
import type { AllowanceChange, BalanceChange, Simulation } from '../../domain/activity/simulation.ts'
import { isWider, isWorse } from '../../domain/activity/worse.ts'
import { smaller } from '../../domain/bounds.ts'
import { type Address, nativeTokenAddress, type Token, zeroAddress } from '../../domain/token/token.ts'
import { toWalletError } from '../../errors.ts'
import { transferTopic, unnamedToken } from '../erc20.ts'
import type { CallResult } from '../rpc/multicall.ts'
import type * as answers from '../rpc/schemas.ts'
import type { SimulatedCall } from './simulationBackend.ts'
import type { AllowanceProbe, BalanceProbe } from './watchedBalances.ts'

export type ReadToken = (token: Address) => Promise<Token>

export type Measured = {
  amounts: bigint[]
  allowed: (bigint | 'all' | undefined)[]
  arrived: bigint | undefined
}

type Looked = { holdings: BalanceProbe[]; permissions: AllowanceProbe[] }

type Around = Looked & {
  /** Another account's, read last. */
  theirs: (BalanceProbe & { holder: Address }) | undefined
  from: Address
  starts: CallResult[]
  ends: CallResult[]
  results: SimulatedCall[]
  /** Wei. */
  fee: bigint
}

export function measure({
  holdings,
  permissions,
  theirs,
  from,
  starts,
  ends,
  results,
  fee,
}: Around): Measured {
  const logs = results.flatMap((result) => result.logs)
  const last = holdings.length
  const looked = theirs ? last + 1 : last
  return {
    amounts: holdings.map((holding, index) =>
      changeOf(holding, starts[index], ends[index], toCoin(logs, from), fee),
    ),
    allowed: permissions.map(({ count }, index) => count(ends[looked + index])),
    arrived: theirs && arrivedAt(theirs, starts[last], ends[last], logs),
  }
}

type Outcome = Omit<Extract<Simulation, { status: 'succeeds' }>, 'status'>

/** Returns the worse outcome per token and id. Ids drawn at random (EIP-721) are counted. */
export async function findWorstCase(
  measured: Measured[],
  { holdings, permissions }: Looked,
  tokenOf: ReadToken,
): Promise<Outcome> {
  let isUnstable: boolean = false
  const note = (isDifferent: boolean) => {
    isUnstable ||= isDifferent
  }
  const amountsOf = (index: number) => measured.map(({ amounts }) => amounts[index] ?? 0n)
  const isDrawn = holdings.map(
    ({ isUnique }, index) => isUnique === true && amountsOf(index).reduce(smaller) === 0n,
  )
  const drawn = (token: Address, { amounts }: Measured) =>
    holdings.reduce(
      (sum, one, index) => (one.token === token && isDrawn[index] ? sum + (amounts[index] ?? 0n) : sum),
      0n,
    )

  const itemsOf = (of: Address, { amounts }: Measured) =>
    holdings.reduce(
      (sum, { token, nft }, index) =>
        token === of && nft !== undefined ? sum + (amounts[index] ?? 0n) : sum,
      0n,
    )

  const changes = holdings.map(({ token, nft, mayCountItems }, index) => {
    const all = amountsOf(index)
    // Counts items only.
    if (mayCountItems && measured.every((one) => one.amounts[index] === itemsOf(token, one)))
      return { token, amount: 0n }
    const holding = { token, ...(nft !== undefined && { nft }) }
    if (!isDrawn[index]) {
      const worst = all.reduce(smaller)
      note(all.some((amount) => isWorse(amount, worst)))
      return { ...holding, amount: worst }
    }
    const counts = measured.map((one) => drawn(token, one))
    const fewest = counts.reduce(smaller)
    note(counts.some((count) => count > fewest))
    return { ...holding, amount: all[counts.indexOf(fewest)] ?? 0n, isDrawn: true }
  })
  const grants = permissions.map(({ token, spender, nft }, index) => {
    const all = measured.map(({ allowed }) => allowed[index] ?? 0n)
    const widest = all.reduce((one, other) => (isMore(other, one) ? other : one))
    note(all.some((amount) => isWider(amount, widest)))
    return { token, spender, amount: widest, ...(nft !== undefined && { nft }) }
  })
  const arrivals = measured.flatMap(({ arrived }) => arrived ?? [])
  const arrived = arrivals.length === measured.length ? arrivals.reduce(smaller) : undefined
  if (arrived !== undefined) note(arrivals.some((amount) => isWorse(amount, arrived)))
  return {
    changes: await Promise.all(
      changes.filter(({ amount }) => amount !== 0n).map((change) => toChange(tokenOf, change)),
    ),
    grants: await Promise.all(
      grants.filter(({ amount }) => amount !== 0n).map((grant) => toGrant(tokenOf, grant)),
    ),
    ...(isUnstable ? { isUnstable } : {}),
    ...(arrived !== undefined && { arrived }),
  }
}

function isMore(one: AllowanceChange['amount'], other: AllowanceChange['amount']): boolean {
  return other !== 'all' && (one === 'all' || one > other)
}

function changeOf(
  { token, count }: BalanceProbe,
  before: CallResult,
  after: CallResult,
  coin: bigint,
  fee: bigint,
): bigint {
  const [had, has] = [count(before), count(after)]
  if (token !== nativeTokenAddress) {
    return (has ?? 0n) - (had ?? 0n)
  }
  return had === undefined || has === undefined ? coin : has - had + fee
}

/** Undefined if unreadable. */
function arrivedAt(
  theirs: BalanceProbe & { holder: Address },
  before: CallResult,
  after: CallResult,
  logs: answers.Log[],
): bigint | undefined {
  const isRead = [before, after].every((read) => theirs.count(read) !== undefined)
  if (!isRead && theirs.token !== nativeTokenAddress) return undefined
  return changeOf(theirs, before, after, toCoin(logs, theirs.holder), 0n)
}

async function toChange(
  tokenOf: ReadToken,
  { token, ...change }: Omit<BalanceChange, 'token'> & { token: Address },
): Promise<BalanceChange> {
  return { token: await named(tokenOf, token), ...change }
}

async function toGrant(
  tokenOf: ReadToken,
  { token, ...grant }: Omit<AllowanceChange, 'token'> & { token: Address },
): Promise<AllowanceChange> {
  return { token: await named(tokenOf, token), ...grant }
}

/** By pseudo-logs (traceTransfers). */
function toCoin(logs: answers.Log[], account: Address): bigint {
  const party = pad(account)
  let sum = 0n
  for (const { address, topics, data } of logs) {
    if ((address !== nativeTokenAddress && address !== zeroAddress) || topics[0] !== transferTopic) continue
    if (topics[2] === party) sum += BigInt(data)
    if (topics[1] === party) sum -= BigInt(data)
  }
  return sum
}

async function named(tokenOf: ReadToken, address: Address): Promise<Token> {
  return tokenOf(address).catch((error: unknown) => {
    if (!['unknown-token', 'node-refused'].includes(toWalletError(error).code)) throw error
    return unnamedToken(address)
  })
}
