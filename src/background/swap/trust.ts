import type { Network } from '../../domain/network/network.ts'
import { isElsewhere, routersOf } from '../../domain/swap/routers.ts'
import type { Address } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import { agree, unsafe } from './unsafe.ts'

/**
 * Throws unless the wallet may swap through the router that the service names, and approve tokens for it: the one that the user pinned, or
 * else one that is known on this chain. `unknown-router` is for the user to decide.
 */
export function checkTrusted(
  named: Address,
  { router: pinned, chainId }: Pick<Network, 'router' | 'chainId'>,
): void {
  if (pinned !== undefined) {
    agree('router', named, pinned)
    return
  }
  const known = routersOf(chainId)
  if (known.includes(named)) return
  checkHere(named, chainId, known.join(' '))
  throw new WalletError(
    'unknown-router',
    `The service swaps through ${named}, which the wallet does not know.`,
    { router: named, chainId: String(chainId) },
  )
}

/** Throws when `router` is one of other chains only: here its address may be anybody's. */
export function checkHere(router: Address, chainId: number, expected: string): void {
  if (isElsewhere(router, chainId)) {
    throw unsafe('chain', expected, router)
  }
}
