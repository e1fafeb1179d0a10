import { concat, type Hex, numberToHex, pad, type StateOverride } from 'viem'
import type { Address } from '../config.ts'

export type Transaction = { from: Address; to: Address; data: Hex; value: bigint }

// Simulates a contract's call within another account's transaction: the contract's code is overridden, its
// balances and allowances stay.

/** Forwards the calldata after two words, target and value. Without calldata it accepts the native token. */
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

/** Returns a call by `origin` that lets `from` send the transaction. */
export function callFromOrigin(
  origin: Address,
  { from, to, value, data }: Transaction,
  state: StateOverride,
): Started {
  const passed = concat([pad(to), numberToHex(value, { size: 32 }), data])
  // One entry per account; the caller may be a token.
  const own = state.find(({ address }) => address === from)
  const others = state.filter(({ address }) => address !== from)
  return {
    call: { account: origin, to: from, data: passed },
    state: [...others, { ...own, address: from, code }],
  }
}

type Started = { call: { account: Address; to: Address; data: Hex }; state: StateOverride }
