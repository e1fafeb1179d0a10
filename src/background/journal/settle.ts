import type { Receipt } from '../../chain/answers.ts'
import type { Chain } from '../../chain/client.ts'
import { feeOf, readTransaction } from '../../chain/transaction.ts'
import { type Intent, isSwapIntent } from '../../domain/activity/intent.ts'
import type { StepState, Swap } from '../../domain/swap/swap.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import { fail } from './fail.ts'
import {
  type IntentRecord,
  isMined,
  isSigned,
  type Rival,
  rivalsOf,
  type SignedStep,
  type StepRecord,
} from './journal.ts'
import { look, type Sight } from './look.ts'
import { type Brought, broughtBy } from './received.ts'

type Asked = {
  record: IntentRecord
  /** The last one that was signed. */
  step: SignedStep
  chain: Chain
  confirmations: number
  /** Another look may come: what is not as it should be is not believed yet. */
  patient: boolean
  /** Milliseconds since 1970. */
  now(): number
}

const dayMs = 86_400_000

/**
 * Looks where a signed step stands and sends its bytes when the node does not know them. Answers the record as it is from now on,
 * or `wait` when nothing changed, or `missed` when nothing good was seen and patience is asked for.
 */
export async function settle(asked: Asked): Promise<IntentRecord | 'wait' | 'missed'> {
  const { record, step, chain, confirmations, now } = asked
  const [newest] = rivalsOf(step)
  const sight = await look(chain, record.intent.account, step, confirmations)
  const { isSure } = sight
  // Nobody waits longer than a day for a node that is silent.
  const patient = asked.patient || (!isSure && now() < step.deadline + dayMs)
  // Who saw it mined may be the node that is silent now.
  if (!isSure && wasInBlock(step)) return 'wait'
  // A node of another chain knows nothing of it either.
  if (sight.seen === 'nothing' || sight.seen === 'replaced') await chain.verify()
  switch (sight.seen) {
    case 'mined':
      return settleMined(asked, sight)
    case 'pending':
      // It waits for the numbers before its own, and a reorganisation may have lost those alone.
      await deliver(chain, record.steps.slice(0, record.steps.indexOf(step)))
      // An older one waits, and the pool has forgotten the newest, or has not taken it yet.
      if (sight.hash !== newest.hash) await deliver(chain, [step]).catch(() => undefined)
      return step.state === 'sent' ? 'wait' : underWay(record, step)
    case 'replaced':
      if (step.state === 'replaced') return isSure && now() > step.deadline ? close(record, step) : 'wait'
      // Who knows of the block that used its number would know of the receipt as well, if it was heard.
      return asked.patient || (patient && !sight.isHeard)
        ? 'missed'
        : fail(withStep(record, step, { state: 'replaced' }), replaced(step))
    case 'nothing':
      if (step.state === 'dropped') return 'wait'
      if (now() > step.deadline) return patient ? 'missed' : giveUp(record, step)
      try {
        await deliver(chain, record.steps)
      } catch (error) {
        if (!isRefusal(error)) throw error
        return patient ? 'missed' : giveUp(record, step, error)
      }
      return step.state === 'sent' ? 'wait' : underWay(record, step)
  }
}

function wasInBlock(step: SignedStep): boolean {
  return isMined(step) || step.state === 'reverted' || step.state === 'cancelled'
}

async function settleMined(
  { record, step, chain }: Asked,
  { hash, receipt, final }: Extract<Sight, { seen: 'mined' }>,
): Promise<IntentRecord | 'wait'> {
  const rivals = rivalsOf(step)
  const { cancels, ...bytes } = rivals.find((one) => one.hash === hash) ?? rivals[0]
  const as = (state: SignedStep['state']) =>
    withStep(record, step, { ...bytes, state, fee: feeOf(receipt), block: receipt.blockNumber })
  // Of rivals another may have been in a block that was taken back.
  const isKnown = (state: StepState) => step.hash === hash && step.state === state
  const isReverted = receipt.status === 'reverted'
  if (cancels || isReverted) {
    const state = cancels ? 'cancelled' : 'reverted'
    if (isKnown(state)) return final ? close(record, step) : 'wait'
    const why = cancels ? cancelled() : await whyReverted(chain, record.intent, bytes)
    return fail(as(state), why)
  }
  const state = final ? 'final' : 'mined'
  if (isKnown(state)) return 'wait'
  const settled = as(state)
  const steps = final ? settled.steps.map(finish) : settled.steps
  if (isLast(record, step)) {
    return { ...settled, steps, outcome: { status: 'done', ...(await brought(record, receipt, chain)) } }
  }
  // The cancellation came too late for this one; for what would have come next it did not.
  if (rivals[0].cancels) return fail({ ...settled, steps }, cancelled())
  return { ...settled, steps, outcome: reopened(record, step) }
}

