import type { Address } from '../domain/token/token.ts'
import { type Call, type CallResult, multicall } from './multicall.ts'
import type { Rpc } from './rpc.ts'

/** 30,000 gas each; RPCs allow 50 million. */
const mostReads = 400

export async function readAllowances(
  rpc: Rpc,
  tokens: Address[],
  spenders: Address[],
  callOf: (token: Address, spender: Address) => Call,
): Promise<{ token: Address; spender: Address; returned: CallResult }[]> {
  const pairs = tokens.flatMap((token) => spenders.map((spender) => ({ token, spender })))
  const calls = pairs.map(({ token, spender }) => callOf(token, spender))
  const returned: CallResult[] = []
  for (let start = 0; start < calls.length; start += mostReads) {
    returned.push(...(await multicall(rpc, calls.slice(start, start + mostReads))))
  }
  return pairs.map((pair, index) => ({ ...pair, returned: returned[index] }))
}
