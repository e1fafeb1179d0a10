import { concatHex, keccak256, stringToBytes } from 'viem'
import type { Call } from '../../domain/activity/callBatch.ts'
import { daiType, eip2612Type } from '../../domain/signing/permitTypes.ts'
import { sign } from '../../domain/signing/signature.ts'
import type { Address, Hex } from '../../domain/token/token.ts'
import { toWords } from '../../domain/words.ts'
import type { Permit2Info, PermitInfo } from '../../evm/permits.ts'

// EIP-712 permits, encoded without selector. Usable by anyone, so stored only inside the signed swap.

export type PermitRequest = {
  token: Address
  owner: Address
  spender: Address
  amount: bigint
  /** Seconds since 1970. */
  deadline: bigint
}

/** Permit2, PermitHash.sol. */
const details = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const single = `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${details}`

/** Signs a permit for exactly the amount, except DAI's. */
export async function signPermit(
  privateKey: Hex,
  facts: PermitInfo | Permit2Info,
  { token, owner, spender, amount, deadline }: PermitRequest,
): Promise<Hex> {
  const { separator, nonce } = facts
  const isPermit2 = 'permit2' in facts
  const isDai = !isPermit2 && facts.style === 'dai'
  const inner = [token, amount, deadline, nonce]
  const struct = isPermit2
    ? [typeHash(single), getHash([typeHash(details), ...inner]), spender, deadline]
    : isDai
      ? [daiType, owner, spender, nonce, deadline, 1n]
      : [eip2612Type, owner, spender, amount, nonce, deadline]
  const hash = keccak256(concatHex(['0x1901', separator, getHash(struct)]))
  const { r, s, yParity } = sign(hash, privateKey)
  const v = BigInt(27 + yParity)
  if (isDai) return toWords([owner, spender, nonce, deadline, 1n, v, r, s])
  if (!isPermit2) return toWords([owner, spender, amount, deadline, v, r, s])
  // `bytes` last: offset, length, padded r, s, v.
  return toWords([owner, ...inner, spender, deadline, 8n * 32n, 65n, r, s, v << 248n])
}

/** As long as the longest permit. */
export const placeholderPermit: Hex = `0x${'00'.repeat(12 * 32)}`

/** Extends calldata to its final length while the permit is unsigned. */
export function withPlaceholderPermit(
  { toSign }: { toSign?: unknown },
  { data }: { data: Hex },
): { data: Hex } {
  return { data: toSign ? concatHex([data, placeholderPermit]) : data }
}

/** Returns the call that executes a permit, to test it before it is shared. */
export function permitCall(facts: PermitInfo | Permit2Info, token: Address, permit: Hex): Call {
  const isPermit2 = 'permit2' in facts
  const selector = isPermit2 ? '0x2b67b570' : facts.style === 'dai' ? '0x8fcbaf0c' : '0xd505accf'
  return { to: isPermit2 ? facts.permit2 : token, data: concatHex([selector, permit]), value: 0n }
}

function typeHash(type: string): Hex {
  return keccak256(stringToBytes(type))
}

function getHash(values: (Hex | bigint)[]): Hex {
  return keccak256(toWords(values))
}
