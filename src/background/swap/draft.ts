import * as v from 'valibot'
import { amountMayHoldSecret } from '../../domain/mayHoldSecret.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import type { Draft } from '../../protocol.ts'
import { address, chainId, intentId, parse, slippage, sourceId, swapSource } from '../schemas.ts'
import type { LocalStorage, StorageArea } from '../storage.ts'

/** Swap form of this browser session, and last pair per network on disk. */
export type DraftStore = {
  /** Falls back to the last pair. */
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
      // Called per keystroke; only new pairs reach the disk.
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
    // A pasted key or phrase must not be stored.
    v.transform((typed) => (amountMayHoldSecret(typed) ? '' : typed)),
  ),
  side: v.optional(v.picklist(['sell', 'buy']), 'sell'),
  swapId: v.exactOptional(intentId),
  slippageBps: v.exactOptional(v.union([slippage, v.literal('auto')])),
  receiver: v.exactOptional(address),
  excluded: v.exactOptional(v.pipe(v.array(sourceId), v.maxLength(200))),
  allowPartialFill: v.exactOptional(v.boolean()),
  source: v.exactOptional(swapSource),
})

const pairShape = v.object({ sell: address, buy: address })
const pairsShape = v.looseObject({})
