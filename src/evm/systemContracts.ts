import { numberToHex } from 'viem'
import type { Address, Hex } from '../domain/token/token.ts'

/** EIP-4788. */
const beaconRoots: Address = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'

/** EIP-2935. */
const history: Address = '0x0000f90827f1c53a10cb7a02335b175320002935'

export const beaconRootsCodeHash = 0xf57acd40259872606d76197ef052f3d35588dadf919ee1f0e3cb9b62d3f4b02cn
export const historyCodeHash = 0x6e49e66782037c0555897870e29fa5e552daf4719552131a0abce779daec0a5dn

const ringSize = 8_191n

export type StateDiffs = Record<Address, { stateDiff: Record<Hex, Hex> }>

/** Returns the storage written by EIP-4788's system call. */
export function toBeaconRootState(time: bigint, root: Hex): StateDiffs {
  const slot = time % ringSize
  return {
    [beaconRoots]: {
      stateDiff: { [word(slot)]: word(time), [word(slot + ringSize)]: root },
    },
  }
}

/** Returns the storage written by EIP-2935's system call. */
export function toHistoryState(parentNumber: bigint, parentHash: Hex): StateDiffs {
  return { [history]: { stateDiff: { [word(parentNumber % ringSize)]: parentHash } } }
}

function word(value: bigint): Hex {
  return numberToHex(value, { size: 32 })
}
