import { readParameters } from '../abi/abi.ts'
import { decodeAbiParameters, encodeAbiParameters } from '../abi/abiCoder.ts'
import { lower } from '../abi/callReader.ts'
import type { Address, Hex } from '../token/token.ts'

/** `ppm` millionths of what is sold go to `taker`. */
export type PartnerFee = { ppm: bigint; taker: Address }

/** The fee in a `Route` (contracts/ISwapRouter.sol), when there is one. */
export function readFee(route: Hex): PartnerFee | 'unreadable' | undefined {
  const parameters = readParameters([
    'Route route',
    'struct Route { address[] tokens; Branch[] branches; uint256 feePpm; address referrer; bytes permit; }',
    'struct Branch { uint32 weight; Hop[] hops; }',
    'struct Hop { uint8 kind; uint8 from; uint8 to; uint24 fee; address pool; uint32 weight; bytes32 aux; }',
  ])
  try {
    const [read] = decodeAbiParameters(parameters, route)
    if (encodeAbiParameters(parameters, [read]) !== route) return 'unreadable'
    return read.feePpm === 0n ? undefined : { ppm: read.feePpm, taker: lower(read.referrer) }
  } catch {
    return 'unreadable'
  }
}
