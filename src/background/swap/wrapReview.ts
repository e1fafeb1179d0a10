import { requireMatch } from '../../domain/swap/simulationCheck.ts'
import type { WrapKind } from '../../domain/swap/wrap.ts'
import type { Chain } from '../../evm/client.ts'
import type { ReviewAsk } from '../../protocol.ts'
import { costOf } from '../fees/cost.ts'
import { callLimit, checkCoin, mostCallGas } from '../fees/fees.ts'
import { wrapCall, wrapQuote } from '../quotes/wrap.ts'
import { getFirstLimit } from '../transfers/checkOutcome.ts'
import { tooLittle } from './approvalPlan.ts'
import { agreementOf } from './nextStep.ts'
import type { Reviewed } from './review.ts'
import { tryAll } from './simulate.ts'
import { checkWrappedCode } from './verifyRouter.ts'

/** What the review screen shows of wrapping or unwrapping: nobody but the user's own node is asked. */
export async function reviewWrap(chain: Chain, kind: WrapKind, ask: ReviewAsk): Promise<Reviewed> {
  const { account, trade, speed } = ask
  const { sell, buy, amount } = trade
  const router = kind === 'wrap' ? buy : sell
  const isBinding = await checkWrappedCode(chain, router)
  const [{ balance, coin }, { symbol }, block] = await Promise.all([
    chain.position(account, sell, router),
    chain.token(router),
    chain.blockNumber(),
    chain.verify(),
  ])
  if (balance < amount) throw tooLittle(balance, amount)
  const call = wrapCall(kind, router, amount)
  const agreed = agreementOf({ ...ask, floor: amount, router })
  const quote = wrapQuote(trade, symbol)
  const [{ verdict, gas: used }, limit] = await Promise.all([
    tryAll(chain, [call], agreed),
    getFirstLimit(chain, account, call),
  ])
  // The screen shows what is wrong; what could not be seen is refused here unless the token's code is known.
  if (verdict.status === 'unknown' || verdict.status === 'matches')
    requireMatch(verdict, { floor: amount, isBinding }, [])
  const {
    doubtOf,
    baseFeePerGas: _,
    ...cost
  } = await costOf(chain, [call], limit ?? callLimit(used[0] ?? quote.gas, await mostCallGas(chain)), speed)
  checkCoin(coin, call.value, cost.networkFee)
  const steps = [kind]
  const feeDoubt = doubtOf(amount)
  const worth = { networkFeeWorth: cost.networkFee, impactBps: 0 }
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
