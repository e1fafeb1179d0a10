import * as v from 'valibot'
import { readAs } from '../domain/readAs.ts'
import type { Picks } from '../protocol.ts'
import { address } from './shapes.ts'
import type { Area } from './storage.ts'

/** The tokens of a chain that the user marked, and those picked last. */
export type PickStore = {
  get(chainId: number): Promise<Picks>
  save(chainId: number, changes: Partial<Picks>): Promise<void>
}

/** What cannot be read counts as none. Each kind has a record of its own: a mark of one window is not lost to a pick in another. */
export function createPicks(local: Area): PickStore {
  const read = async (name: string) => readAs(tokens, await local.get(name)) ?? []
  return {
    get: async (chainId) => ({
      favourites: await read(`favourites.${chainId}`),
      recents: await read(`recents.${chainId}`),
    }),
    async save(chainId, changes) {
      for (const [kind, list] of Object.entries(changes)) await local.set({ [`${kind}.${chainId}`]: list })
    },
  }
}

const tokens = v.pipe(v.array(address), v.maxLength(100))

export const picksShape: v.GenericSchema<unknown, Partial<Picks>> = v.object({
  favourites: v.exactOptional(tokens),
  recents: v.exactOptional(tokens),
})
