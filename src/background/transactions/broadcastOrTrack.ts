import { isSwapIntent } from '../../domain/activity/intent.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { Receipt } from '../../evm/rpc/schemas.ts'
import { readTransaction, receiptFee } from '../../evm/transaction.ts'
import { fail } from './fail.ts'
import { competingTransactions, isInBlock, isMined, isSigned } from './journal.ts'
import { readStatus, type TransactionStatus } from './readStatus.ts'
import { readSwapResult, type SwapResult } from './receivedAmount.ts'
import type { IntentRecord, ReplacementTransaction, SignedStep, StepRecord } from './schemas.ts'

type Deps = {
  record: IntentRecord
  step: SignedStep
  chain: Chain
  confirmations: number
  /** Another check may follow. */
  patient: boolean
  /** An earlier step may be lost. */
  isHeld: boolean
  now(): number
}

const dayMs = 86_400_000

/**
 * Updates a signed step, resending it if unknown. `wait`: no change. `missed`: a failure not yet believed.
 * Counts only its own transactions, as reorganisations free earlier nonces.
 */
export async function broadcastOrTrack(asked: Deps): Promise<IntentRecord | 'wait' | 'missed'> {
  const { record, step, chain, confirmations, isHeld, now } = asked
  const { steps } = record
  const [newest] = competingTransactions(step)
  const sight = await readStatus(chain, record.intent.account, step, confirmations)
  const { isSure } = sight
  // Reorganised steps are resent as long as the last.
  const { deadline } = steps.findLast(isSigned) ?? step
  // At most a day for a silent RPC.
  const patient = asked.patient || (!isSure && now() < deadline + dayMs)
  // An RPC of another chain knows neither.
  if (sight.seen === 'nothing' || sight.seen === 'replaced') await chain.verify()
  // Reorganised; the RPC that saw it may be silent now.
  if (sight.seen !== 'mined' && isInBlock(step)) return isSure ? underWay(record, step) : 'wait'
  switch (sight.seen) {
    case 'mined':
      return settleMined(asked, sight)
    case 'pending':
      // The pool may lack the newest.
      if (sight.hash !== newest.hash) await chain.send(newest.raw).catch(() => undefined)
      return underWay(record, step)
    case 'replaced':
      if (step.state === 'replaced')
        return now() > (isSure ? deadline : deadline + dayMs) && (await isUsedDeep(asked))
          ? close(record, step)
          : 'wait'
      // An RPC that knows the nonce's block knows the receipt.
      return asked.patient || (patient && !sight.isHeard)
        ? 'missed'
        : withStepState(record, step, { state: 'replaced' }, replaced(step))
    case 'nothing': {
      if (step.state === 'dropped') return 'wait'
      // Steps require the earlier ones.
      const isLate = now() > deadline || steps.slice(0, steps.indexOf(step)).some(isLost)
      if (isLate) return patient ? 'missed' : giveUp(record, step)
      if (isHeld) return 'wait'
      try {
        await chain.send(newest.raw)
      } catch (cause) {
        const error = toWalletError(cause)
        // Other refusals may pass.
        if (error.code !== 'not-enough-gas') return 'wait'
        return patient ? 'missed' : giveUp(record, step, error)
      }
      return underWay(record, step)
    }
  }
}

/** Used beyond reorganisation; after a day if no RPC tells. */
async function isUsedDeep({ record, step, chain, confirmations, now }: Deps): Promise<boolean> {
  const deep = (await chain.blockNumber()) - BigInt(Math.min(confirmations, maxKept))
  return chain.nonceAtBlock(record.intent.account, deep).then(
    (mined) => mined > step.nonce,
    () => now() > step.deadline + dayMs,
  )
}

/** Most RPCs keep the state of 128 blocks. */
const maxKept = 100

async function settleMined(
  { record, step, chain, now }: Deps,
  { hash, receipt, isDeep }: Extract<TransactionStatus, { seen: 'mined' }>,
): Promise<IntentRecord | 'wait'> {
  const rivals = competingTransactions(step)
  const { cancels, ...bytes } = rivals.find((one) => one.hash === hash) ?? rivals[0]
  const isReverted = receipt.status === 'reverted'
  // A lying RPC must not decide, nor a failing one keep it open for days.
  const final = isDeep && receipt.isAgreed
  const isDoubted = isDeep !== final || undefined
  const state = cancels ? 'cancelled' : isReverted ? 'reverted' : final ? 'final' : 'mined'
  // Another may have been in a reorganised block.
  if (step.hash === hash && step.state === state && step.isDoubted === isDoubted)
    return final || (isDoubted && now() > step.deadline + dayMs) ? close(record, step) : 'wait'
  const change = { ...bytes, state, isDoubted, fee: receiptFee(receipt), block: receipt.blockNumber } as const
  if (cancels) return withStepState(record, step, change, cancelled())
  if (isReverted)
    return withStepState(record, step, change, await whyReverted(chain, record, step, bytes, receipt))
  const last = record.steps.at(-1)
  if (last === step) return withStepState(record, step, change, await brought(record, receipt, chain))
  const mined = withStepState(record, step, change)
  // The cancellation stops the next step.
  return rivals[0].cancels && last?.state === 'waiting' ? fail(mined, cancelled()) : mined
}

