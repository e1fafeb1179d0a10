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
    address: '0x475bc15eb96883fca1974be8ddbc1601f969d482',
    codeHash: '0x6a706005a8c3eb3c24272b10964928c1738e9b4969238837fb15037bb7403c1d',
  },
  10: {
    address: '0x196117a7e35a979a89d70c13d9774dfa5b26a0ef',
    codeHash: '0x772697ee01106cbc0cc257d45fa40a4739dfb7d8f5e6b8dbb5f76f4b324e65b4',
  },
  56: {
    address: '0x3a3371124861514fd9276fcda2ae7f66148af8fa',
    codeHash: '0x83a574e6ff3ae24cbf7b8ca4371ec855faeec810390c35f3c66af6e66a9b5c84',
  },
  137: {
    address: '0x5a6f93232c8d5149171ac73b96828fd8e75ebfb5',
    codeHash: '0xce1c65470290e535ef18bc27df7bbe7977583bd4d032b74658d19bb1bce376e4',
  },
  8453: {
    address: '0xa848075bd68b0159cc30d9b6314acc7e7d746b9e',
    codeHash: '0x124b9d60947f7aa9548907fde45da05e1da1d3c9927605bda5e384a0114a7156',
  },
  31337: {
    address: '0xadcc95d85c30dd4eddcfc39e9fdb81473b509bb3',
    codeHash: '0x18867a70b63ffc42be9a68b5273d0e3387fd5dfeac5388f8ead73e03c113dee1',
  },
  42161: {
    address: '0x0758fe15b54c895502b19f0bc5960976eeaacdd6',
    codeHash: '0x2a9f0ceb9b550b22b36bec7d08f5f5da9a34041f12fc41afad70fc6ab2b79717',
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
