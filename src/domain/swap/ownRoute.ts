import { parseAbiParameters } from 'viem'
import { decodeExact } from '../abi/decodeStrict.ts'
import type { PartnerFee } from '../calldata/decodedCall.ts'
import { toLower } from '../calldata/decoder.ts'
import type { Hex } from '../token/token.ts'

/** `deadline`: last block time in Unix seconds. */
export type OwnRoute = { fee: PartnerFee | undefined; deadline: bigint }

/** Reads a canonical `Route` (contracts/ISwapRouter.sol). */
export function readOwnRoute(route: Hex): OwnRoute | undefined {
  const parameters = parseAbiParameters([
    'Route route',
    'struct Route { address[] tokens; Branch[] branches; uint256 feePpm; address referrer; uint256 deadline; bytes permit; }',
    'struct Branch { uint32 weight; Hop[] hops; }',
    'struct Hop { uint8 kind; uint8 from; uint8 to; uint24 fee; address pool; uint32 weight; bytes32 aux; }',
  ])
  try {
    const [read] = decodeExact(parameters, route)
    const { feePpm: ppm, referrer, deadline } = read
    return { fee: ppm === 0n ? undefined : { ppm, taker: toLower(referrer) }, deadline }
  } catch {
    return undefined
  }
}
