import type { Risk } from '../../domain/dapp/risk.ts'
import { type SignFacts, signQuestions, signRisks } from '../../domain/dapp/signRisks.ts'
import type { TypedDataDescription } from '../../domain/signing/description.ts'
import type { Chain } from '../../evm/client.ts'
import { readMarket } from '../quotes/marketReturn.ts'

/** Returns the risks of a signature by on-chain facts, as far as readable. */
export async function readSignRisks(
  chain: Chain,
  description: TypedDataDescription,
  facts: SignFacts,
): Promise<Risk[]> {
  const asked = signQuestions(description, facts)
  const [balances, returns] = await Promise.all([
    asked.balances.length === 0
      ? undefined
      : chain.balances(facts.account, asked.balances).catch(() => undefined),
    readMarket(chain, asked.trades),
  ])
  return signRisks(description, { ...facts, returns, ...(balances && { balances }) })
}
