import type { Chain } from '../../chain/client.ts'
import { describeCall, type Known } from '../../domain/abi/callWords.ts'
import type { Call, Simulation } from '../../domain/activity/calls.ts'
import { type CallFacts, type CallQuestions, callRisks, questionsOf } from '../../domain/page/callRisks.ts'
import type { Risk } from '../../domain/page/risk.ts'
import { marketOf } from '../prices/marketOf.ts'

/** Why `calls` need a second look, by what the network's node tells of balances, allowances and prices. What it does not tell is missing. */
export async function readCallRisks(
  chain: Chain,
  calls: Call[],
  known: Known & { wrapped: CallFacts['wrapped'] },
  simulation: Simulation,
): Promise<Risk[]> {
  const words = calls.map((call) => describeCall(call, known))
  const facts: CallFacts = { account: known.account, wrapped: known.wrapped, simulation }
  const asked = questionsOf(words, facts)
  const [balances, allowances, returns] = await Promise.all([
    orMissing(asked.balances.length > 0 ? chain.balances(known.account, asked.balances) : undefined),
    orMissing(readAllowances(chain, facts, asked.allowances)),
    marketOf(chain, asked.trades),
  ])
  return callRisks(words, {
    ...facts,
    returns,
    ...(balances && { balances }),
    ...(allowances && { allowances }),
  })
}

async function readAllowances(chain: Chain, { account }: CallFacts, pairs: CallQuestions['allowances']) {
  if (pairs.length === 0) return []
  const tokens = new Set(pairs.map(({ token }) => token))
  const spenders = new Set(pairs.map(({ spender }) => spender))
  return chain.allowances(account, [...tokens], [...spenders])
}

function orMissing<T>(reading: Promise<T> | undefined): Promise<T | undefined> {
  return Promise.resolve(reading).catch(() => undefined)
}
