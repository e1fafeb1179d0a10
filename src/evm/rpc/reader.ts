import { concatHex } from 'viem'
import type { Address, Hex } from '../../domain/token/token.ts'
import type { CallResult, Call as Read } from './multicall.ts'

/**
 * Runtime code that reads other contracts by STATICCALL, so a read changes no state visible to later calls.
 * Takes the target (20 bytes) and its calldata; returns a word that is 1 on success, then the return data.
 *
 *     6014 36 03 80           size := calldatasize - 20, twice
 *     6014 3d 37              calldatacopy(0, 20, size)
 *     3d 3d 91 3d             for the call: no output, size, offset 0
 *     3d 35 6060 1c 5a fa     staticcall(gas, shr(96, calldataload(0)), 0, size, 0, 0)
 *     6000 52                 mstore(0, success)
 *     3d 6000 6020 3e         returndatacopy(32, 0, returndatasize)
 *     6020 3d 01 6000 f3      return(0, 32 + returndatasize)
 */
export const readerCode: Hex = '0x601436038060143d373d3d913d3d3560601c5afa6000523d600060203e60203d016000f3'

/** Runtime code that returns a native balance: balance(calldataload(4)). */
export const nativeReaderCode: Hex = '0x600435313d5260203df3'

type Result = { status: string; returnData: Hex }

export function toReaderCall(reader: Address, { to, data }: Read): Read {
  return { to: reader, data: concatHex([to, data]) }
}

export function isReaderMissing(result: Result | undefined): boolean {
  return result?.status === '0x1' && result.returnData.length < 66
}

export function toReturned(result: Result | undefined): CallResult {
  if (result?.status !== '0x1' || !/^0x0{63}1/.test(result.returnData)) return undefined
  return `0x${result.returnData.slice(66)}`
}
