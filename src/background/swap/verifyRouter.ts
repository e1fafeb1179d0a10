import type { Network } from '../../domain/network/network.ts'
import { isBindingRouter, isRouterOnOtherChain, knownRouters } from '../../domain/swap/routers.ts'
import { weth9CodeHashes } from '../../domain/swap/wrap.ts'
import type { Address, Hex } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import { requireEqual, unsafeTransaction } from './unsafe.ts'

/**
 * Requires the pinned router, else a known one of this chain. Throws `unknown-router` for the user to decide.
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

/** Throws for a router of other chains: its address may belong to anyone here. */
export function requireRouterOnChain(router: Address, chainId: number, expected: string): void {
  if (isRouterOnOtherChain(router, chainId)) {
    throw unsafeTransaction('chain', expected, router)
  }
}

/**
 * Returns true if the code is known to honor calldata. Throws `unsafe-transaction` without code: the address
 * would keep payments, and its key could use approvals.
 */
export async function readRouterBinding(
  chain: Pick<Chain, 'codeHash'>,
  router: Address,
  chainId: number,
): Promise<boolean> {
  const found = await readCode(chain, router)
  return found !== 'unreadable' && isBindingRouter(router, chainId, found)
}

/** As `readRouterBinding`, for WETH9. */
export async function readWrappedBinding(chain: Pick<Chain, 'codeHash'>, wrapped: Address): Promise<boolean> {
  const found = await readCode(chain, wrapped)
  return found !== 'unreadable' && weth9CodeHashes.includes(found)
}

async function readCode(chain: Pick<Chain, 'codeHash'>, address: Address): Promise<Hex | 'unreadable'> {
  const found = await chain.codeHash(address).catch(() => 'unreadable' as const)
  if (found === undefined) throw unsafeTransaction('code', 'a contract', address)
  return found
}
