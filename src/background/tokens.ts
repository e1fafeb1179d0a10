import * as z from 'zod/mini'
import type { SwapApi } from '../api/api.ts'
import type { Token } from '../domain/token.ts'
import { address } from './shapes.ts'
import type { Area } from './storage.ts'

const freshForMs = 12 * 60 * 60 * 1_000

/**
 * The service's token list of a network, asked for every 12 hours and kept in `local`. When the service does not answer an
 * older list of the same service is given instead; without one its error is thrown.
 */
export function createTokens(local: Area, now: () => number = Date.now) {
  return async (chainId: number, serviceUrl: string, api: SwapApi): Promise<Token[]> => {
    const key = `tokens.${chainId}`
    const parsed = listShape.safeParse(await local.get(key))
    const known = parsed.success && parsed.data.serviceUrl === serviceUrl ? parsed.data : undefined
    const age = known === undefined ? Number.POSITIVE_INFINITY : now() - known.at
    if (known !== undefined && age >= 0 && age < freshForMs) return known.tokens

    try {
      const tokens = await api.tokens()
      // A list that does not fit into storage is still a list.
      await local.set({ [key]: { serviceUrl, at: now(), tokens } }).catch(() => undefined)
      return tokens
    } catch (error) {
      if (known !== undefined) return known.tokens
      throw error
    }
  }
}

const listShape = z.object({
  serviceUrl: z.string(),
  at: z.number(),
  tokens: z.array(
    z.object({
      address,
      symbol: z.string(),
      name: z.string(),
      decimals: z.int(),
      listed: z.boolean(),
      eip2612: z.boolean(),
      taxed: z.boolean(),
      tags: z.array(z.string()),
    }),
  ),
})
