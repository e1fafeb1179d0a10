import { describeCall, knownOn } from '../../domain/abi/callWords.ts'
import type { Preview } from '../../domain/activity/calls.ts'
import type { Approval, Decision } from '../../domain/page/approval.ts'
import { callRisks } from '../../domain/page/callRisks.ts'
import { keysToAcknowledge, type Risk } from '../../domain/page/risk.ts'
import { signRisks } from '../../domain/page/signRisks.ts'
import { isRefusal, uncheckedRisks } from '../../domain/page/uncheckedRisks.ts'
import { describeTypedData } from '../../domain/signing/describeTypedData.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Networks } from '../networks/networks.ts'
import { readSignRisks } from '../signing/readSignRisks.ts'

type Deps = {
  networks: Pick<Networks, 'chain' | 'network'>
  preview(approval: Approval): Promise<Preview>
  now?(): number
  /** How long a decision waits for risks that nobody has read yet. */
  waitMs?: number
}

/** Risks of open requests, as the user was shown them. */
export type RiskChecks = {
  preview(approval: Approval): Promise<Preview>
  /** Of typed data; none of other requests. */
  signRisks(approval: Approval): Promise<Risk[]>
  /**
   * Throws `stale-review` while `decision` leaves a grave risk unacknowledged, and refusals of the preview such as
   * `fee-too-high`.
   */
  check(approval: Approval, decision: Decision): Promise<void>
}

/** A screen renews what it shows every 12 seconds. */
const freshMs = 30_000
const mostKept = 50

export function createRiskChecks({ networks, preview, now = Date.now, waitMs = 4_000 }: Deps): RiskChecks {
  /** The newest reading of each request, by its id. */
  const seen = new Map<string, { risks: Risk[]; at: number }>()

  function keep({ id }: Approval, risks: Risk[]): void {
    seen.delete(id)
    seen.set(id, { risks, at: now() })
    for (const old of [...seen.keys()].slice(0, -mostKept)) seen.delete(old)
  }

  async function readPreview(approval: Approval): Promise<Preview> {
    try {
      const found = await preview(approval)
      keep(approval, found.risks)
      return found
    } catch (error) {
      if (isRefusal(toWalletError(error).code)) seen.delete(approval.id)
      throw error
    }
  }

  async function readSignature(approval: Approval): Promise<Risk[]> {
    const facts = await signFacts(approval)
    if (facts === undefined) return []
    const risks = await readSignRisks(await networks.chain(approval.chainId), facts.description, facts)
    keep(approval, risks)
    return risks
  }

  async function signFacts({ ask, chainId, origin }: Approval) {
    if (ask.kind !== 'sign-typed-data') return undefined
    const { account, typedData } = ask
    const { wrapped } = knownOn(await networks.network(chainId), { account, chainId })
    return {
      account,
      wrapped,
      description: describeTypedData(typedData, { account, chainId, origin, now: now() }),
    }
  }

  async function risksOf(approval: Approval): Promise<Risk[]> {
    const known = seen.get(approval.id)
    if (known !== undefined && Math.abs(now() - known.at) < freshMs) return known.risks
    const reading =
      approval.ask.kind === 'send'
        ? readPreview(approval).then(({ risks }) => risks)
        : readSignature(approval)
    return (await within(waitMs, reading)) ?? withoutFacts(approval)
  }

  /** What the request alone tells: an amount that nobody could compare counts as grave. */
  async function withoutFacts(approval: Approval): Promise<Risk[]> {
    const { ask, chainId } = approval
    const facts = await signFacts(approval)
    if (facts !== undefined) return signRisks(facts.description, facts)
    if (ask.kind !== 'send') return []
    const { account, calls } = ask
    const known = knownOn(await networks.network(chainId), { account, chainId })
    const words = calls.map((call) => describeCall(call, known))
    return [...callRisks(words, known), ...uncheckedRisks(calls)]
  }

  return {
    preview: readPreview,
    signRisks: readSignature,
    async check(approval, decision) {
      if (decision.kind !== approval.ask.kind) return
      if (decision.kind !== 'send' && decision.kind !== 'sign-typed-data') return
      const needed = keysToAcknowledge(await risksOf(approval))
      const missing = needed.filter((key) => !decision.acknowledged?.includes(key))
      if (missing.length === 0) return
      throw new WalletError('stale-review', 'A warning of this request was not acknowledged.', {
        risks: missing.join(', ').slice(0, 1_000),
      })
    },
  }
}

/** Undefined when `reading` fails or takes longer. Throws the wallet's own refusals. */
function within<T>(ms: number, reading: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined)
    reading
      .then(resolve, (error: unknown) =>
        isRefusal(toWalletError(error).code) ? reject(error) : resolve(undefined),
      )
      .finally(() => clearTimeout(timer))
  })
}
