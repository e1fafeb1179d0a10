import type { BalanceChange, Simulation } from '../activity/callBatch.ts'
import { isWorse } from '../activity/worse.ts'
import type { CallWords } from '../calldata/describeCall.ts'
import type { CallFacts } from './callFacts.ts'
import { callRisks } from './callRisks.ts'
import { isFairExchange } from './exchangeRisks.ts'
import { type Risk, riskKey } from './risk.ts'

type Succeeds = Extract<Simulation, { status: 'succeeds' }>
type Unreturned = Extract<Risk, { kind: 'unreturned' }>

/**
 * Risks of a batch that ends early. `parts` are simulations of its first call, of its first two, and so on: each call is a transaction of
 * its own, so that a contract may take in one and refuse the next.
 */
export function partRisks(words: CallWords[], facts: CallFacts, parts: Simulation[]): Risk[] {
  const { simulation: whole } = facts
  // Any other outcome takes a tick already.
  if (whole?.status !== 'succeeds') return []
  const risks = new Map<string, Risk>()
  const unreturned = new Map<string, Unreturned>()
  for (const [index, part] of parts.entries()) {
    if (part.status !== 'succeeds') {
      risks.set('unseen', { kind: 'unseen', isGrave: true })
      break
    }
    const partFacts = { ...facts, simulation: part }
    for (const risk of callRisks(words.slice(0, index + 1), partFacts)) {
      if (risk.kind === 'beyond-balance' && risk.isGrave) risks.set(riskKey(risk), risk)
    }
    if (!isAwaiting(whole, part) || isFairExchange(partFacts)) continue
    for (const change of lossesOf(part)) {
      const { token, nft, amount } = change
      const known = unreturned.get(keyOf(change))
      if (known !== undefined && known.amount >= -amount) continue
      unreturned.set(keyOf(change), {
        kind: 'unreturned',
        calls: index + 1,
        token: token.address,
        amount: -amount,
        ...(nft !== undefined && { nft }),
        isGrave: true,
      })
    }
  }
  return [...risks.values(), ...unreturned.values()]
}

/** True when `part` has taken more of something than the share of the return that it has brought. One percent counts as nothing. */
function isAwaiting(whole: Succeeds, part: Succeeds): boolean {
  const [all, now] = [amountsOf(whole), amountsOf(part)]
  return lossesOf(part).some((loss) => {
    const [total, lost] = [all.get(keyOf(loss)) ?? 0n, -loss.amount]
    if (isWorse(total, -lost)) return true
    return [...all].some(([key, promised]) => {
      const received = now.get(key) ?? 0n
      return promised > 0n && lost * promised * 100n > -total * (received * 100n + promised)
    })
  })
}

function lossesOf({ changes }: Succeeds): BalanceChange[] {
  return changes.filter(({ amount }) => amount < 0n)
}

function amountsOf({ changes }: Succeeds): Map<string, bigint> {
  const amounts = new Map<string, bigint>()
  for (const change of changes) {
    amounts.set(keyOf(change), (amounts.get(keyOf(change)) ?? 0n) + change.amount)
  }
  return amounts
}

function keyOf({ token, nft, isDrawn }: BalanceChange): string {
  return isDrawn ? `${token.address} drawn` : `${token.address} ${nft}`
}
