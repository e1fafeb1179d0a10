import { decodeErrorResult, type Hex, parseAbi } from 'viem'

const errors = parseAbi([
  'error Error(string reason)',
  'error Panic(uint256 code)',
  'error TransferFailed(address token, address from, address to, uint256 amount, bytes reason)',
  'error NativeTransferFailed(address to, uint256 amount, bytes reason)',
  'error WrongDstReceiver(address dstReceiver)',
  'error WrongPermit(address owner, address spender)',
  'error NothingToSell(uint256 hop, address token)',
  'error NothingBought(uint256 hop, address token)',
  'error Unsold(address token, uint256 amount)',
])

/** What a contract gave as its reason, as far as it can be read: its own words, else the error's name. */
export function revertReason(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data })
    if (errorName === 'Error') return args[0]
    if (errorName === 'TransferFailed') return `${errorName} (${args[0]}: ${revertReason(args[4])})`
    return errorName
  } catch {
    return 'execution reverted'
  }
}
