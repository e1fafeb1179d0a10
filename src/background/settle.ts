import { parseTransaction } from 'viem/utils'
import type { Receipt } from '../chain/answers.ts'
import type { Chain } from '../chain/client.ts'
import type { Swap, SwapIntent } from '../domain/swap.ts'
import { toWalletError, WalletError } from '../errors.ts'
import { fail } from './fail.ts'
import { isSigned, type SignedStep, type StepRecord, type SwapRecord } from './journal.ts'
import { look } from './look.ts'
import { receivedBy } from './received.ts'

type Asked = {
  record: SwapRecord
  /** The last one that was signed. */
  step: SignedStep
  chain: Chain
  confirmations: number
  /** Another look may come: what is not as it should be is not believed yet. */
  patient: boolean
  /** Milliseconds since 1970. */
  now(): number
}

/**
 * Looks where a signed step stands and sends its bytes when the node does not know them. Answers the record as it is from now on,
 * or `wait` when nothing changed, or `missed` when nothing good was seen and patience is asked for.
 */
export async function settle(asked: Asked): Promise<SwapRecord | 'wait' | 'missed'> {
  const { record, step, chain, confirmations, patient, now } = asked
  const sight = await look(chain, record.intent.account, step, confirmations)
  // A node of another chain knows nothing of it either.
  if (sight.seen === 'nothing' || sight.seen === 'replaced') await chain.verify()
  switch (sight.seen) {
    case 'mined':
      return settleMined(asked, sight.receipt, sight.final)
    case 'pending':
      // It waits for the numbers before its own, and a reorganisation may have lost those alone.
      await deliver(chain, record.steps.slice(0, record.steps.indexOf(step)))
      return step.state === 'sent' ? 'wait' : underWay(record, step)
    case 'replaced':
      if (step.state === 'replaced') return now() > step.deadline ? close(record, step) : 'wait'
      return patient ? 'missed' : fail(withStep(record, step, { state: 'replaced' }), replaced(step))
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

async function settleMined(
  { record, step, chain }: Asked,
  receipt: Receipt,
  final: boolean,
): Promise<SwapRecord | 'wait'> {
  const fee = receipt.gasUsed * receipt.effectiveGasPrice
  if (receipt.status === 'reverted') {
    if (step.state === 'reverted') return final ? close(record, step) : 'wait'
    const error = await whyReverted(chain, record.intent, step)
    return fail(withStep(record, step, { state: 'reverted', fee }), error)
  }
  const state = final ? 'final' : 'mined'
  if (step.state === state) return 'wait'
  const settled = withStep(record, step, { state, fee })
  const steps = final ? settled.steps.map(finish) : settled.steps
  const outcome: Swap['outcome'] =
    step.kind === 'swap'
      ? { status: 'done', received: receivedBy(record.intent, receipt) }
      : reopened(record, step)
  return { ...settled, steps, outcome }
}

/** Nonces are used in order, so a final transaction makes those before it final. */
function finish(step: StepRecord): StepRecord {
  return isSigned(step) ? { ...step, state: 'final' } : step
}

/** Nothing brings a reverted or replaced transaction back any more. */
function close(record: SwapRecord, step: SignedStep): SwapRecord {
  const steps = record.steps.map((one) => (one === step ? { ...step, settled: true } : finish(one)))
  return { ...record, steps }
}

function underWay(record: SwapRecord, step: SignedStep): SwapRecord {
  return { ...withStep(record, step, { state: 'sent' }), outcome: reopened(record, step) }
}

/**
 * A swap that is under way again, after a reorganisation or after it was given up, is no end any more. An approval that turns up
 * late changes nothing of what the user was told: no swap is signed after it.
 */
function reopened({ outcome }: SwapRecord, step: SignedStep): Swap['outcome'] {
  return step.kind === 'swap' ? { status: 'working' } : outcome
}

function giveUp(record: SwapRecord, step: SignedStep, error?: unknown): SwapRecord {
  return fail(withStep(record, step, { state: 'dropped' }), dropped(step, error))
}

function withStep(record: SwapRecord, old: SignedStep, change: Partial<SignedStep>): SwapRecord {
  return { ...record, steps: record.steps.map((step) => (step === old ? { ...old, ...change } : step)) }
}

/** Sends every signed transaction that is not final, in order: after a reorganisation the earlier ones may be gone as well. */
async function deliver(chain: Chain, steps: StepRecord[]): Promise<void> {
  for (const step of steps) if (isSigned(step) && step.state !== 'final') await chain.send(step.raw)
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
  intent: SwapIntent,
  { raw, hash }: SignedStep,
): Promise<WalletError> {
  const { to, data, value } = parseTransaction(raw)
  const call = { from: intent.account, to: to ?? intent.router, data: data ?? '0x', value: value ?? 0n }
  const error = await chain.estimateGas(call).then(
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
