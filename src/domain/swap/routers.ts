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
    address: '0x9e5ab584abbcf21c9226a7b2eb34b623f28e03e9',
    codeHash: '0xcb056dda8c3b70dfe601638259c0039fa6f3b7dd71ecab3b8ee5d55ae45a3ce0',
  },
  10: {
    address: '0xdd46727bcc3f9cc5df4bd8a3c2dc32189a392d75',
    codeHash: '0xf13a0109d8b4c57681d0e59e09ac9b2d08ed628ab56e9ac14e41a910b9b33264',
  },
  56: {
    address: '0x847727ea5863d5404ba01b47f14ab462a908201e',
    codeHash: '0xe8b62649dbfd8df1365078588506b75c5e92ff357dacf87445af9df6ebd8818a',
  },
  137: {
    address: '0xf61eccd9a4d8fd108af1c76397cf7a1df4e43bcd',
    codeHash: '0xaa18030f9e89ffa01716d00381d40f529f47a43abf67abc0f302bf5a3406e565',
  },
  8453: {
    address: '0xdd46727bcc3f9cc5df4bd8a3c2dc32189a392d75',
    codeHash: '0xf13a0109d8b4c57681d0e59e09ac9b2d08ed628ab56e9ac14e41a910b9b33264',
  },
  31337: {
    address: '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3',
    codeHash: '0x10ff31822769340b874a8cec526cb0196cc5e783a20554ac44696efb6aa2e335',
  },
  42161: {
    address: '0xc95c2432b3f7203f5fadfae4eb111ac8429ee3e3',
    codeHash: '0x516e8875982c8bb84756bbf19f3f0d1c3244035ee7d99d3c096a1918fa788042',
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
