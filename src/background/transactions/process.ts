import { getChainId, hasOutcome, type Intent, isSwapIntent } from '../../domain/activity/intent.ts'
import type { StepKind } from '../../domain/swap/swap.ts'
import { wrapKind } from '../../domain/swap/wrap.ts'
import { toWalletError } from '../../errors.ts'
import { cached } from '../../lib/async/cached.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Networks } from '../networks/networks.ts'
import type { SettingsStore } from '../settings.ts'
import { agreedPlan } from '../swap/approvalPlan.ts'
import { broadcastOrTrack } from './broadcastOrTrack.ts'
import { fail } from './fail.ts'
import { isInBlock, isMined, isSigned, isStepFinal, type Journal } from './journal.ts'
import { requireRecentConfirmation } from './recentConfirmation.ts'
import { isRetryable, isTransient, maxMisses, retryForMs } from './retryPolicy.ts'
import type { IntentRecord, WaitingStep } from './schemas.ts'
import { createSigner } from './signer.ts'
import { hasEarlierSwap } from './swapOrder.ts'

type Deps = {
  vault: Pick<Vault, 'status' | 'withKey'>
  networks: Networks
  settings: Pick<SettingsStore, 'get'>
  journal: Pick<Journal, 'list'>
  save(record: IntentRecord): Promise<IntentRecord>
  now(): number
}

/** Consecutive failures of a record or step. */
export type FailureCounts = WeakMap<object, number>

/** `continue`: at once. `retry`: after a transient error. `yield`: an older swap goes first. */
export type NextAction = 'continue' | 'wait' | 'retry' | 'yield' | 'stop'

/** Updates open transactions, and signs the next step once all are mined. */
export function createProcessor(parts: Deps) {
  const { vault, networks, journal, save, now } = parts
  const sign = createSigner({ ...parts, save: async (record) => void (await save(record)) })

  async function signNext(
    record: IntentRecord,
    failures: FailureCounts,
    troubleSince: number | undefined,
  ): Promise<NextAction> {
    const index = record.steps.findIndex((step) => !isSigned(step))
    const before = failures.get(record) ?? 0
    try {
      requireRecentConfirmation(record.createdAt, now())
      if (hasEarlierSwap(record, await journal.list())) return await waitForTurn(record)
      if (record.steps.length === 0)
        await save({ ...record, steps: await plan(record.intent), outcome: { status: 'working' } })
      else {
        if ((await vault.status()) !== 'unlocked') return await needUnlock(record)
        await sign(record, index)
      }
      return 'continue'
    } catch (cause) {
      const error = toWalletError(cause)
      if (error.code === 'locked') return needUnlock(record)
      // One request may outlast all tries.
      if (isTransient(error) && now() - (troubleSince ?? now()) < retryForMs) return 'retry'
      if (isRetryable(record, error) && before + 1 < maxMisses) {
        failures.set(record, before + 1)
        return 'wait'
      }
      await save(fail(record, error))
      return 'continue'
    }
  }

  async function plan(intent: Intent): Promise<WaitingStep[]> {
    if (!isSwapIntent(intent)) return intent.calls.map(() => waiting('call'))
    const { trade, router } = intent
    const { chainId } = trade
    const { wrapped } = await networks.network(chainId)
    const kind = router === wrapped ? wrapKind(trade, wrapped) : undefined
    if (kind !== undefined) return [waiting(kind)]
    return (
      await agreedPlan(
        await networks.chain(chainId),
        await networks.api(chainId, intent.options?.source),
        intent,
      )
    ).steps.map(waiting)
  }

  async function waitForTurn(record: IntentRecord): Promise<NextAction> {
    const { outcome } = record
    if (outcome.status !== 'working' || !outcome.waitsForTurn)
      await save({ ...record, outcome: { status: 'working', waitsForTurn: true } })
    return 'yield'
  }

  async function needUnlock(record: IntentRecord): Promise<NextAction> {
    if (record.outcome.status !== 'needs-unlock')
      await save({ ...record, outcome: { status: 'needs-unlock' } })
    return 'stop'
  }

  return async function advance(
    record: IntentRecord,
    failures: FailureCounts,
    troubleSince: number | undefined,
  ): Promise<NextAction> {
    const signed = record.steps.filter(isSigned)
    const open = signed.filter((step) => !isStepFinal(step))
    let isHeld = false
    if (open.length > 0) {
      const chainId = getChainId(record.intent)
      const network = await networks.network(chainId).catch(() => undefined)
      // Network removed; resumes once it is back.
      if (network === undefined) return 'stop'
      const { confirmations } = network
      const node = await networks.chain(chainId)
      const chain = { ...node, blockNumber: cached(node.blockNumber).get }
      for (const step of open) {
        const before = failures.get(step) ?? 0
        const patient = before + 1 < maxMisses
        const found = await broadcastOrTrack({ record, step, chain, confirmations, patient, isHeld, now })
        if (typeof found === 'string') {
          failures.set(step, found === 'missed' ? before + 1 : 0)
          isHeld ||= found === 'missed'
        } else {
          // Failing steps are polled again after a pause.
          isHeld ||= inBlocks(found) < inBlocks(record)
          record = await save(found)
          if (!isHeld) return 'continue'
        }
      }
    }
    if (isHeld || hasOutcome(record) || !signed.every(isMined)) return 'wait'
    return signNext(record, failures, troubleSince)
  }
}

function inBlocks({ steps }: IntentRecord): number {
  return steps.filter(isInBlock).length
}

function waiting(kind: StepKind): WaitingStep {
  return { kind, state: 'waiting' }
}
