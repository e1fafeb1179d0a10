import { hashMessage } from 'viem'
import type { DappRequest } from '../../domain/dapp/approval.ts'
import { sign, toSignatureHex } from '../../domain/signing/signature.ts'
import { hashTypedData } from '../../domain/signing/typedDataHash.ts'
import type { Vault } from '../../vault/vault.ts'
import type { Executor } from '../approvals/approvals.ts'
import { requireRecentConfirmation } from './recentConfirmation.ts'

/**
 * Signs messages and typed data: r, s, v (27 or 28) in 65 bytes, deterministic (RFC 6979). Throws
 * `stale-review`.
 */
export function createSignatures(vault: Pick<Vault, 'withKey'>, now = Date.now): Executor {
  return async ({ ask }, _decision, at = now()) => {
    requireRecentConfirmation(at, now())
    const { account, digest } = toSign(ask)
    return vault.withKey(account, async (privateKey) => toSignatureHex(sign(digest, privateKey)))
  }
}

function toSign(ask: DappRequest) {
  if (ask.kind === 'sign-message') return { account: ask.account, digest: hashMessage({ raw: ask.message }) }
  if (ask.kind === 'sign-typed-data') return { account: ask.account, digest: hashTypedData(ask.typedData) }
  throw new Error(`Nothing is signed for ${ask.kind}.`)
}
