import type { ChainConfig } from '../config.ts'
import type { Block } from '../engine.ts'
import type { SettledRoute } from '../routing/gasParts.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { encodeSwap } from './calldata.ts'
import type { Transaction } from './callForwarder.ts'
import type { SwapRequest } from './request.ts'

/** `deadline` in Unix seconds; the same when simulated, so that gas is equal. */
export type TimedRequest = SwapRequest & { deadline: bigint }

/** Builds the router call of a route. */
export function buildSwap(
  config: ChainConfig,
  request: TimedRequest,
  route: SettledRoute,
  minReturn: bigint,
): Transaction {
  const { from, sell, buy, amount, receiver, feePpm, referrer, permit, deadline } = request
  const flags = flagsOf(request)
  const terms = { config, route, sell, buy, receiver, minReturn, deadline, amount, flags }
  return { from, ...encodeSwap({ ...terms, feePpm, referrer, permit }) }
}

/** Returns Unix seconds, counted from the later of block and clock. */
export function swapDeadline({ swapSeconds = 900 }: ChainConfig, { timestamp }: Block): bigint {
  const now = BigInt(Math.floor(Date.now() / 1_000))
  return (now > timestamp ? now : timestamp) + BigInt(swapSeconds)
}

function flagsOf({ sell, allowPartialFill, usePermit2 }: SwapRequest): bigint {
  return (
    (allowPartialFill ? partialFill : 0n) | (usePermit2 && sell !== nativeTokenAddress ? throughPermit2 : 0n)
  )
}

/** contracts/ISwapRouter.sol */
const partialFill = 1n
const throughPermit2 = 4n
