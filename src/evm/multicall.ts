import { readAbi } from '../domain/abi/abi.ts'
import { decodeFunctionResult, encodeFunctionData } from '../domain/abi/abiCalls.ts'
import type { Address, Hex } from '../domain/token/token.ts'
import { toWalletError, WalletError } from '../errors.ts'
import { getCodeHash } from './codeHash.ts'
import type { Rpc } from './rpc.ts'
import { isRevert, parseRpcError } from './rpcError.ts'
import { hex } from './schemas.ts'
import { readSingly } from './singleCalls.ts'

/** One read of a contract. */
export type Call = { to: Address; data: Hex }

/** What it answered; undefined when it reverted. */
export type CallResult = Hex | undefined

/** Multicall3, at the same address on every chain that has it (github.com/mds1/multicall3). */
export const multicall3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** Code hash of that deployment: it has no immutables, so it is the same on every chain. */
const multicall3CodeHash: Hex = '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891'

const abi = readAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] returnData)',
  'function getEthBalance(address addr) view returns (uint256 balance)',
  'function getCurrentBlockTimestamp() view returns (uint256 timestamp)',
])

/** getEthBalance(address) */
const balanceSelector = '0x4d2301cc'
/** getCurrentBlockTimestamp() */
const timestampSelector = '0x0f28c97d'

/** The call that reads `owner`'s native coin along with the others. */
export function nativeBalanceCall(owner: Address): Call {
  return {
    to: multicall3,
    data: encodeFunctionData({ abi: abi(), functionName: 'getEthBalance', args: [owner] }),
  }
}

/** The account whose native coin a call reads, if it is one of `nativeBalanceCall`. */
export function nativeBalanceOwner({ to, data }: Call): Address | undefined {
  return to === multicall3 && data.startsWith(balanceSelector) ? `0x${data.slice(-40)}` : undefined
}

/** The call that reads the block's time along with the others, in seconds since 1970. */
export function blockTimestamp(): Call {
  return {
    to: multicall3,
    data: encodeFunctionData({ abi: abi(), functionName: 'getCurrentBlockTimestamp' }),
  }
}

export function readsTimestamp({ to, data }: Call): boolean {
  return to === multicall3 && data.startsWith(timestampSelector)
}

/** False where another contract, or none, stands at Multicall3's address: its answers are not used. */
export async function hasMulticall(rpc: Rpc): Promise<boolean> {
  return (await getCodeHash(rpc, multicall3)) === multicall3CodeHash
}

/** Connections to chains that had no Multicall3 when they were asked last. */
const lacking = new WeakSet<Rpc>()

/**
 * Makes all `calls` at one block in one request, and answers in their order. Only when a contract burns all gas, and takes the
 * others down with it, are the two halves asked again, each by itself. Where Multicall3 is missing, each call
 * is asked by itself.
 */
export async function multicall(rpc: Rpc, calls: Call[]): Promise<CallResult[]> {
  if (calls.length === 0) return []
  if (lacking.has(rpc)) {
    const [returned, isThere] = await Promise.all([readSingly(rpc, calls), hasMulticall(rpc)])
    if (isThere) lacking.delete(rpc)
    return returned
  }
  const data = encodeFunctionData({
    abi: abi(),
    functionName: 'aggregate3',
    args: [calls.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))],
  })
  // Asked for at once, so that the check costs no round trip.
  const [outcome, isKnown] = await Promise.all([
    rpc.attempt('eth_call', [{ to: multicall3, data }, 'latest'], hex).catch(toWalletError),
    hasMulticall(rpc),
  ])
  if (!isKnown) {
    lacking.add(rpc)
    return readSingly(rpc, calls)
  }
  if (outcome instanceof WalletError) throw outcome
  if ('result' in outcome) return decode(outcome.result, calls.length) ?? readSingly(rpc, calls)
  if (!isRevert(outcome.refusal)) throw parseRpcError(outcome.refusal, 'eth_call')
  if (calls.length === 1) return [undefined]
  const half = calls.length >> 1
  return [...(await multicall(rpc, calls.slice(0, half))), ...(await multicall(rpc, calls.slice(half)))]
}

function decode(returned: Hex, expected: number): CallResult[] | undefined {
  try {
    const results = decodeFunctionResult({ abi: abi(), functionName: 'aggregate3', data: returned })
    if (results.length !== expected) return undefined
    return results.map(({ success, returnData }) => (success ? returnData : undefined))
  } catch {
    return undefined
  }
}

/** The number in a call's answer, or undefined when it holds none: a contract that does not know the method, or none at all. */
export function readNumber(returned: CallResult): bigint | undefined {
  return returned !== undefined && returned.length >= 66 ? BigInt(returned.slice(0, 66)) : undefined
}
