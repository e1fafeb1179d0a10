import * as v from 'valibot'
import { parseOrUndefined } from '../../domain/readAs.ts'
import type { RecordKey } from '../../domain/storageKeys.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import { createQueue } from '../../lib/async/queue.ts'
import { token as shape } from '../schemas.ts'
import type { LocalStorage } from '../storage.ts'

/** Tokens the user added to a chain, besides those of the service's list. */
export type Assets = {
  list(chainId: number): Promise<Token[]>
  /** True when the token is there because the user said yes to that origin. */
  isOf(origin: string, chainId: number, address: Address): Promise<boolean>
  /** As `origin` suggested; an empty one is the user. Adding one again changes nothing but its words and who suggested it. */
  add(chainId: number, token: Token, origin: string): Promise<void>
  /** A site that suggested it may suggest it again. */
  forget(chainId: number, address: Address): Promise<void>
}

/** `origins`: who suggested it, the newest last. */
type Entry = Token & { origins: string[] }

const most = 500
const mostOrigins = 20

export function createAssets(local: LocalStorage): Assets {
  // Two windows must not lose each other's token.
  const oneAtATime = createQueue()

  /** An entry that cannot be read is left out. */
  async function load(chainId: number): Promise<Entry[]> {
    const stored = parseOrUndefined(v.array(v.unknown()), await local.get(keyOf(chainId)))
    return (stored ?? []).flatMap((entry) => {
      const token = parseOrUndefined(shape, entry)
      const { origins } = parseOrUndefined(originsShape, entry) ?? { origins: [] }
      return token === undefined ? [] : { ...token, origins }
    })
  }

  return {
    list: async (chainId) => (await load(chainId)).map(({ origins: _, ...token }) => token),
    async isOf(origin, chainId, address) {
      const known = (await load(chainId)).find((each) => each.address === address)
      return known?.origins.includes(origin) ?? false
    },
    add: (chainId, token, origin) =>
      oneAtATime(async () => {
        const all = await load(chainId)
        const others = all.filter((each) => each.address !== token.address)
        const before = all.find((each) => each.address === token.address)?.origins ?? []
        const origins = [...before.filter((each) => each !== origin), origin].slice(-mostOrigins)
        if (others.length >= most) {
          throw new WalletError('invalid-input', `The wallet keeps no more than ${most} tokens of a chain.`)
        }
        await local.set({ [keyOf(chainId)]: [...others, { ...token, origins }] })
      }),
    forget: (chainId, address) =>
      oneAtATime(async () => {
        const others = (await load(chainId)).filter((each) => each.address !== address)
        await local.set({ [keyOf(chainId)]: others })
      }),
  }
}

const originsShape = v.object({ origins: v.array(v.string()) })

function keyOf(chainId: number): RecordKey {
  return `assets.${chainId}`
}
