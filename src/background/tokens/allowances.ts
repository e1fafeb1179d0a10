import { permit2 } from '../../domain/signing/permit2.ts'
import { knownRouters } from '../../domain/swap/routers.ts'
import type { Swap } from '../../domain/swap/swap.ts'
import { type Address, isNative } from '../../domain/token/token.ts'
import { newToken } from '../../evm/erc20.ts'
import type { Allowance } from '../../protocol.ts'
import type { Networks } from '../networks/networks.ts'
import type { Assets } from './customTokens.ts'
import type { GetToken } from './getToken.ts'
import type { Tokens } from './tokens.ts'

/** What routers, and Permit2, may take of an account's tokens; nothing that is zero. */
export type Allowances = (chainId: number, account: Address) => Promise<Allowance[]>

type Deps = {
  networks: Pick<Networks, 'network' | 'chain' | 'api'>
  /** What is kept of the service's list. */
  cached: Tokens
  assets: Pick<Assets, 'list'>
  tokenOf: GetToken
  swaps(): Promise<Swap[]>
  /** Milliseconds since 1970. */
  now?(): number
}

/** How long it may take to hear from the service whom it would have approved now, in milliseconds: somebody looks at an empty list. */
const patienceMs = 2_000

/** Looks at all tokens that the wallet knows, and at all who may have been allowed to take them by it. The service need not answer. */
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
    ])
    const lists = await Promise.all([cached(network), assets.list(chainId)])
    const known = new Map(lists.flat().map((token) => [token.address, token]))
    const tokens = unique([...known.keys(), ...own.map(({ intent }) => intent.trade.sell)])

    // Another chain's allowances are not shown as this one's.
    const [direct] = await Promise.all([
      chain.allowances(
        account,
        tokens.filter((token) => !isNative(token)),
        unique([...routers, permit2]),
      ),
      chain.verify(),
    ])
    const shared = direct.filter(({ spender }) => spender === permit2).map(({ token }) => token)
    const inside = (await chain.lent(account, shared, routers))
      .filter(({ expiration }) => expiration * 1_000n > BigInt(now()))
      .map(({ expiration: _, ...one }) => ({ ...one, via: 'permit2' as const }))
    // One whose contract does not say what it is called counts in base units: what may be taken of it is not hidden for that.
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
