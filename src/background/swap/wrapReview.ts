import { requireMatch } from '../../domain/swap/simulationCheck.ts'
import type { WrapKind } from '../../domain/swap/wrap.ts'
import type { Chain } from '../../evm/client.ts'
import type { ReviewRequest } from '../../protocol.ts'
import { getCost } from '../fees/cost.ts'
import { callGasLimit, expectedCallGas, maxCallGas, requireNativeBalance } from '../fees/fees.ts'
import { wrapCall, wrapQuote } from '../quotes/wrap.ts'
import { getFirstLimit } from '../transfers/checkOutcome.ts'
import { insufficientBalance } from './approvalPlan.ts'
import { toExpectations } from './nextStep.ts'
import type { ReviewResult } from './review.ts'
import { simulateAll } from './simulate.ts'
import { readWrappedBinding } from './verifyRouter.ts'

/** Reviews a wrap, using only the user's RPC. */
export async function reviewWrap(chain: Chain, kind: WrapKind, ask: ReviewRequest): Promise<ReviewResult> {
  const { account, trade, speed } = ask
  const { sell, buy, amount } = trade
  const router = kind === 'wrap' ? buy : sell
  const isBinding = await readWrappedBinding(chain, router)
  const [{ balance, native: coin }, { symbol }, block] = await Promise.all([
    chain.position(account, sell, router),
    chain.token(router),
    chain.blockNumber(),
    chain.verify(),
  ])
  if (balance < amount) throw insufficientBalance(balance, amount)
  const call = wrapCall(kind, router, amount)
  const agreed = toExpectations({ ...ask, floor: amount, router })
  const quote = wrapQuote(trade, symbol)
  const [{ verdict, gas: used }, limit] = await Promise.all([
    simulateAll(chain, [call], agreed),
    getFirstLimit(chain, account, call),
  ])
  // Unknown outcomes are refused unless the code is known.
  if (verdict.status === 'unknown' || verdict.status === 'matches')
    requireMatch(verdict, { floor: amount, isBinding }, [])
  const gas = limit ?? callGasLimit(used[0] ?? quote.gas, await maxCallGas(chain))
  const { doubtOf, ...cost } = await getCost(chain, [call], gas, speed, expectedCallGas(gas, used[0]))
  requireNativeBalance(coin, call.value, cost.networkFee)
  const steps = [kind]
  const feeDoubt = doubtOf(amount)
  const worth = { networkFeeWorth: cost.expectedFee, impactBps: 0 }
  const review = {
    quote,
    floor: amount,
    router,
    steps,
    permissions: [],
    verdict,
    ...cost,
    ...worth,
    ...(feeDoubt && { feeDoubt }),
  }
  return { review, calls: [call], agreed, block }
}
