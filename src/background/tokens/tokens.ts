import * as v from 'valibot'
import { getService, type Network } from '../../domain/network/network.ts'
import { hasOtherSource } from '../../domain/network/swapSource.ts'
import { parseOrUndefined } from '../../domain/parseOrUndefined.ts'
import type { RecordKey } from '../../domain/storageKeys.ts'
import { isFreshList } from '../../domain/token/listAge.ts'
import type { Token } from '../../domain/token/token.ts'
import type { Networks } from '../networks/networks.ts'
import { token } from '../schemas.ts'
import type { LocalStorage } from '../storage.ts'

export type Tokens = (network: Network) => Promise<Token[]>

/**
 * Caches lists for 12 hours. If the swap service fails, returns its older list, else that of direct swaps,
 * which is not stored.
 */
export function createTokens(
  local: LocalStorage,
  networks: Pick<Networks, 'api'>,
  now: () => number = Date.now,
): Tokens {
  return async (network) => {
    const known = await readList(local, network)
    if (known !== undefined && isFreshList(known.at, now())) return known.tokens

    try {
      const tokens = await (await networks.api(network.chainId)).tokens()
      // A list that does not fit into storage is still returned.
      if (tokens.length > 0) {
        const record = { service: getService(network), at: now(), tokens }
        await local.set({ [tokenListKey(network)]: record }).catch(() => undefined)
      }
      return tokens
    } catch (error) {
      if (known !== undefined) return known.tokens
      return readDirectList(networks, network).catch(() => {
        throw error
      })
    }
  }
}

async function readDirectList(networks: Pick<Networks, 'api'>, network: Network): Promise<Token[]> {
  if (!hasOtherSource(network)) throw new Error('No list besides the own source.')
  return (await networks.api(network.chainId, 'direct')).tokens()
}

/** Returns the cached list of any age, without a request. */
export function createCachedTokens(local: LocalStorage): Tokens {
  return async (network) => (await readList(local, network))?.tokens ?? []
}

/** Returns when the list was cached, in milliseconds since 1970. */
export function createListAge(local: LocalStorage): (network: Network) => Promise<number | undefined> {
  return async (network) => (await readList(local, network))?.at
}

async function readList(local: LocalStorage, network: Network) {
  const list = parseOrUndefined(listShape, await local.get(tokenListKey(network)))
  return list?.service === getService(network) ? list : undefined
}

function tokenListKey({ chainId }: Network): RecordKey {
  return `tokens.${chainId}`
}

const listShape = v.object({ service: v.string(), at: v.number(), tokens: v.array(token) })
