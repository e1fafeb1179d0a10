import { getDirectContracts } from '../../domain/network/swapSource.ts'
import { permit2 } from '../../domain/signing/permit2.ts'
import { knownRouters } from '../../domain/swap/routers.ts'
import type { Swap } from '../../domain/swap/swap.ts'
import { type Address, isNative } from '../../domain/token/token.ts'
import { newToken } from '../../evm/erc20.ts'
import type { Allowance } from '../../protocol.ts'
import type { Networks } from '../networks/networks.ts'
import type { CustomTokens } from './customTokens.ts'
import type { GetToken } from './getToken.ts'
import type { Tokens } from './tokens.ts'

/** Returns non-zero allowances of routers and Permit2. */
export type Allowances = (chainId: number, account: Address) => Promise<Allowance[]>

type Deps = {
  networks: Pick<Networks, 'network' | 'chain' | 'api'>
  /** Cached token list. */
  cached: Tokens
  assets: Pick<CustomTokens, 'list'>
  tokenOf: GetToken
  swaps(): Promise<Swap[]>
  now?(): number
}

/** Timeout for the current spender; the swap service is optional. */
const patienceMs = 2_000

/** Checks all known tokens and all spenders that the wallet may have approved. */
export function createAllowances({
  networks,
  cached,
  assets,
  tokenOf,
  swaps,
  now = Date.now,
}: Deps): Allowances {
  return async (chainId, account) => {
    const [network, chain] = [await networks.network(chainId), await networks.chain(chainId)]
    const own = (await swaps()).filter(
      ({ intent }) => intent.account === account && intent.trade.chainId === chainId,
    )
    const spender = networks
      .api(chainId)
      .then((api) => api.spender(AbortSignal.timeout(patienceMs)))
      .catch(() => undefined)
    const routers = unique([
      network.router,
      await spender,
      ...own.map(({ intent }) => intent.router),
      ...knownRouters(chainId),
      getDirectContracts(network)?.router,
    ])
    const lists = await Promise.all([cached(network), assets.list(chainId)])
    const known = new Map(lists.flat().map((token) => [token.address, token]))
    const tokens = unique([...known.keys(), ...own.map(({ intent }) => intent.trade.sell)])

    // Another chain's allowances must not be shown.
    const [direct] = await Promise.all([
      chain.allowances(
        account,
        tokens.filter((token) => !isNative(token)),
        unique([...routers, permit2]),
      ),
      chain.verify(),
    ])
    const shared = direct.filter(({ spender }) => spender === permit2).map(({ token }) => token)
    const inside = (await chain.permit2Allowances(account, shared, routers))
      .filter(({ expiration }) => expiration * 1_000n > BigInt(now()))
      .map(({ expiration: _, ...one }) => ({ ...one, via: 'permit2' as const }))
    // Tokens without metadata are listed in base units.
    const describeToken = async (token: Address) =>
      known.get(token) ?? tokenOf(chainId, token).catch(() => newToken(token, '', '', 0))
    return Promise.all(
      [...direct, ...inside].map(async (one) => ({ ...one, token: await describeToken(one.token) })),
    )
  }
}

function unique(addresses: (Address | undefined)[]): Address[] {
  return [...new Set(addresses.filter((one) => one !== undefined))]
}
