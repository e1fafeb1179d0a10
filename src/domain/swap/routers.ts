import { findPublicChain } from '../network/chains.ts'
import type { Address, Hex } from '../token/token.ts'
import { swapRouter02CodeHash } from './swapRouter02.ts'

const aggregationRouter: Address = '0x111111125421ca6dc452d289314280a0f8842a65'

/** Chains with the aggregation router V6 at that address (ERC-7730 registry, 1inch); not zkSync. */
const aggregationChains = [1, 10, 56, 100, 130, 137, 250, 8217, 8453, 42161, 43114, 59144, 1313161554]

/** By chain: elsewhere the address may hold another contract. Localnet may fork any chain. */
const publicRouters: ReadonlyMap<Address, readonly number[]> = new Map<Address, readonly number[]>([
  [aggregationRouter, [...aggregationChains, 31337]],
  ['0x7a250d5630b4cf539739df2c5dacb4c659f2488d', [1, 31337]],
  ['0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24', [56, 8453, 42161, 43114, 31337]],
  ['0xe592427a0aece92de3edee1f18e0157c05861564', [1, 10, 137, 42161, 31337]],
  ['0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45', [31337]],
  ['0x2626664c2603336e57b271c5c0b26f421741e481', [31337]],
  ['0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad', [1, 8453, 31337]],
  ['0x66a9893cc07d91d95644aedd05d03f95e1dba8af', [1, 31337]],
  ['0x6ff5693b99212da76ad316178a184ab56d299b43', [8453, 31337]],
])

/** True for a router expected in swaps and approvals. */
export function isPublicRouter(address: Address, chainId: number): boolean {
  return address === directRouter(chainId) || (publicRouters.get(address)?.includes(chainId) ?? false)
}

type Deployment = { address: Address; codeHash: Hex }

/**
 * Our router (contracts/SwapRouter.sol) with its runtime code hash, both from the compiled contract and the
 * chain's WETH, Permit2 and vault.
 */
const ours: Readonly<Record<number, Deployment>> = {
  1: {
    address: '0x87ef141e63768fd3b19338e20a798d769ce0351c',
    codeHash: '0xe0f6a9898dfd34cefb6eae57ba96bc5e034c9e4c15eadfae043d2282392826a7',
  },
  10: {
    address: '0x2ca68df0514dd0e7068556a4dfb926bdc3810a77',
    codeHash: '0x0bc8bf37d04358efb4f3db8660f8a674f51dea681b890b2145de8f845f20076c',
  },
  56: {
    address: '0x5a47c262843a677f7d770ab969ac9e1224278695',
    codeHash: '0x4d8953bb02bd6fb09f6b62311e2833fd2d4f3ea99a34c1f78efc641d9df871e3',
  },
  137: {
    address: '0x8b93fefd373dc97581b87a035a2fd7b67c050cc1',
    codeHash: '0x7fd2d1e2d3c241caee8457368941f5ec5c2c20aaa8cf7d4ddcff7915d0644431',
  },
  8453: {
    address: '0xd850332e0b9bf472dcc1d101688c7940c812043b',
    codeHash: '0x87aa3d8e25048015f919148b03299016c4de809ffa7a4a197ce8ad6520bb194e',
  },
  31337: {
    address: '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3',
    codeHash: '0x7b0e91a521d9be50cf628ecb7ba2dfe818f056cb5873147e6ede462f9b3e287e',
  },
  42161: {
    address: '0x84ccafc330ee14d7908a9738568bf80928c1847c',
    codeHash: '0x8ad97a547098a488d1cda3c019091dcba4fa6133e9ecffef1aa78bbec63478b6',
  },
}

export function ownRouter(chainId: number): Deployment | undefined {
  return ours[chainId]
}

/** Returns the routers allowed without the user naming one. */
export function knownRouters(chainId: number): Address[] {
  const own = ownRouter(chainId)?.address
  const direct = directRouter(chainId)
  return [
    ...(own ? [own] : []),
    ...(aggregationChains.includes(chainId) ? [aggregationRouter] : []),
    ...(direct ? [direct] : []),
  ]
}

function directRouter(chainId: number): Address | undefined {
  return findPublicChain(chainId)?.uniswap?.router
}

/**
 * True for our own router with the expected code, and for SwapRouter02, whose immutables `Chain.codeHash`
 * blanks only at the router of direct swaps. The public router's code is unknown, so its swaps need a
 * simulation.
 */
export function isBindingRouter(router: Address, chainId: number, codeHash: Hex | undefined): boolean {
  const own = ownRouter(chainId)
  return (own?.address === router && own.codeHash === codeHash) || codeHash === swapRouter02CodeHash
}

/**
 * True for any code at a known router, for ours the expected one. `codeHash` is undefined without a contract.
 */
export function isRouterCode(router: Address, chainId: number, codeHash: Hex | undefined): boolean {
  const own = ownRouter(chainId)
  return codeHash !== undefined && (own?.address !== router || own.codeHash === codeHash)
}

/** False for the public router, whose `swap` takes no permit. */
export function supportsPermit(router: Address): boolean {
  return router !== aggregationRouter
}

/**
 * Removes four bytes that the public router's service appends for statistics. Nothing can hide in them:
 * Solidity reads by selector and offsets, and the simulation includes them. Other routers' code is unknown.
 */
export function stripReferralSuffix(data: Hex, router: Address, chainId: number): Hex {
  const isTagged = (data.length - 10) % 64 === 8
  const isPublic = router === aggregationRouter && aggregationChains.includes(chainId)
  return isTagged && isPublic ? (data.slice(0, -8) as Hex) : data
}

/** True if anyone may own the address on `chainId`. */
export function isRouterOnOtherChain(router: Address, chainId: number): boolean {
  const everywhere = [aggregationRouter, ...Object.values(ours).map(({ address }) => address)]
  return everywhere.includes(router) && !knownRouters(chainId).includes(router)
}
