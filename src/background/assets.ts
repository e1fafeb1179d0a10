import * as z from 'zod/mini'
import type { Token } from '../domain/token.ts'
import { WalletError } from '../errors.ts'
import { createQueue } from '../vault/queue.ts'
import { address } from './shapes.ts'
import type { Area } from './storage.ts'

/** Tokens the user added to a chain, besides those of the service's list. */
export type Assets = {
  list(chainId: number): Promise<Token[]>
  /** Adding one again changes nothing but its words. */
  add(chainId: number, token: Token): Promise<void>
}

const most = 500

export function createAssets(local: Area): Assets {
  // Two windows must not lose each other's token.
  const oneAtATime = createQueue()

  /** An entry that cannot be read is left out. */
  async function list(chainId: number): Promise<Token[]> {
    const stored = z.array(z.unknown()).safeParse(await local.get(keyOf(chainId)))
    return (stored.data ?? []).flatMap((entry) => shape.safeParse(entry).data ?? [])
  }

  return {
    list,
    add: (chainId, token) =>
      oneAtATime(async () => {
        const others = (await list(chainId)).filter((each) => each.address !== token.address)
        if (others.length >= most) {
          throw new WalletError('invalid-input', `The wallet keeps no more than ${most} tokens of a chain.`)
        }
        await local.set({ [keyOf(chainId)]: [...others, token] })
      }),
  }
}

function keyOf(chainId: number): string {
  return `assets.${chainId}`
}

const shape: z.ZodMiniType<Token> = z.object({
  address,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(255)),
  listed: z.boolean(),
  eip2612: z.boolean(),
  taxed: z.boolean(),
  tags: z.array(z.string()),
})
