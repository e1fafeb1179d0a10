import { size, slice } from 'viem'
import type { PartnerFee } from '../calldata/decodedCall.ts'
import type { Address, Hex } from '../token/token.ts'

/** `deadline`: last block time in Unix seconds. */
export type OwnRoute = { fee: PartnerFee | undefined; deadline: bigint }

const word = 32

/**
 * Reads the header of our router's route, which is whole words (contracts/Route.sol). Undefined if the words
 * that it counts, and a hop, do not fit.
 */
export function readOwnRoute(route: Hex): OwnRoute | undefined {
  const bytes = size(route)
  if (bytes % word !== 0 || bytes < word || route.length % 2 !== 0) return undefined
  const read = (from: number, to: number): bigint => BigInt(slice(route, from, to))
  const [connectors, branches, permit] = [read(29, 30), read(30, 31), read(31, 32)]
  if (connectors + branches + permit + 2n > bytes / word) return undefined
  const [deadline, ppm] = [read(20, 26), read(26, 29)]
  const taker = slice(route, 0, 20) as Address
  return { fee: ppm === 0n ? undefined : { ppm, taker }, deadline }
}
