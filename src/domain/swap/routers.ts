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
    address: '0x3a8fbe06291f5b1140b3c535fc7663fd591fcdb8',
    codeHash: '0xb3d6f7f646f5efdaba335df65851b53e6bf9c0f84028512db1e3c8ba0cea4026',
  },
  10: {
    address: '0x83758fd7bb6643b6b0f71613ba7317507170986b',
    codeHash: '0xea04da53c0db4d71df083c833f7b694bf8c42b615dcd325ac4b84e581cf37137',
  },
  56: {
    address: '0xc3fd71c1b97f6b11df0d02900352c777fef233a0',
    codeHash: '0xd11afc9b0cf55d3223f5d13bdc1bfe13e017d4584ffb0466334768d61526dd8d',
  },
  137: {
    address: '0x648804962d199ea3cac275c71f55afb5f93dc254',
    codeHash: '0xc95b13dcd0f25445afa3ee5bfa095d92cb9357fe1210f1a97de8b67993fb568a',
  },
  8453: {
    address: '0x83758fd7bb6643b6b0f71613ba7317507170986b',
    codeHash: '0xea04da53c0db4d71df083c833f7b694bf8c42b615dcd325ac4b84e581cf37137',
  },
  31337: {
    address: '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3',
    codeHash: '0xa164a874e2a0367ff86190f224307df8ff8e74934ffa9e1773dfe0634c031c22',
  },
  42161: {
    address: '0x661991c644464c88b7674e5b1692b7c5d11c719a',
    codeHash: '0x2fd4a199e0e3f37686609965fe1053699f56397ccc89547c018753d73796fbd4',
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
