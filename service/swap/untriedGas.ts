import { slice } from 'viem'
import { gasBounds } from '../pools/gasCosts.ts'
import { firstUseGas, lateGas, maxGas, newSlot, type SettledRoute } from '../routing/gasParts.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { estimateGas } from './quote.ts'
import type { SwapRequest } from './request.ts'
import { gasLimit, permissionGas } from './validateRoutes.ts'

/**
 * Returns the gas limit of a swap that was not simulated, also for pools and ticks that were never used. Of
 * 812 random swaps on the localnet, 205 of them the first of a pool or tick, none needed more than 89 % of
 * it.
 */
export function untriedLimit(request: SwapRequest, route: SettledRoute): bigint {
  const late = lateGas(route) + firstUseGas(route) + (request.buy === nativeTokenAddress ? newAccount : 0n)
  return gasLimit(estimateGas(request, route) + late + permissionGas(request))
}

/** Payment to an account that does not exist (EIP-161). */
const newAccount = 25_000n

/**
 * Returns the gas that a swap through pools swapped before is expected to use, within 25 %: bounds are up to
 * 15 % above the use, and of what only the chain knows (whether recipient and referrer hold the token, the
 * nonce of an EIP-2612 permit) half is counted.
 */
export function expectGas(request: SwapRequest, route: SettledRoute): bigint {
  const fee = request.feePpm > 0 ? gasBounds.fee - newSlot / 2n : 0n
  const emptied = isUsedUp(request) ? 1 : 0
  const [known, unknown] = [false, true].map((isNewHolder) => maxGas(route, isNewHolder, fee, emptied))
  return (((known as bigint) + (unknown as bigint)) * 7n) / 15n + permissionUse(request)
}

/** Measured on the localnet, with a nonce that is not the first; an allowance is new and stays. */
const permitUse = 40_900n
const daiPermitUse = 38_300n
const permit2Use = 14_500n
/** Beyond a transfer by the token's own allowance. */
const permit2Transfer = 7_000n

function permissionUse({ sell, permit, usePermit2 }: SwapRequest): bigint {
  if (sell === nativeTokenAddress) return 0n
  const transfer = usePermit2 ? permit2Transfer : 0n
  if (permit === undefined) return transfer
  const words = (permit.length - 2) / 64
  if (words === 7) return permitUse + newSlot / 2n
  // DAI (holder, spender, nonce), and Permit2 (owner, token, amount, expiration, nonce).
  const [use, nonce] = words === 8 ? [daiPermitUse, 2] : [permit2Use, 4]
  return transfer + use + (wordOf(permit, nonce) === 0n ? newSlot : 0n)
}

/** True if the swap spends all that an EIP-2612 permit allows, whose slot is then refunded. */
function isUsedUp({ permit, amount }: SwapRequest): boolean {
  return permit !== undefined && (permit.length - 2) / 64 === 7 && wordOf(permit, 2) === amount
}

function wordOf(words: `0x${string}`, index: number): bigint {
  return BigInt(slice(words, index * 32, index * 32 + 32))
}
