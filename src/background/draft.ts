import * as z from 'zod/mini'
import type { Draft } from '../protocol.ts'
import { address, chainId, parse, slippage } from './shapes.ts'
import type { Area } from './storage.ts'

/** The swap form as it was left. It outlives the popup and the worker, not the browser. */
export type DraftStore = {
  get(): Promise<Draft | undefined>
  save(draft: unknown): Promise<void>
}

const key = 'draft'

export function createDrafts(session: Area): DraftStore {
  return {
    // A draft that cannot be read is no draft: the form opens fresh.
    get: async () => shape.safeParse(await session.get(key)).data,
    save: async (draft) => session.set({ [key]: parse(shape, draft, 'draft') }),
  }
}

const shape: z.ZodMiniType<Draft> = z.object({
  chainId,
  sell: address,
  buy: address,
  amount: z.string().check(z.maxLength(200)),
  slippageBps: z.exactOptional(slippage),
})
