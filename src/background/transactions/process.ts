import { getChainId, type Intent, isFinal, isSwapIntent } from '../../domain/activity/intent.ts'
import type { StepKind } from '../../domain/swap/swap.ts'
import { wrapKind } from '../../domain/swap/wrap.ts'
import { toWalletError } from '../../errors.ts'
import { cached } from '../../lib/async/cached.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Networks } from '../networks/networks.ts'
import type { SettingsStore } from '../settings.ts'
import { agreedPlan } from '../swap/approvalPlan.ts'
import { fail } from './fail.ts'
import {
  type IntentRecord,
  isInBlock,
  isMined,
  isSigned,
  isStepFinal,
  type Journal,
  type WaitingStep,
} from './journal.ts'
import { isRetryable, isTransient, maxMisses, retryForMs } from './retryPolicy.ts'
import { createSigner } from './signer.ts'
import { hasEarlierSwap } from './swapOrder.ts'
import { updateFromChain } from './updateStatus.ts'
import { requireFreshReview } from './young.ts'

type Deps = {
  vault: Pick<Vault, 'status' | 'withKey'>
  networks: Networks
  settings: Pick<SettingsStore, 'get'>
  journal: Pick<Journal, 'list'>
  /** Stores a record, so that all views hear of it. */
  save(record: IntentRecord): Promise<IntentRecord>
  /** Milliseconds since 1970. */
  now(): number
}

/** How often a step was not as it should be since it last was, which counts by itself. One that changed is another. */
export type FailureCounts = WeakMap<object, number>

/**
 * `on`: something changed, so go on at once. `trouble`: somebody did not answer as they should, which counts when it lasts. `turn`: an
 * older swap of the same token goes first.
 */
export type NextAction = 'on' | 'wait' | 'trouble' | 'turn' | 'stop'

/** One step forward: looks where each transaction stands that may still change, and signs the next once all are mined. */
export function createProcessor(parts: Deps) {
  const { vault, networks, journal, save, now } = parts
  const sign = createSigner({ ...parts, save: async (record) => void (await save(record)) })

  /** Plans the steps, or signs the first that waits. */
  async function goOn(
    record: IntentRecord,
    missed: FailureCounts,
    troubleSince: number | undefined,
  ): Promise<NextAction> {
    const index = record.steps.findIndex((step) => !isSigned(step))
    // One of which something changed may be signed now.
    const before = missed.get(record) ?? 0
    try {
      requireFreshReview(record.createdAt, now())
      if (hasEarlierSwap(record, await journal.list())) return await waitForTurn(record)
      if (record.steps.length === 0)
        await save({ ...record, steps: await plan(record.intent), outcome: { status: 'working' } })
      else {
        if ((await vault.status()) !== 'unlocked') return await needUnlock(record)
        await sign(record, index)
      }
      return 'on'
    } catch (cause) {
      const error = toWalletError(cause)
      if (error.code === 'locked') return needUnlock(record)
      // One question may take longer than all the tries: how long a trouble lasts is known from its first end on.
      if (isTransient(error) && now() - (troubleSince ?? now()) < retryForMs) return 'trouble'
      if (isRetryable(record, error) && before + 1 < maxMisses) {
        missed.set(record, before + 1)
        return 'wait'
      }
      await save(fail(record, error))
      return 'on'
    }
  }

  async function plan(intent: Intent): Promise<WaitingStep[]> {
    if (!isSwapIntent(intent)) return intent.calls.map(() => waiting('call'))
    const { trade, router } = intent
    const { chainId } = trade
    const { wrapped } = await networks.network(chainId)
    const kind = router === wrapped ? wrapKind(trade, wrapped) : undefined
    if (kind !== undefined) return [waiting(kind)]
    return (await agreedPlan(await networks.chain(chainId), await networks.api(chainId), intent)).steps.map(
      waiting,
    )
  }

  async function waitForTurn(record: IntentRecord): Promise<NextAction> {
    const { outcome } = record
    if (outcome.status !== 'working' || !outcome.waitsForTurn)
      await save({ ...record, outcome: { status: 'working', waitsForTurn: true } })
    return 'turn'
  }

  async function needUnlock(record: IntentRecord): Promise<NextAction> {
    if (record.outcome.status !== 'needs-unlock')
      await save({ ...record, outcome: { status: 'needs-unlock' } })
    return 'stop'
  }

  return async function advance(
    record: IntentRecord,
    missed: FailureCounts,
    troubleSince: number | undefined,
  ): Promise<NextAction> {
    const signed = record.steps.filter(isSigned)
    const open = signed.filter((step) => !isStepFinal(step))
    let isHeld = false
    if (open.length > 0) {
      const chainId = getChainId(record.intent)
      const network = await networks.network(chainId).catch(() => undefined)
      // It was removed: what was given up there is looked for again once it is back.
      if (network === undefined) return 'stop'
      const { confirmations } = network
      const node = await networks.chain(chainId)
      // One and the same for all of them, and asked once.
      const chain = { ...node, blockNumber: cached(node.blockNumber).get }
      for (const step of open) {
        const before = missed.get(step) ?? 0
        const patient = before + 1 < maxMisses
        const found = await updateFromChain({ record, step, chain, confirmations, patient, isHeld, now })
        if (typeof found === 'string') {
          missed.set(step, found === 'missed' ? before + 1 : 0)
          isHeld ||= found === 'missed'
        } else {
          // Without a pause nothing is looked at again that is not as it should be, or that left its block.
          isHeld ||= inBlocks(found) < inBlocks(record)
          record = await save(found)
          if (!isHeld) return 'on'
        }
      }
    }
    if (isHeld || isFinal(record) || !signed.every(isMined)) return 'wait'
    return goOn(record, missed, troubleSince)
  }
}

/** How many of its steps are in blocks. */
function inBlocks({ steps }: IntentRecord): number {
  return steps.filter(isInBlock).length
}

function waiting(kind: StepKind): WaitingStep {
  return { kind, state: 'waiting' }
}
