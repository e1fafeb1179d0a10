import { isSwapIntent } from '../../domain/activity/intent.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { Receipt } from '../../evm/schemas.ts'
import { readTransaction, receiptFee } from '../../evm/transaction.ts'
import { fail } from './fail.ts'
import {
  competingTransactions,
  type IntentRecord,
  isInBlock,
  isMined,
  isSigned,
  type ReplacementTransaction,
  type SignedStep,
  type StepRecord,
} from './journal.ts'
import { readStatus, type TransactionStatus } from './readStatus.ts'
import { readSwapResult, type SwapResult } from './receivedAmount.ts'

type Deps = {
  record: IntentRecord
  /** A signed one. */
  step: SignedStep
  chain: Chain
  confirmations: number
  /** Another look may come: what is not as it should be is not believed yet. */
  patient: boolean
  /** One before it may be lost: it is not sent until that is known. */
  isHeld: boolean
  /** Milliseconds since 1970. */
  now(): number
}

const dayMs = 86_400_000

/**
 * Looks where a signed step stands and sends its bytes when the node does not know them. Answers the record as it is from now on,
 * or `wait` when nothing changed, or `missed` when nothing good was seen and patience is asked for. Each step is told by its own
 * transactions alone: after a reorganisation the numbers before it may be somebody else's.
 */
export async function updateFromChain(asked: Deps): Promise<IntentRecord | 'wait' | 'missed'> {
  const { record, step, chain, confirmations, isHeld, now } = asked
  const { steps } = record
  const [newest] = competingTransactions(step)
  const sight = await readStatus(chain, record.intent.account, step, confirmations)
  const { isSure } = sight
  // One that a reorganisation lost is sent as long as the last one is.
  const { deadline } = steps.findLast(isSigned) ?? step
  // Nobody waits longer than a day for a node that is silent.
  const patient = asked.patient || (!isSure && now() < deadline + dayMs)
  // A node of another chain knows nothing of it either.
  if (sight.seen === 'nothing' || sight.seen === 'replaced') await chain.verify()
  // It is in no block any more, whatever comes of it. Who saw it mined may be the node that is silent now.
  if (sight.seen !== 'mined' && isInBlock(step)) return isSure ? underWay(record, step) : 'wait'
  switch (sight.seen) {
    case 'mined':
      return settleMined(asked, sight)
    case 'pending':
      // An older one waits, and the pool has forgotten the newest, or has not taken it yet.
      if (sight.hash !== newest.hash) await chain.send(newest.raw).catch(() => undefined)
      return underWay(record, step)
    case 'replaced':
      if (step.state === 'replaced')
        // Nobody waits longer than a day for a node that is silent.
        return now() > (isSure ? deadline : deadline + dayMs) && (await isUsedDeep(asked))
          ? close(record, step)
          : 'wait'
      // Who knows of the block that used its number would know of the receipt as well, if it was heard.
      return asked.patient || (patient && !sight.isHeard)
        ? 'missed'
        : turn(record, step, { state: 'replaced' }, replaced(step))
    case 'nothing': {
      if (step.state === 'dropped') return 'wait'
      // What was agreed to after a step is not to happen without it.
      const isLate = now() > deadline || steps.slice(0, steps.indexOf(step)).some(isLost)
      if (isLate) return patient ? 'missed' : giveUp(record, step)
      if (isHeld) return 'wait'
      try {
        await chain.send(newest.raw)
      } catch (cause) {
        const error = toWalletError(cause)
        // The account cannot pay. Other refusals may pass (a full pool, a busy node): the bytes are sent until their deadline.
        if (error.code !== 'not-enough-gas') return 'wait'
        return patient ? 'missed' : giveUp(record, step, error)
      }
      return underWay(record, step)
    }
  }
}

/** What used its number did so long ago: a reorganisation would give it back, and the transaction with it. A day will do where no node knows. */
async function isUsedDeep({ record, step, chain, confirmations, now }: Deps): Promise<boolean> {
  const deep = (await chain.blockNumber()) - BigInt(Math.min(confirmations, mostKept))
  return chain.minedBy(record.intent.account, deep).then(
    (mined) => mined > step.nonce,
    () => now() > step.deadline + dayMs,
  )
}

/** Blocks back of which nodes still know how an account stood: most keep 128. */
const mostKept = 100

async function settleMined(
  { record, step, chain, now }: Deps,
  { hash, receipt, isDeep }: Extract<TransactionStatus, { seen: 'mined' }>,
): Promise<IntentRecord | 'wait'> {
  const rivals = competingTransactions(step)
  const { cancels, ...bytes } = rivals.find((one) => one.hash === hash) ?? rivals[0]
  const isReverted = receipt.status === 'reverted'
  // One node that lies must not have the last word, nor does another that is out of order for days keep this one open.
  const final = isDeep && receipt.isAgreed
  const isDoubted = isDeep !== final || undefined
  const state = cancels ? 'cancelled' : isReverted ? 'reverted' : final ? 'final' : 'mined'
  // Of rivals another may have been in a block that was taken back.
  if (step.hash === hash && step.state === state && step.isDoubted === isDoubted)
    return final || (isDoubted && now() > step.deadline + dayMs) ? close(record, step) : 'wait'
  const change = { ...bytes, state, isDoubted, fee: receiptFee(receipt), block: receipt.blockNumber } as const
  if (cancels) return turn(record, step, change, cancelled())
  if (isReverted) return turn(record, step, change, await whyReverted(chain, record, step, bytes, receipt))
  const last = record.steps.at(-1)
  if (last === step) return turn(record, step, change, await brought(record, receipt, chain))
  const mined = turn(record, step, change)
  // The cancellation came too late for this one; for what would have come next it did not.
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
  // A node forgets what a block did; what it said while the block was young stands.
  return isUnread && (outcome.status === 'done' || outcome.status === 'below-minimum') ? outcome : found
}

/** Nothing brings a reverted or replaced transaction back any more, or nobody waits for it to be told by both nodes. */
function close(record: IntentRecord, step: SignedStep): IntentRecord {
  return withStep(record, step, { ...step, settled: true })
}

function underWay(record: IntentRecord, step: SignedStep): IntentRecord | 'wait' {
  return step.state === 'sent' ? 'wait' : turn(record, step, { state: 'sent', isDoubted: undefined })
}

function giveUp(record: IntentRecord, step: SignedStep, error?: WalletError): IntentRecord {
  return turn(record, step, { state: 'dropped' }, dropped(step, error))
}

/**
 * The record with a step that stands in another way than before, and with what the user is told now. Of a swap that is signed the last
 * step decides, else all do: the first that is lost says why. What was told of a loss stays when nothing was signed after it: nothing will be.
 */
function turn(
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

/** Of calls it is not counted what they bring. */
const nothingBrought: SwapResult = { status: 'done', received: 0n }

/** Nothing comes of it, as it stands. */
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

/** The contract's reason, as far as a node tells it: receipts carry none. `step` is the kind that reverted. */
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
