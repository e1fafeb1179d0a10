import type { ErrorCode } from '../errors.ts'
import type { ProviderError } from '../protocol.ts'

/** EIP-1193 error. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError'
  declare readonly code: number
  declare readonly data?: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    if (data !== undefined) this.data = data
  }
}

/** EIP-1193, "Disconnected". */
export const disconnected = 4900

const internal = -32603

/** EIP-1193, EIP-1474, EIP-5792, EIP-3085, EIP-3326. Defaults to internal. */
const numbers: Partial<Record<ErrorCode, number>> = {
  'invalid-request': -32600,
  'unknown-method': -32601,
  'invalid-params': -32602,
  'invalid-input': -32602,
  'not-sent': -32003,
  'limit-exceeded': -32005,
  'request-open': -32002,
  rejected: 4001,
  'not-connected': 4100,
  throttled: 4100,
  locked: 4100,
  'watch-only': 4100,
  'unsupported-method': 4200,
  'node-unreachable': disconnected,
  'node-timeout': disconnected,
  'wrong-chain': disconnected,
  'unknown-chain': 4902,
  'no-capability': 5700,
  'no-service': 5710,
  'id-used': 5720,
  'unknown-id': 5730,
  'no-atomicity': 5760,
}

export function toRpcError({ code, message, facts }: ProviderError): ProviderRpcError {
  if (code === 'node-answered') {
    const { rpcCode, rpcMessage, rpcData } = facts
    return new ProviderRpcError(Number(rpcCode) || internal, rpcMessage ?? message, rpcData)
  }
  return new ProviderRpcError(numbers[code] ?? internal, message, toData(code, facts))
}

function toData(code: ErrorCode, facts: ProviderError['facts']): unknown {
  if (code === 'not-sent')
    return { ...facts, transactions: facts.transactions?.split(',').filter(Boolean) ?? [] }
  return Object.keys(facts).length > 0 ? facts : undefined
}
