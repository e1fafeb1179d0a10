import * as v from 'valibot'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import type { RecordKey } from '../../domain/storageKeys.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import { createMutex } from '../../lib/async/mutex.ts'
import { token as shape } from '../schemas.ts'
import type { LocalStorage } from '../storage.ts'

/** Tokens added by the user or suggested by sites. */
export type CustomTokens = {
  list(chainId: number): Promise<Token[]>
  /** True if the user accepted the token from that origin. */
  isOf(origin: string, chainId: number, address: Address): Promise<boolean>
  /** `origin` is empty for the user. Adding a token again updates metadata and origins. */
  add(chainId: number, token: Token, origin: string): Promise<void>
  /** A site may suggest the token again. */
  forget(chainId: number, address: Address): Promise<void>
}

/** Newest origin last. */
type Entry = Token & { origins: string[] }

const most = 500
const maxOrigins = 20

export function createCustomTokens(local: LocalStorage): CustomTokens {
  const runExclusive = createMutex()

  async function load(chainId: number): Promise<Entry[]> {
    const stored = parseOrUndefined(v.array(v.unknown()), await local.get(customTokensKey(chainId)))
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
      runExclusive(async () => {
        const all = await load(chainId)
        const others = all.filter((each) => each.address !== token.address)
        const before = all.find((each) => each.address === token.address)?.origins ?? []
        const origins = [...before.filter((each) => each !== origin), origin].slice(-maxOrigins)
        if (others.length >= most) {
          throw new WalletError('invalid-input', `The wallet keeps no more than ${most} tokens of a chain.`)
        }
        await local.set({ [customTokensKey(chainId)]: [...others, { ...token, origins }] })
      }),
    forget: (chainId, address) =>
      runExclusive(async () => {
        const others = (await load(chainId)).filter((each) => each.address !== address)
        await local.set({ [customTokensKey(chainId)]: others })
      }),
  }
}

const originsShape = v.object({ origins: v.array(v.string()) })

function customTokensKey(chainId: number): RecordKey {
  return `assets.${chainId}`
}
