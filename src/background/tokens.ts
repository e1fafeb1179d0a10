import * as z from 'zod/mini'
import type { SwapApi } from '../api/api.ts'
import type { Token } from '../domain/token.ts'
import { token } from './shapes.ts'
import type { Area } from './storage.ts'

const freshForMs = 12 * 60 * 60 * 1_000

/**
 * The service's token list of a network, asked for every 12 hours and kept in `local`. When the service does not answer an
 * older list of the same service is given instead; without one its error is thrown.
 */
export function createTokens(local: Area, now: () => number = Date.now) {
  return async (chainId: number, serviceUrl: string, api: SwapApi): Promise<Token[]> => {
    const known = await readList(local, chainId, serviceUrl)
    const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.at
    if (known !== undefined && age >= 0 && age < freshForMs) return known.tokens

    try {
      const tokens = await api.tokens()
      // A list that does not fit into storage is still a list.
      await local.set({ [keyOf(chainId)]: { serviceUrl, at: now(), tokens } }).catch(() => undefined)
      return tokens
    } catch (error) {
      if (known !== undefined) return known.tokens
      throw error
    }
  }
}

/** The list that is kept, of any age. Empty when there is none. */
export type CachedTokens = (chainId: number, serviceUrl: string) => Promise<Token[]>

/** Asks nobody. */
export function createCachedTokens(local: Area): CachedTokens {
  return async (chainId, serviceUrl) => (await readList(local, chainId, serviceUrl))?.tokens ?? []
}

async function readList(local: Area, chainId: number, serviceUrl: string) {
  const { data } = listShape.safeParse(await local.get(keyOf(chainId)))
  return data?.serviceUrl === serviceUrl ? data : undefined
}

function keyOf(chainId: number): string {
  return `tokens.${chainId}`
}

const listShape = z.object({ serviceUrl: z.string(), at: z.number(), tokens: z.array(token) })
