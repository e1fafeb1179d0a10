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
    address: '0x28542939865c9504bc4ebeb93578e0e666772fee',
    codeHash: '0x50cfc69230d91cd49fc8832bc39fe4f67330fa751b1a4113c2708f135ddfacb1',
  },
  10: {
    address: '0xf7398b4fd77bdccf3eab3ff42429aee8c01f032e',
    codeHash: '0x96f2b2a550ff78d581fb10ba4d1ea04403193bd0827c98cab1a53bc2bfab9eb2',
  },
  56: {
    address: '0x7545469eec02dd46d24d60bbd3abd35492c2561c',
    codeHash: '0x1e6bf02fcc9f882518aaf3ea5dfe628015d9b854f8bdea92185058ddf8b6243e',
  },
  137: {
    address: '0xb43f22c565510fa3ab17091a32de8ff9065cf90e',
    codeHash: '0x5289b2dd4fe2274287290d0137bd01ec8d2a9d3a0aee0996385f0cb4b131dd5c',
  },
  8453: {
    address: '0xf7398b4fd77bdccf3eab3ff42429aee8c01f032e',
    codeHash: '0x96f2b2a550ff78d581fb10ba4d1ea04403193bd0827c98cab1a53bc2bfab9eb2',
  },
  31337: {
    address: '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3',
    codeHash: '0x18867a70b63ffc42be9a68b5273d0e3387fd5dfeac5388f8ead73e03c113dee1',
  },
  42161: {
    address: '0xe46f64262e6f359b256a3d918a24b335e4396bb7',
    codeHash: '0xb31cd624e2bae74df9c89f2aa513d8d7f9a0bc56fc5fd7c0dc29d1573b44336e',
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
