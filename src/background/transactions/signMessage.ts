import type { DappRequest } from '../../domain/dapp/approval.ts'
import { keccak256 } from '../../domain/hash.ts'
import { byteLength, concat, toHex, utf8 } from '../../domain/hex.ts'
import { sign, toSignatureHex } from '../../domain/signing/signature.ts'
import { hashTypedData } from '../../domain/signing/typedDataHash.ts'
import type { Hex } from '../../domain/token/token.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Executor } from '../approvals/approvals.ts'
import { requireFreshReview } from './freshReview.ts'

/**
 * Signs messages and typed data: r, s, v (27 or 28) in 65 bytes, deterministic (RFC 6979). Throws
 * `stale-review`.
 */
export function createSignatures(vault: Pick<Vault, 'withKey'>, now = Date.now): Executor {
  return async ({ ask }, _decision, at = now()) => {
    requireFreshReview(at, now())
    const { account, digest } = toSign(ask)
    return vault.withKey(account, async (privateKey) => toSignatureHex(sign(digest, privateKey)))
  }
}

/** Hashes a personal message (EIP-191, version 0x45). */
export function hashMessage(message: Hex): Hex {
  const prefix = utf8(`\x19Ethereum Signed Message:\n${byteLength(message)}`)
  return keccak256(concat([toHex(prefix), message]))
}

function toSign(ask: DappRequest) {
  if (ask.kind === 'sign-message') return { account: ask.account, digest: hashMessage(ask.message) }
  if (ask.kind === 'sign-typed-data') return { account: ask.account, digest: hashTypedData(ask.typedData) }
  throw new Error(`Nothing is signed for ${ask.kind}.`)
}
