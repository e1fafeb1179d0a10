import * as v from 'valibot'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import type { RecordKey } from '../../domain/storageKeys.ts'
import { maxFavourites } from '../../domain/token/token.ts'
import { createMutex } from '../../lib/async/mutex.ts'
import type { TokenPreferences, TokenPreferencesChange } from '../../protocol.ts'
import { address } from '../schemas.ts'
import type { LocalStorage } from '../storage.ts'

export type TokenPreferenceStore = {
  get(chainId: number): Promise<TokenPreferences>
  /** Returns the new preferences. */
  change(chainId: number, change: TokenPreferencesChange): Promise<TokenPreferences>
}

const maxRecents = 5

/** Unreadable records count as empty. */
export function createTokenPreferenceStore(local: LocalStorage): TokenPreferenceStore {
  const runExclusive = createMutex()
  const read = async (name: RecordKey) => parseOrUndefined(tokens, await local.get(name)) ?? []

  async function get(chainId: number): Promise<TokenPreferences> {
    return { favourites: await read(`favourites.${chainId}`), recents: await read(`recents.${chainId}`) }
  }

  return {
    get: (chainId) => runExclusive(() => get(chainId)),
    change: (chainId, { marked = [], unmarked = [], used = [] }) =>
      runExclusive(async () => {
        const before = await get(chainId)
        const others = before.favourites.filter((one) => !marked.includes(one) && !unmarked.includes(one))
        const after = {
          favourites: [...others, ...marked].slice(-maxFavourites),
          recents: [...used, ...before.recents.filter((one) => !used.includes(one))].slice(0, maxRecents),
        }
        await local.set({
          [`favourites.${chainId}`]: after.favourites,
          [`recents.${chainId}`]: after.recents,
        })
        return after
      }),
  }
}

const tokens = v.pipe(v.array(address), v.maxLength(maxFavourites))

export const tokenPreferencesChangeSchema: v.GenericSchema<unknown, TokenPreferencesChange> = v.object({
  marked: v.exactOptional(tokens),
  unmarked: v.exactOptional(tokens),
  used: v.exactOptional(tokens),
})