async function brought(
  { intent, outcome }: IntentRecord,
  receipt: Receipt,
  chain: Chain,
): Promise<SwapResult> {
  if (!isSwapIntent(intent)) return nothingBrought
  const found = await readSwapResult(intent, receipt, chain)
  const isUnread = found.status === 'done' && found.isLeast
  // RPCs prune old state.
  return isUnread && (outcome.status === 'done' || outcome.status === 'below-minimum') ? outcome : found
}

function close(record: IntentRecord, step: SignedStep): IntentRecord {
  return withStep(record, step, { ...step, settled: true })
}

function underWay(record: IntentRecord, step: SignedStep): IntentRecord | 'wait' {
  return step.state === 'sent' ? 'wait' : withStepState(record, step, { state: 'sent', isDoubted: undefined })
}

function giveUp(record: IntentRecord, step: SignedStep, error?: WalletError): IntentRecord {
  return withStepState(record, step, { state: 'dropped' }, dropped(step, error))
}

/**
 * A fully signed swap depends on its last step, else all count; the first lost step gives the error, which
 * stays if nothing follows.
 */
function withStepState(
  record: IntentRecord,
  step: SignedStep,
  change: Partial<SignedStep>,
  found: WalletError | SwapResult = nothingBrought,
): IntentRecord {
  const changed = { ...step, ...change }
  const next = withStep(record, step, changed)
  const { intent, steps } = next
  const areSigned = steps.every(isSigned)
  const deciding = isSwapIntent(intent) && areSigned ? steps.slice(-1) : steps
  const lost = deciding.find(isLost)
  if (found instanceof WalletError) return lost === changed ? fail(next, found) : next
  if (lost || !areSigned || !deciding.includes(changed)) return next
  return { ...next, outcome: deciding.every(isMined) ? found : { status: 'working' } }
}

/** Not counted for calls. */
const nothingBrought: SwapResult = { status: 'done', received: 0n }

function isLost({ state }: StepRecord): boolean {
  return state === 'reverted' || state === 'cancelled' || state === 'replaced' || state === 'dropped'
}

function withStep(record: IntentRecord, old: SignedStep, changed: SignedStep): IntentRecord {
  return { ...record, steps: record.steps.map((step) => (step === old ? changed : step)) }
}

function replaced({ hash, nonce }: SignedStep): WalletError {
  return new WalletError('replaced', `Another transaction of the account used the number ${nonce}.`, {
    hash,
    nonce: String(nonce),
  })
}

function cancelled(): WalletError {
  return new WalletError('cancelled', 'It was cancelled.')
}

function dropped({ hash, nonce }: SignedStep, error?: WalletError): WalletError {
  const why = error?.message.replace(/\.$/, '') ?? 'No node has it'
  return new WalletError('dropped', `The transaction was given up and is not sent again. ${why}.`, {
    hash,
    nonce: String(nonce),
  })
}

/** Receipts carry no reason. */
async function whyReverted(
  chain: Chain,
  { intent: { account: from }, steps }: IntentRecord,
  step: SignedStep,
  { raw, hash }: ReplacementTransaction,
  { blockNumber: block, gasUsed }: Receipt,
): Promise<WalletError> {
  const { to, data, value, gas, accessList } = readTransaction(raw)
  const call = { from, ...(to && { to }), data, value, gas, ...(accessList && { accessList }) }
  const isAlone = !steps.some((one) => one !== step && isSigned(one) && one.block === block)
  const found = await chain.minedRevert({ hash, block, call, gasUsed, isAlone })
  const why = found?.reason ? `: ${found.reason}` : ''
  return new WalletError('reverted', `The transaction failed on the chain. Its contract refused${why}.`, {
    ...found?.facts,
    ...(found?.reason && { reason: found.reason }),
    hash,
    step: step.kind,
  })
}
