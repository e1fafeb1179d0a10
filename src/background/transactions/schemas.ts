import * as v from 'valibot'
import type { Call, CallBatchKind, CallsIntent, ShownOutcome } from '../../domain/activity/callBatch.ts'
import type { Intent } from '../../domain/activity/intent.ts'
import type { StepKind, StepState, Swap } from '../../domain/swap/swap.ts'
import type { Hex } from '../../domain/token/token.ts'
import type { ErrorCode, ErrorDetails } from '../../errors.ts'
import { address, chainId, hash, hex, intent, pastPrice, shownOutcome, terms } from '../schemas.ts'

/** `steps` of a swap are empty until planned. */
export type IntentRecord = {
  intent: Intent
  /** Milliseconds since 1970. */
  createdAt: number
  steps: StepRecord[]
  outcome: Swap['outcome']
}

export type StepRecord = WaitingStep | SignedStep
export type WaitingStep = { kind: StepKind; state: 'waiting' }
export type SignedStep = {
  kind: StepKind
  state: Exclude<StepState, 'waiting'>
  nonce: number
  /** Newest useful signed bytes, or the mined ones. Resending is harmless; signing again is not. */
  raw: Hex
  hash: Hex
  /** End of resending bytes unknown to RPCs (milliseconds since 1970). */
  deadline: number
  /** Maximum, or once mined actual, cost in wei. */
  fee: bigint
  /** Reverted, replaced or cancelled, beyond reorganisation. */
  settled?: boolean | undefined
  block?: bigint | undefined
  /** Would be final if the second RPC agreed. */
  isDoubted?: true | undefined
  /** Shown outcome remaining after this call. */
  rest?: ShownOutcome | undefined
  /** All with this nonce if several, newest last. At most one is mined. */
  rivals?: ReplacementTransaction[] | undefined
}

/** `cancels`: only uses the nonce. */
export type ReplacementTransaction = { raw: Hex; hash: Hex; cancels?: true }

// For records of all versions.

const call: v.GenericSchema<unknown, Call> = v.object({
  to: v.exactOptional(address),
  data: hex,
  value: v.bigint(),
  gas: v.exactOptional(v.bigint()),
})

const purpose: v.GenericSchema<unknown, CallBatchKind> = v.union([
  v.object({ kind: v.literal('transfer'), token: address, to: address, amount: v.bigint() }),
  v.object({
    kind: v.literal('revoke'),
    token: address,
    spender: address,
    via: v.exactOptional(v.literal('permit2')),
  }),
])

export const callsIntent: v.GenericSchema<unknown, CallsIntent> = v.object({
  id: v.string(),
  account: address,
  chainId,
  calls: v.array(call),
  feeCap: v.bigint(),
  // Older records lack it.
  mayFail: v.optional(v.boolean(), false),
  speed: terms.speed,
  origin: v.exactOptional(v.string()),
  purpose: v.exactOptional(purpose),
  expected: v.exactOptional(shownOutcome),
  price: v.exactOptional(pastPrice),
})

const kind = v.picklist(['reset', 'approve', 'swap', 'wrap', 'unwrap', 'call'])

const isTrue = v.exactOptional(v.literal(true))

const stepShape: v.GenericSchema<unknown, StepRecord> = v.union([
  v.object({ kind, state: v.literal('waiting') }),
  v.object({
    kind,
    state: v.picklist(['signed', 'sent', 'mined', 'final', 'reverted', 'replaced', 'cancelled', 'dropped']),
    nonce: v.pipe(v.number(), v.safeInteger()),
    raw: hex,
    hash,
    deadline: v.pipe(v.number(), v.safeInteger()),
    fee: v.bigint(),
    settled: v.optional(v.boolean()),
    block: v.optional(v.bigint()),
    isDoubted: isTrue,
    rest: v.exactOptional(shownOutcome),
    rivals: v.optional(v.array(v.object({ raw: hex, hash, cancels: isTrue }))),
  }),
])

// Vouched for by the checksum.
const code = v.custom<ErrorCode>((value) => typeof value === 'string')
const facts = v.custom<ErrorDetails>((value) => typeof value === 'object' && value !== null)

const outcomeShape: v.GenericSchema<unknown, Swap['outcome']> = v.union([
  v.object({ status: v.literal('working'), waitsForTurn: isTrue }),
  v.object({ status: v.literal('needs-unlock') }),
  v.object({
    status: v.literal('done'),
    received: v.bigint(),
    isLeast: isTrue,
    spent: v.exactOptional(v.bigint()),
  }),
  v.object({
    status: v.literal('below-minimum'),
    received: v.bigint(),
    spent: v.exactOptional(v.bigint()),
  }),
  v.object({ status: v.literal('failed'), code, message: v.string(), facts }),
])

export const recordSchema: v.GenericSchema<unknown, IntentRecord> = v.object({
  intent: v.union([intent, callsIntent]),
  createdAt: v.pipe(v.number(), v.safeInteger()),
  steps: v.array(stepShape),
  outcome: outcomeShape,
})
