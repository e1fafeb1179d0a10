import type { Address } from '../domain/token/token.ts'
import { type Call, type CallResult, multicall } from './multicall.ts'
import type { Rpc } from './rpc.ts'

/** In one request: each takes some 30,000 gas, and nodes allow 50 million or less. */
const mostReads = 400

/** What `callOf` reads of each token and spender, in one request for each few hundred. */
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
