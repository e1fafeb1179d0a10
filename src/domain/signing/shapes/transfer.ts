import type { Address, Hex } from '../../token/token.ts'
import type { Cancellation, Transfer } from '../description.ts'
import { hasType } from '../encodeType.ts'
import type { TypedData } from '../typedData.ts'

const members = '(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'

/** Reads an EIP-3009 transfer. */
export function readTransfer(typedData: TypedData): Transfer | undefined {
  const token = typedData.domain.verifyingContract
  const isPull = hasType(typedData, `ReceiveWithAuthorization${members}`)
  const isPush = hasType(typedData, `TransferWithAuthorization${members}`)
  if (token === undefined || !(isPull || isPush)) return undefined
  const { from, to, value, validAfter, validBefore } = typedData.message as Record<'from' | 'to', Address> &
    Record<'value' | 'validAfter' | 'validBefore', bigint>
  return {
    kind: 'transfer',
    standard: 'EIP-3009',
    isPull,
    validAfter,
    terms: {
      owner: from,
      leaves: [{ token, amount: value, to }],
      arrives: [],
      fees: [],
      ...(isPull && { spender: to }),
      until: validBefore,
    },
  }
}

/** Reads an EIP-3009 cancellation. */
export function readCancellation(typedData: TypedData): Cancellation | undefined {
  if (!hasType(typedData, 'CancelAuthorization(address authorizer,bytes32 nonce)')) return undefined
  const { authorizer, nonce } = typedData.message as { authorizer: Address; nonce: Hex }
  return { kind: 'cancellation', standard: 'EIP-3009', owner: authorizer, nonce }
}
