import { sanitizeText } from '../../domain/sanitize.ts'
import type { Hex } from '../../domain/token/token.ts'

/** `data` is the revert data. */
export type RpcError = { code: number; message: string; data: Hex | undefined }

/** Parses an error object (JSON-RPC 2.0, 5.1), unwrapping proxies' inner errors. */
export function parseErrorObject(error: object, levels = 4): RpcError {
  const { code, message, data } = error as Record<string, unknown>
  const inner = code === -32603 && levels > 0 ? findInner(data) : undefined
  if (inner !== undefined) return parseErrorObject(inner, levels - 1)
  const words = [code, message].filter((one) => typeof one === 'string' && !isNumber(one))
  const said = words.map((one) => (one === code ? String(one).replaceAll('_', ' ') : one)).join(': ')
  const found = findRevertData(data)
  const detail = typeof data === 'string' && found === undefined && !said.includes(data) ? data : ''
  return {
    code: parseCode(code),
    message: sanitizeText([said, detail].filter(Boolean).join(': '), 300),
    data: found ?? findRevertDataIn(said),
  }
}

function isNumber(code: unknown): boolean {
  return typeof code === 'string' && /^-?\d+$/.test(code)
}

function parseCode(code: unknown): number {
  const number = isNumber(code) ? Number(code) : code
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 0
}

function findInner(data: unknown): object | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { originalError, cause, error } = data as Record<string, unknown>
  return [originalError, cause, error, data].find(isErrorObject)
}

function isErrorObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'code' in value && Number.isSafeInteger(value.code)
}

/**
 * Revert data: plain, after a word (OpenEthereum), quoted, without `0x`, or nested (Hardhat, Ganache,
 * proxies).
 */
function findRevertData(data: unknown, levels = 4): Hex | undefined {
  if (typeof data === 'string') {
    const [, hex] = /^(?:(?:execution )?revert(?:ed)?:? ?)?"?(?:0x)?((?:[0-9a-f]{2})*)"?$/i.exec(data) ?? []
    // Without a prefix: selector and words.
    const isData = hex !== undefined && (/0x/i.test(data) || (hex !== '' && hex.length % 64 === 8))
    return isData ? `0x${hex.toLowerCase()}` : undefined
  }
  if (typeof data !== 'object' || data === null || levels === 0) return undefined
  const fields = Object.entries(data)
    // Other fields may hold a transaction hash.
    .filter(([name, value]) => dataFields.has(name) || typeof value === 'object')
    .map(([, value]) => findRevertData(value, levels - 1))
  return fields.find((found) => found !== undefined && found !== '0x') ?? fields.find(Boolean)
}

const dataFields = new Set(['data', 'result', 'return', 'output'])

/** Older clients. Other hex may be the request's own. */
function findRevertDataIn(message: string): Hex | undefined {
  const [, hex] =
    /\b(?:revert(?:ed)?|reason|return(?:ed)?)\W{0,4}0x((?:[0-9a-f]{2}){4,})/i.exec(message) ??
    /\brevert.*\b(?:data|output)\W{0,4}0x((?:[0-9a-f]{2}){4,})/i.exec(message) ??
    []
  return hex === undefined ? undefined : `0x${hex.toLowerCase()}`
}

/** Returns the contract's reason, or ''. */
export function findReason(message: string): string {
  const [, reason = ''] = reasons.map((words) => words.exec(message)).find(Boolean) ?? []
  return /^0x/i.test(reason) ? '' : reason.trim()
}

const reasons = [
  // Hardhat.
  /reverted with (?:reason string|custom error) '(.*)'/i,
  // geth, Erigon, Reth, Anvil, Nethermind.
  /\brevert(?:ed)?: (.+)$/i,
  // Besu.
  /\breverted \((?!supplied gas)(.+)\)$/i,
  // Ganache.
  /VM exception while processing transaction: revert (.+)$/i,
]
