import { sign } from 'viem/accounts'
import { concatHex, keccak256, stringToHex } from 'viem/utils'
import type { Ask } from '../domain/approval.ts'
import type { Hex } from '../domain/token.ts'
import { hashTypedData } from '../domain/typedDataHash.ts'
import type { Vault } from '../vault/vault.ts'
import type { CarryOut } from './approvals.ts'

/**
 * Signs messages and typed data: r, s and v as 65 bytes of hex, v being 27 or 28. The same ask gives the same signature each time
 * (RFC 6979).
 */
export function createSignatures(vault: Pick<Vault, 'withKey'>): CarryOut {
  return async ({ ask }) => {
    const { account, digest } = toSign(ask)
    return vault.withKey(account, (privateKey) => sign({ hash: digest, privateKey, to: 'hex' }))
  }
}

/** What is signed for a personal message (EIP-191, version 0x45). */
export function hashMessage(message: Hex): Hex {
  const size = (message.length - 2) / 2
  return keccak256(concatHex([stringToHex(`\x19Ethereum Signed Message:\n${size}`), message]))
}

function toSign(ask: Ask) {
  if (ask.kind === 'sign-message') return { account: ask.account, digest: hashMessage(ask.message) }
  if (ask.kind === 'sign-typed-data') return { account: ask.account, digest: hashTypedData(ask.typedData) }
  throw new Error(`Nothing is signed for ${ask.kind}.`)
}
