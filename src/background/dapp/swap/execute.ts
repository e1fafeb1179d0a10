import * as v from 'valibot'
import { requestedMinReturn, type SwapRequest } from '../../../domain/dapp/swapRequest.ts'
import { belowMinReturn } from '../../../domain/swap/belowMinReturn.ts'
import type { SwapIntent } from '../../../domain/swap/swap.ts'
import { WalletError } from '../../../errors.ts'
import { createMutex } from '../../../lib/async/mutex.ts'
import type { Executor } from '../../approvals/approvals.ts'
import { intent, parse } from '../../schemas.ts'
import type { TransactionQueue } from '../../transactions/queue.ts'
import { type CallIds, hashCalls } from '../methods/callIds.ts'

/** Result for the page's method, also as stored by earlier workers. */
export type ExecutedSwap = v.InferOutput<typeof executedSwap>
export const executedSwap = v.object({ intentId: v.string() })

/** Executes an approved swap, which must match the request in account, chain, slippage and minReturn. */
export function createSwapExecutor({
  ids,
  swaps,
}: {
  ids: CallIds
  swaps: Pick<TransactionQueue, 'swap' | 'find'>
}): Executor {
  const runExclusive = createMutex()
  return ({ origin, createdAt, ask }, decision, at) =>
    runExclusive(async (): Promise<ExecutedSwap> => {
      if (ask.kind !== 'swap' || decision.kind !== 'swap') throw mismatch('kind')
      const accepted = parse(intent, decision.intent, 'swap')
      const { request } = ask
      const record = (await ids.get(origin, request.id)) ?? {
        origin,
        id: request.id,
        kind: 'swap' as const,
        chainId: request.chainId,
        at: createdAt,
        asked: hashCalls(request),
        asker: '',
        state: 'open' as const,
      }
      // Approved in two windows, the first intent counts.
      const { intentId } = record
      if (intentId !== undefined && intentId !== accepted.id) {
        if ((await swaps.find(intentId)) !== undefined) return { intentId }
      }
      agree(request, accepted, decision.filled)
      const sent = {
        ...record,
        chainId: accepted.trade.chainId,
        state: 'sent' as const,
        intentId: accepted.id,
      }
      await ids.put(sent)
      try {
        await swaps.swap(accepted, at)
      } catch (error) {
        await ids.put({ ...record, state: 'open', intentId: undefined })
        throw error
      }
      return { intentId: accepted.id }
    })
}

function agree(
  request: SwapRequest,
  { account, trade, slippageBps, floor, allowPartialFill = false }: SwapIntent,
  filled: bigint | undefined,
): void {
  if (account !== request.from) throw mismatch('account')
  if (trade.chainId !== request.chainId) throw mismatch('chainId')
  if (request.slippageBps !== undefined && slippageBps > request.slippageBps) {
    throw mismatch('slippageBps')
  }
  const least = requestedMinReturn(request, trade, filled) ?? 0n
  // A partial fill returns less.
  if (allowPartialFill && least > 0n) throw mismatch('allowPartialFill')
  if (floor < least) throw belowMinReturn('The swap promises', floor, least, 'that the site asked for')
}

function mismatch(field: string): WalletError {
  return new WalletError('invalid-input', `${field}: is not what the site asked for.`, { field })
}
