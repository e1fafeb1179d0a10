import { type Address, encodeAbiParameters, type Hex, parseAbiParameters, zeroAddress, zeroHash } from 'viem'

export const native: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
export const [wrap, unwrap, v2, v3] = [0, 1, 2, 3]

export type Hop = { kind: number; from: number; to: number; pool?: Address; fee?: number; weight?: number }

/** A swap as a test writes it. What is left out is what an honest caller would say. */
export type Ask = {
  tokens: readonly Address[]
  hops: readonly Hop[]
  amount: bigint
  least?: bigint
  from?: Address
  to?: Address
  value?: bigint
  feePpm?: number
  referrer?: Address
  permit?: Hex
  executor?: Address
  srcToken?: Address
  dstToken?: Address
  srcReceiver?: Address
  flags?: bigint
  data?: Hex
}

const routeShape = parseAbiParameters([
  'Route route',
  'struct Route { address[] tokens; Hop[] hops; uint256 feePpm; address referrer; bytes permit; }',
  'struct Hop { uint8 kind; uint8 from; uint8 to; uint24 fee; address pool; uint32 weight; bytes32 aux; }',
])

/** The `data` of a swap. */
export function encodeRoute(ask: Pick<Ask, 'tokens' | 'hops' | 'feePpm' | 'referrer' | 'permit'>): Hex {
  const hops = ask.hops.map((hop) => ({ pool: zeroAddress, fee: 0, weight: 0, aux: zeroHash, ...hop }))
  const { tokens, feePpm = 0, referrer = zeroAddress, permit = '0x' } = ask
  return encodeAbiParameters(routeShape, [{ tokens, hops, feePpm: BigInt(feePpm), referrer, permit }])
}
