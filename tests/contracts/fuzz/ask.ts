import { type Address, encodeAbiParameters, type Hex, parseAbiParameters, zeroAddress, zeroHash } from 'viem'

export const native: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
export const [wrap, unwrap, v2, v3, balancer] = [0, 1, 2, 3, 4] as const
export const [partialFill, usePermit2] = [1n, 4n] as const

export type Hop = {
  kind: number
  from: number
  to: number
  pool?: Address
  fee?: number
  weight?: number
  aux?: Hex
}
export type Branch = { weight?: number; hops: readonly Hop[] }

/** Omitted fields get an honest caller's values. */
export type Ask = {
  tokens: readonly Address[]
  hops?: readonly Hop[]
  branches?: readonly Branch[]
  amount: bigint
  least?: bigint
  from?: Address
  to?: Address
  value?: bigint
  feePpm?: number
  referrer?: Address
  deadline?: bigint
  permit?: Hex
  router?: Address
  executor?: Address
  srcToken?: Address
  dstToken?: Address
  srcReceiver?: Address
  flags?: bigint
  data?: Hex
}

const routeShape = parseAbiParameters([
  'Route route',
  'struct Route { address[] tokens; Branch[] branches; uint256 feePpm; address referrer; uint256 deadline; bytes permit; }',
  'struct Branch { uint32 weight; Hop[] hops; }',
  'struct Hop { uint8 kind; uint8 from; uint8 to; uint24 fee; address pool; uint32 weight; bytes32 aux; }',
])

export function branchesOf({ branches, hops = [] }: Pick<Ask, 'branches' | 'hops'>): readonly Branch[] {
  return branches ?? [{ hops }]
}

export function encodeRoute(ask: Omit<Ask, 'amount'>): Hex {
  const { tokens, feePpm = 0, referrer = zeroAddress, deadline = 2n ** 40n, permit = '0x' } = ask
  const branches = branchesOf(ask).map(({ weight = 0, hops }) => ({
    weight,
    hops: hops.map((hop) => ({ pool: zeroAddress, fee: 0, weight: 0, aux: zeroHash, ...hop })),
  }))
  return encodeAbiParameters(routeShape, [
    { tokens, branches, feePpm: BigInt(feePpm), referrer, deadline, permit },
  ])
}
