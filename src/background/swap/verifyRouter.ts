import type { Network } from '../../domain/network/network.ts'
import { isBindingRouter, isRouterOnOtherChain, knownRouters } from '../../domain/swap/routers.ts'
import { weth9CodeHashes } from '../../domain/swap/wrap.ts'
import type { Address, Hex } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import { requireEqual, unsafeTransaction } from './unsafe.ts'

/**
 * Throws unless the wallet may swap through the router that the service names, and approve tokens for it: the one that the user pinned, or
 * else one that is known on this chain. `unknown-router` is for the user to decide.
 */
export function requireKnownRouter(
  named: Address,
  { router: pinned, chainId }: Pick<Network, 'router' | 'chainId'>,
): void {
  if (pinned !== undefined) {
    requireEqual('router', named, pinned)
    return
  }
  const known = knownRouters(chainId)
  if (known.includes(named)) return
  requireRouterOnChain(named, chainId, known.join(' '))
  throw new WalletError(
    'unknown-router',
    `The service swaps through ${named}, which the wallet does not know.`,
    { router: named, chainId: String(chainId) },
  )
}

/** Throws when `router` is one of other chains only: here its address may be anybody's. */
export function requireRouterOnChain(router: Address, chainId: number, expected: string): void {
  if (isRouterOnOtherChain(router, chainId)) {
    throw unsafeTransaction('chain', expected, router)
  }
}

/**
 * Whether the code at `router` is known to honor a swap's calldata. Throws `unsafe-transaction` where no contract stands: it would keep
 * the payment, and an approval could be used by the owner of its key. False where the node cannot tell.
 */
export async function checkRouterCode(
  chain: Pick<Chain, 'codeHash'>,
  router: Address,
  chainId: number,
): Promise<boolean> {
  const found = await readCode(chain, router)
  return found !== 'unreadable' && isBindingRouter(router, chainId, found)
}

/** The same for the wrapped native token: true for the code of a known WETH9. */
export async function checkWrappedCode(chain: Pick<Chain, 'codeHash'>, wrapped: Address): Promise<boolean> {
  const found = await readCode(chain, wrapped)
  return found !== 'unreadable' && weth9CodeHashes.includes(found)
}

async function readCode(chain: Pick<Chain, 'codeHash'>, address: Address): Promise<Hex | 'unreadable'> {
  const found = await chain.codeHash(address).catch(() => 'unreadable' as const)
  if (found === undefined) throw unsafeTransaction('code', 'a contract', address)
  return found
}
