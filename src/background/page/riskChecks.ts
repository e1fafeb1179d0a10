import { describeCall, knownOn } from '../../domain/abi/callWords.ts'
import type { Preview } from '../../domain/activity/calls.ts'
import type { Approval, Decision } from '../../domain/page/approval.ts'
import { callRisks } from '../../domain/page/callRisks.ts'
import { keysToAcknowledge, type Risk } from '../../domain/page/risk.ts'
import { WalletError } from '../../errors.ts'
import type { Networks } from '../networks/networks.ts'

type Deps = {
  networks: Pick<Networks, 'network'>
  preview(approval: Approval): Promise<Preview>
  now?(): number
  /** How long a decision waits for risks that nobody has read yet. */
  waitMs?: number
}

/** Risks of open requests, as the user was shown them. */
export type RiskChecks = {
  preview(approval: Approval): Promise<Preview>
  /** Throws `stale-review` while `decision` leaves a grave risk unacknowledged. */
  check(approval: Approval, decision: Decision): Promise<void>
}

/** A screen renews what it shows every 12 seconds. */
const freshMs = 30_000
const mostKept = 50

export function createRiskChecks({ networks, preview, now = Date.now, waitMs = 4_000 }: Deps): RiskChecks {
  /** The newest reading of each request, by its id. */
  const seen = new Map<string, { risks: Risk[]; at: number }>()

  async function read(approval: Approval): Promise<Preview> {
    const found = await preview(approval)
    seen.delete(approval.id)
    seen.set(approval.id, { risks: found.risks, at: now() })
    for (const id of [...seen.keys()].slice(0, -mostKept)) seen.delete(id)
    return found
  }

  async function risksOf(approval: Approval): Promise<Risk[]> {
    const known = seen.get(approval.id)
    if (known !== undefined && Math.abs(now() - known.at) < freshMs) return known.risks
    const fresh = await within(waitMs, read(approval))
    return fresh?.risks ?? withoutFacts(approval)
  }

  /** What the request alone tells: an amount that nobody could compare counts as grave. */
  async function withoutFacts({ ask, chainId }: Approval): Promise<Risk[]> {
    if (ask.kind !== 'send') return []
    const { account, calls } = ask
    const known = knownOn(await networks.network(chainId), { account, chainId })
    return callRisks(
      calls.map((call) => describeCall(call, known)),
      known,
    )
  }

  return {
    preview: read,
    async check(approval, decision) {
      if (approval.ask.kind !== 'send' || decision.kind !== 'send') return
      const needed = keysToAcknowledge(await risksOf(approval))
      const missing = needed.filter((key) => !decision.acknowledged?.includes(key))
      if (missing.length === 0) return
      throw new WalletError('stale-review', 'A warning of this request was not acknowledged.', {
        risks: missing.join(', ').slice(0, 1_000),
      })
    },
  }
}

/** Undefined when `reading` fails or takes longer. */
function within<T>(ms: number, reading: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined)
    reading.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}
