import type { Address } from '../token/token.ts'
import type { ShownOutcome } from './callBatch.ts'
import type { AllowanceChange, Outcome, Simulation } from './simulation.ts'

export type Worse =
  | { kind: 'leaves'; token: Address; expected: bigint; found: bigint }
  | { kind: 'grants'; token: Address; spender: Address; expected: bigint; found: bigint | 'all' }
  | { kind: 'arrives'; expected: bigint; found: bigint }
  | { kind: 'weak' | 'unstable' }

/**
 * True if more than one percent below `expected`, as prices move. A token not expected to leave must not
 * leave.
 */
export function isWorse(expected: bigint, found: bigint): boolean {
  const size = expected < 0n ? -expected : expected
  return found < expected - size / 100n
}

/** Returns undefined when unknown. */
export function toShown(simulation: Simulation): ShownOutcome | undefined {
  if (simulation.status === 'unknown') return undefined
  if (simulation.status === 'reverts') return { changes: [], grants: [] }
  const { changes, grants, arrived, parts, isWeak, isUnstable } = simulation
  return {
    changes: changes.map(({ token, ...change }) => ({ ...change, token: token.address })),
    grants: grants.map(({ token, ...grant }) => ({ ...grant, token: token.address })),
    ...(arrived !== undefined && { arrived }),
    ...(isWeak && { isWeak }),
    ...(isUnstable && { isUnstable }),
    ...(parts && { parts }),
  }
}

/** Compares by token and id; items with random ids by count. */
export function findWorse(shown: Outcome, now: Outcome): Worse | undefined {
  const ids = new Set(shown.changes.filter(({ isDrawn }) => !isDrawn).map(toId))
  const [expected, actual] = [sums(shown.changes, ids), sums(now.changes, ids)]
  for (const key of new Set([...expected.keys(), ...actual.keys()])) {
    const [before, after] = [expected.get(key)?.amount ?? 0n, actual.get(key)?.amount ?? 0n]
    const token = (actual.get(key) ?? expected.get(key))?.token
    if (token !== undefined && isWorse(before, after)) {
      return { kind: 'leaves', token, expected: before, found: after }
    }
  }
  for (const grant of now.grants) {
    const before = shown.grants.find((one) => isSameGrant(one, grant))?.amount ?? 0n
    if (isWider(before, grant.amount)) {
      const { token, spender, amount } = grant
      return { kind: 'grants', token, spender, expected: before === 'all' ? 0n : before, found: amount }
    }
  }
  if (shown.arrived !== undefined && isWorse(shown.arrived, now.arrived ?? 0n)) {
    return { kind: 'arrives', expected: shown.arrived, found: now.arrived ?? 0n }
  }
  if (now.isWeak && !shown.isWeak) return { kind: 'weak' }
  return now.isUnstable && !shown.isUnstable ? { kind: 'unstable' } : undefined
}

/** True if `accepted`, or a part, permits a worse outcome than `shown`. */
export function allowsWorse(accepted: ShownOutcome, shown: ShownOutcome): boolean {
  const [parts, shownParts] = [accepted.parts ?? [], shown.parts ?? []]
  const isPartWorse = shownParts.some((part, index) => {
    const own = parts[index]
    return own === undefined || findWorse(part, own) !== undefined
  })
  return isPartWorse || findWorse(shown, accepted) !== undefined
}

/** Subtracts `part` from `total`. */
export function subtractOutcome(total: Outcome, part: Outcome): Outcome {
  const taken = part.changes.map((change) => ({ ...change, amount: -change.amount }))
  const merged = new Map<string, Outcome['changes'][number]>()
  for (const change of [...total.changes, ...taken]) {
    const key = change.isDrawn ? `${change.token} drawn` : toId(change)
    const amount = (merged.get(key)?.amount ?? 0n) + change.amount
    merged.set(key, { ...change, amount })
  }
  return { ...total, changes: [...merged.values()].filter(({ amount }) => amount !== 0n) }
}

/** Splits cumulative `totals` by call. */
export function splitOutcomes(totals: Outcome[]): Outcome[] {
  return totals.map((total, index) => {
    const before = totals[index - 1]
    return before === undefined ? total : subtractOutcome(total, before)
  })
}

type Sums = Map<string, { token: Address; amount: bigint }>

/** An arriving item outside `ids` may stand for any drawn one. */
function sums(changes: Outcome['changes'], ids: Set<string>): Sums {
  const found: Sums = new Map()
  for (const change of changes) {
    const { token, nft, amount, isDrawn } = change
    const isAny = isDrawn || (nft !== undefined && amount > 0n && !ids.has(toId(change)))
    const key = isAny ? `${token} drawn` : toId(change)
    found.set(key, { token, amount: (found.get(key)?.amount ?? 0n) + amount })
  }
  return found
}

function toId({ token, nft }: { token: Address; nft?: bigint }): string {
  return `${token} ${nft}`
}

function isSameGrant(one: Outcome['grants'][number], other: Outcome['grants'][number]): boolean {
  return one.token === other.token && one.spender === other.spender && one.nft === other.nft
}

export function isWider(before: AllowanceChange['amount'], after: AllowanceChange['amount']): boolean {
  if (before === 'all') return false
  return after === 'all' || isWorse(-before, -after)
}
