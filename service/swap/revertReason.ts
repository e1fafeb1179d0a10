import { decodeErrorResult, type Hex, parseAbi } from 'viem'
import type { Address } from '../config.ts'

/** Solidity's, the router's (contracts/ISwapRouter.sol) and Permit2's (IAllowanceTransfer, PermitErrors). */
const errors = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error Expired(uint256 deadline)',
  'error TransferFailed(address token, address from, address to, uint256 amount, bytes reason)',
  'error NativeTransferFailed(address to, uint256 amount, bytes reason)',
  'error ApprovalFailed(address token, address spender, uint256 amount, bytes reason)',
  'error WrongDstReceiver(address dstReceiver)',
  'error WrongPermitLength(uint256 length)',
  'error WrongPermit(address owner, address spender)',
  'error WrongPermitToken(address token, address srcToken)',
  'error NothingToSell(uint256 hop, address token)',
  'error NothingBought(uint256 hop, address token)',
  'error Unsold(address token, uint256 amount)',
  'error IdleTouched(address token, uint256 balance, uint256 idle)',
  'error ReturnTooLow(uint256 returned, uint256 minimum)',
  'error FillTooLow(uint256 returned, uint256 spent, uint256 amount, uint256 minimum)',
  'error TooLittleGas(uint256 branch)',
  'error AmountTooLarge(uint256 amount)',
  'error AllowanceExpired(uint256 deadline)',
  'error InsufficientAllowance(uint256 amount)',
])

/** True if the caller caused the revert: other pools would not help. */
export function isCallersOwn(data: Hex, payer: Address): boolean {
  const error = decode(data)
  if (error?.errorName === 'TransferFailed') return error.args[1].toLowerCase() === payer
  return error !== undefined && callersOwn.has(error.errorName)
}

const callersOwn = new Set<string>([
  ...['WrongDstReceiver', 'WrongPermitLength', 'WrongPermit', 'WrongPermitToken', 'NativeTransferFailed'],
  ...['AllowanceExpired', 'InsufficientAllowance'],
])

/** Returns the revert string, else the error's name. */
export function revertReason(data: Hex): string {
  const error = decode(data)
  if (error === undefined) return 'execution reverted'
  const { errorName, args } = error
  if (errorName === 'Error') return args[0]
  if (errorName === 'TransferFailed') return `${errorName} (${args[0]}: ${revertReason(args[4])})`
  return errorName
}

function decode(data: Hex) {
  try {
    return decodeErrorResult({ abi: errors, data })
  } catch {
    return undefined
  }
}
