import * as v from 'valibot'
import { amountMayHoldSecret } from '../../domain/mayHoldSecret.ts'
import { parseOrUndefined } from '../../domain/readAs.ts'
import type { Draft } from '../../protocol.ts'
import { address, chainId, intentId, parse, slippage, sourceId } from '../schemas.ts'
import type { LocalStorage, StorageArea } from '../storage.ts'

/**
 * The swap form as it was left, which outlives the popup and the worker but not the browser, and the last pair of each network, which
 * outlives that too.
 */
export type DraftStore = {
  /** The form of this network, or its last pair alone. */
  get(chainId: number): Promise<Draft | undefined>
  save(draft: unknown): Promise<void>
}

const key = 'draft'
const pairsKey = 'pairs'

export function createDrafts({ session, local }: { session: StorageArea; local: LocalStorage }): DraftStore {
  const pairs = async (): Promise<Record<string, unknown>> =>
    parseOrUndefined(pairsShape, await local.get(pairsKey)) ?? {}

  return {
    async get(chainId) {
      // What cannot be read is no draft and no pair: the form opens fresh.
      const draft = parseOrUndefined(draftShape, await session.get(key))
      if (draft?.chainId === chainId) return draft
      const pair = parseOrUndefined(pairShape, (await pairs())[chainId])
      return pair && { chainId, ...pair, amount: '', side: 'sell' }
    },
    async save(asked) {
      const draft = parse(draftShape, asked, 'draft')
      await session.set({ [key]: draft })
      const { chainId, sell, buy } = draft
      if (sell === undefined || buy === undefined) return
      const known = await pairs()
      const last = parseOrUndefined(pairShape, known[chainId])
      // Every letter that is typed comes here: the disk only hears of another pair.
      if (last?.sell === sell && last.buy === buy) return
      await local.set({ [pairsKey]: { ...known, [chainId]: { sell, buy } } })
    },
  }
}

const draftShape: v.GenericSchema<unknown, Draft> = v.object({
  chainId,
  sell: v.exactOptional(address),
  buy: v.exactOptional(address),
  amount: v.pipe(
    v.string(),
    v.maxLength(200),
    // A key or a phrase that was pasted into the wrong field is not stored.
    v.transform((typed) => (amountMayHoldSecret(typed) ? '' : typed)),
  ),
  // Drafts from before an amount to receive could be typed have none.
  side: v.optional(v.picklist(['sell', 'buy']), 'sell'),
  swapId: v.exactOptional(intentId),
  slippageBps: v.exactOptional(v.union([slippage, v.literal('auto')])),
  receiver: v.exactOptional(address),
  excluded: v.exactOptional(v.pipe(v.array(sourceId), v.maxLength(200))),
  allowPartialFill: v.exactOptional(v.boolean()),
})

const pairShape = v.object({ sell: address, buy: address })
/** By chain id. Each is read when it is wanted. */
const pairsShape = v.looseObject({})
