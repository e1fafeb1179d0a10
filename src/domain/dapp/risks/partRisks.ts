import type { BalanceChange, Simulation } from '../../activity/simulation.ts'
import { isWorse } from '../../activity/worse.ts'
import type { DecodedCall } from '../../calldata/decodedCall.ts'
import type { CallFacts } from '../callFacts.ts'
import { callRisks } from './callRisks.ts'
import { isFairExchange } from './exchangeRisks.ts'
import { type Risk, riskKey } from './risk.ts'

type Succeeds = Extract<Simulation, { status: 'succeeds' }>
type Unreturned = Extract<Risk, { kind: 'unreturned' }>

/**
 * Returns the risks of a batch that ends early: each call is its own transaction, so a contract may take in
 * one and refuse the next. `parts` simulate the first call, the first two, and so on.
 */
export function partRisks(words: DecodedCall[], facts: CallFacts, parts: Simulation[]): Risk[] {
  const { simulation: whole } = facts
  // Others need an acknowledgement already.
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
    for (const change of toLosses(part)) {
      const { token, nft, amount } = change
      const known = unreturned.get(changeKey(change))
      if (known !== undefined && known.amount >= -amount) continue
      unreturned.set(changeKey(change), {
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

/** True if `part` took a larger share than it returned, beyond one percent. */
function isAwaiting(whole: Succeeds, part: Succeeds): boolean {
  const [all, now] = [toAmounts(whole), toAmounts(part)]
  return toLosses(part).some((loss) => {
    const [total, lost] = [all.get(changeKey(loss)) ?? 0n, -loss.amount]
    if (isWorse(total, -lost)) return true
    return [...all].some(([key, promised]) => {
      const received = now.get(key) ?? 0n
      return promised > 0n && lost * promised * 100n > -total * (received * 100n + promised)
    })
  })
}

function toLosses({ changes }: Succeeds): BalanceChange[] {
  return changes.filter(({ amount }) => amount < 0n)
}

function toAmounts({ changes }: Succeeds): Map<string, bigint> {
  const amounts = new Map<string, bigint>()
  for (const change of changes) {
    amounts.set(changeKey(change), (amounts.get(changeKey(change)) ?? 0n) + change.amount)
  }
  return amounts
}

function changeKey({ token, nft, isDrawn }: BalanceChange): string {
  return isDrawn ? `${token.address} drawn` : `${token.address} ${nft}`
}
