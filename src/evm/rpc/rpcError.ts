import { type AbiParameter, decodeErrorResult } from 'viem'
import { decodeReturned } from '../../domain/abi/decodeStrict.ts'
import { sanitizeText } from '../../domain/sanitize.ts'
import { simulationReasons } from '../../domain/swap/simulationReasons.ts'
import type { Hex } from '../../domain/token/token.ts'
import { type ErrorDetails, WalletError } from '../../errors.ts'
import { getRevertErrors } from '../simulation/revertErrors.ts'
import { findReason, type RpcError } from './errorObject.ts'
import { rpcErrorKind } from './rpcErrorKind.ts'

/** Error(string). */
const errorSelector = '0x08c379a0'

/** Maps to `reverted`, `not-enough-gas`, `underpriced`, `node-unreachable` (retry) or `node-refused`. */
export function parseRpcError(refusal: RpcError, method: string): WalletError {
  const { code, message } = refusal
  const facts = { method, rpcCode: String(code), rpcMessage: message }
  switch (rpcErrorKind(refusal)) {
    case 'revert': {
      const { reason: words, facts } = parseRevert(refusal)
      const reason = isBareRevert(words) ? noReason : words
      return new WalletError('reverted', `The transaction would fail: ${reason}.`, {
        ...facts,
        reason,
        method,
      })
    }
    case 'unaffordable':
      return new WalletError(
        'not-enough-gas',
        'The account cannot pay for the transaction and its fee.',
        facts,
      )
    case 'underpriced':
      return new WalletError('underpriced', 'Another pays nearly as much.', facts)
    case 'lost-block':
      return new WalletError('node-unreachable', 'The node has lost the block it was asked about.', facts)
    case 'limit':
    case 'outage':
      return new WalletError('node-unreachable', 'The node is out of order.', facts)
    default:
      return new WalletError('node-refused', `The node refused ${method}: ${message}.`, facts)
  }
}

export function isRevert(refusal: RpcError): boolean {
  return rpcErrorKind(refusal) === 'revert'
}

/** Returns the reason from the data, else from the message. */
export function parseRevert({
  data,
  message,
}: Pick<RpcError, 'data' | 'message'>): ReturnType<typeof readRevert> {
  const { reason, facts } = readRevert(data ?? '0x')
  return { reason: reason || findReason(message) || message.replace(/(?<!\.)\.$/, ''), facts }
}

/** Decodes revert data, unwrapping inner errors. Empty if unknown. */
export function readRevert(given: Hex, levels = 4): { reason: string; facts: ErrorDetails } {
  const data = given.toLowerCase() as Hex
  try {
    const { errorName, abiItem } = decodeErrorResult({ abi: getRevertErrors(), data })
    const inputs: readonly AbiParameter[] = 'inputs' in abiItem ? abiItem.inputs : []
    const values = decodeReturned(inputs, `0x${data.slice(10)}`)
    if (data.startsWith(errorSelector)) return { reason: sanitizeText(String(values[0]), 200), facts: {} }
    const named = inputs.map(({ name }, index) => [
      name ?? String(index),
      String(values[index]).slice(0, 200),
    ])
    const list = named.map(([name, value]) => `${name} ${value}`).join(', ')
    const facts = { ...Object.fromEntries(named), error: errorName }
    const inner = levels > 0 ? values[inputs.findIndex(({ name }) => name === 'reason')] : undefined
    const why = typeof inner === 'string' ? readRevert(inner as Hex, levels - 1).reason : ''
    return { reason: why || (list === '' ? errorName : `${errorName} (${list})`), facts }
  } catch {
    return { reason: '', facts: data.length >= 10 ? { error: data.slice(0, 10) } : {} }
  }
}

export const noReason = simulationReasons.none

/** Returns true if the message gives no reason. */
export function isBareRevert(reason: string): boolean {
  return bareRevert.test(reason)
}

const bareRevert = new RegExp(
  [
    // geth, Erigon, Reth, Nethermind, Besu.
    '(execution )?(reverted|failed)',
    // Nethermind, OpenEthereum; Ganache.
    'VM execution error|(VM exception while processing transaction: )?revert',
    // Hardhat.
    '.*reverted without a reason( string)?|.*reverted with an unrecognized custom error.*',
  ]
    .map((words) => `^(${words})?\\.?$`)
    .join('|'),
  'i',
)

/** Returns true for errors about the swap itself. */
export function isSwapRevert(data: Hex): boolean {
  return aboutSwap.has(readRevert(data).facts.error ?? '')
}

const aboutSwap: ReadonlySet<string> = new Set([
  'ReturnTooLow',
  'FillTooLow',
  'ReturnAmountIsNotEnough',
  'Expired',
  'Unsold',
  'NothingToSell',
  'NothingBought',
  'ERC20InsufficientBalance',
  'ERC20InsufficientAllowance',
])