async function brought({ intent, outcome }: IntentRecord, receipt: Receipt, chain: Chain): Promise<Brought> {
  if (!isSwapIntent(intent)) return { received: 0n }
  const found = await broughtBy(intent, receipt, chain)
  // A node forgets what a block did; what it said while the block was young stands.
  return found.isLeast && outcome.status === 'done' ? outcome : found
}

/** The one that the others were made for. */
function isLast({ steps }: IntentRecord, step: SignedStep): boolean {
  return steps.at(-1) === step
}

/** Nonces are used in order, so a final transaction makes those before it final. */
function finish(step: StepRecord): StepRecord {
  return isSigned(step) ? { ...step, state: 'final' } : step
}

/** Nothing brings a reverted or replaced transaction back any more. */
function close(record: IntentRecord, step: SignedStep): IntentRecord {
  const steps = record.steps.map((one) => (one === step ? { ...step, settled: true } : finish(one)))
  return { ...record, steps }
}

function underWay(record: IntentRecord, step: SignedStep): IntentRecord {
  return { ...withStep(record, step, { state: 'sent' }), outcome: reopened(record, step) }
}

/**
 * A last step that is under way again, after a reorganisation or after it was given up, is no end any more. An earlier one that
 * turns up late changes nothing of what the user was told: no other is signed after it.
 */
function reopened(record: IntentRecord, step: SignedStep): Swap['outcome'] {
  return isLast(record, step) ? { status: 'working' } : record.outcome
}

function giveUp(record: IntentRecord, step: SignedStep, error?: unknown): IntentRecord {
  return fail(withStep(record, step, { state: 'dropped' }), dropped(step, error))
}

function withStep(record: IntentRecord, old: SignedStep, change: Partial<SignedStep>): IntentRecord {
  return { ...record, steps: record.steps.map((step) => (step === old ? { ...old, ...change } : step)) }
}

/**
 * Sends every signed transaction that is not final, in order: after a reorganisation the earlier ones may be gone as well. Of rivals the
 * newest, which is the dearest, and what the user wants.
 */
async function deliver(chain: Chain, steps: StepRecord[]): Promise<void> {
  for (const step of steps)
    if (isSigned(step) && step.state !== 'final') await chain.send(rivalsOf(step)[0].raw)
}

/** True when the account cannot pay. Other refusals may pass (a full pool, a busy node): the bytes are sent until their deadline. */
function isRefusal(error: unknown): boolean {
  return toWalletError(error).code === 'not-enough-gas'
}

function replaced({ hash, nonce }: SignedStep): WalletError {
  return new WalletError(
    'replaced',
    `Another transaction of the account used the number ${nonce}, so this one never can.`,
    {
      hash,
      nonce: String(nonce),
    },
  )
}

function cancelled(): WalletError {
  return new WalletError('cancelled', 'It was cancelled.')
}

function dropped({ hash, nonce }: SignedStep, error?: unknown): WalletError {
  const why =
    error === undefined ? 'No node has seen it in time' : toWalletError(error).message.replace(/\.$/, '')
  return new WalletError('dropped', `The transaction was given up and is not sent again. ${why}.`, {
    hash,
    nonce: String(nonce),
  })
}

/** The contract's reason, as far as the same call gives it now: receipts carry none. */
async function whyReverted(
  chain: Chain,
  { account: from }: Intent,
  { raw, hash }: Rival,
): Promise<WalletError> {
  const { to, data, value } = readTransaction(raw)
  const error = await chain.estimateGas({ from, ...(to && { to }), data, value }).then(
    () => undefined,
    (cause: unknown) => toWalletError(cause),
  )
  const reason = error?.code === 'reverted' ? error.facts.reason : undefined
  const why = reason === undefined ? 'Its contract refused' : `Its contract refused: ${reason}`
  return new WalletError('reverted', `The transaction failed on the chain. ${why}.`, {
    ...(error?.code === 'reverted' ? error.facts : {}),
    hash,
  })
}
