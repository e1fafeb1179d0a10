import type { Call } from '../../domain/activity/callBatch.ts'
import type { Simulation } from '../../domain/activity/simulation.ts'
import type { DecodedCall } from '../../domain/calldata/decodedCall.ts'
import { describeCall, type KnownContracts } from '../../domain/calldata/describeCall.ts'
import type { CallFacts, NeededFacts } from '../../domain/dapp/callFacts.ts'
import { callRisks, neededFacts } from '../../domain/dapp/risks/callRisks.ts'
import { partRisks } from '../../domain/dapp/risks/partRisks.ts'
import { type Risk, riskKey } from '../../domain/dapp/risks/risk.ts'
import { isRouterCode } from '../../domain/swap/routers.ts'
import type { Address } from '../../domain/token/token.ts'
import type { Chain } from '../../evm/client.ts'
import { readMarket } from '../quotes/marketReturn.ts'

/**
 * Returns risks by on-chain facts, as far as readable. `parts`: simulations of the first call, the first two,
 * and so on.
 */
export async function readCallRisks(
  chain: Chain,
  calls: Call[],
  place: KnownContracts & Required<Pick<CallFacts, 'wrapped' | 'listed' | 'isPlain' | 'network'>>,
  simulation: Simulation,
  parts: Simulation[],
): Promise<Risk[]> {
  const missing = await findMissingRouters(chain, calls, place)
  const words = calls.map((call) => describeCall(call, { ...place, missing }))
  const { account, wrapped, listed, isPlain, network } = place
  const facts: CallFacts = { account, wrapped, listed, isPlain, network, simulation }
  const asked = [
    neededFacts(words, facts),
    ...parts.map((part, index) => neededFacts(words.slice(0, index + 1), { ...facts, simulation: part })),
  ].reduce(join)
  const [balances, allowances, returns] = await Promise.all([
    orMissing(asked.balances.length > 0 ? chain.balances(account, asked.balances) : undefined),
    orMissing(readAllowances(chain, facts, asked.allowances)),
    readMarket(chain, asked.trades),
  ])
  const known: CallFacts = {
    ...facts,
    returns,
    ...(balances && { balances }),
    ...(allowances && { allowances }),
  }
  const risks = [...callRisks(words, known), ...partRisks(words, known, parts)]
  return [...new Map(risks.map((risk) => [riskKey(risk), risk])).values()]
}

/** Unreadable counts as missing. */
async function findMissingRouters(chain: Chain, calls: Call[], place: KnownContracts): Promise<Address[]> {
  const named = calls.flatMap((call) => routersIn(describeCall(call, place)))
  const checked = [...new Set(named)].map(async (router) => {
    const codeHash = await chain.codeHash(router).catch(() => undefined)
    return isRouterCode(router, place.chainId, codeHash) ? [] : [router]
  })
  return (await Promise.all(checked)).flat()
}

function routersIn(words: DecodedCall): Address[] {
  if (words.kind === 'swap') return words.warnings.includes('unknown-router') ? [] : [words.router]
  if (words.warnings.includes('unknown-spender')) return []
  if (words.kind === 'approve' || words.kind === 'permit') return words.amount > 0n ? [words.spender] : []
  return words.kind === 'approve-all' && words.approved ? [words.operator] : []
}

function join(one: NeededFacts, other: NeededFacts): NeededFacts {
  return {
    balances: [...new Set([...one.balances, ...other.balances])],
    allowances: [...one.allowances, ...other.allowances],
    trades: [...one.trades, ...other.trades],
  }
}

async function readAllowances(chain: Chain, { account }: CallFacts, pairs: NeededFacts['allowances']) {
  if (pairs.length === 0) return []
  const tokens = new Set(pairs.map(({ token }) => token))
  const spenders = new Set(pairs.map(({ spender }) => spender))
  return chain.allowances(account, [...tokens], [...spenders])
}

function orMissing<T>(reading: Promise<T> | undefined): Promise<T | undefined> {
  return Promise.resolve(reading).catch(() => undefined)
}
