import { concat, type Hex, numberToHex, pad, type StateOverride } from 'viem'
import type { Address } from '../config.ts'
import type { Transaction } from './simulate.ts'

// A contract that swaps is not who begins the transaction: to be simulated as it will run, somebody else has to call it. So its
// code is replaced by a little one that passes a call on, and everything else of the account stays: balances, allowances.

/**
 * Passes on what comes after two words, target and value; what comes back goes back. Without calldata it takes the coin.
 *
 *   if calldatasize == 0: stop
 *   calldatacopy(0, 64, calldatasize - 64)
 *   ok = call(gas, calldataload(0), calldataload(32), 0, calldatasize - 64, 0, 0)
 *   returndatacopy(0, 0, returndatasize)
 *   if ok: return(0, returndatasize) else: revert(0, returndatasize)
 */
const code: Hex = concat([
  '0x36600557005b', // if calldatasize go to 5; stop; 5:
  '0x6040360360406000', // push 64, calldatasize, sub; push 64; push 0
  '0x37', // calldatacopy(0, 64, size - 64)
  '0x60006000', // out size, out offset
  '0x60403603', // in size: calldatasize - 64
  '0x6000', // in offset
  '0x602035', // value: calldataload(32)
  '0x600035', // target: calldataload(0)
  '0x5af1', // gas, call
  '0x3d600060003e', // returndatacopy(0, 0, returndatasize)
  '0x602e573d6000fd', // if ok go to 46; else revert(0, returndatasize)
  '0x5b3d6000f3', // 46: return(0, returndatasize)
])

/** The same call, but begun by `origin`, and `state` such that it can be. */
export function callFromOrigin(
  origin: Address,
  { from, to, value, data }: Transaction,
  state: StateOverride,
): Started {
  const passed = concat([pad(to), numberToHex(value, { size: 32 }), data])
  // An account has one entry, and a token may be the caller too.
  const own = state.find(({ address }) => address === from)
  const others = state.filter(({ address }) => address !== from)
  return {
    call: { account: origin, to: from, data: passed },
    state: [...others, { ...own, address: from, code }],
  }
}

type Started = { call: { account: Address; to: Address; data: Hex }; state: StateOverride }
