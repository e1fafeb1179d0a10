import { readAbi } from '../domain/abi/abi.ts'
import { decodeErrorResult } from '../domain/abi/abiCalls.ts'
import { plainText } from '../domain/text.ts'
import type { Hex } from '../domain/token/token.ts'
import { type ErrorFacts, WalletError } from '../errors.ts'
import type { Refusal } from './rpc.ts'

// Of the router, what a well-formed swap can still meet on its way (contracts/ISwapRouter.sol); of the public router, its floor; of
// tokens, EIP-6093.
const errors = readAbi([
  'error ReturnTooLow(uint256 returned, uint256 minimum)',
  'error FillTooLow(uint256 returned, uint256 spent, uint256 amount, uint256 minimum)',
  'error ReturnAmountIsNotEnough(uint256 returned, uint256 minimum)',
  'error Expired(uint256 deadline)',
  'error TooLittleGas(uint256 branch)',
  'error Unsold(address token, uint256 amount)',
  'error NothingToSell(uint256 hop, address token)',
  'error NothingBought(uint256 hop, address token)',
  'error AmountTooLarge(uint256 amount)',
  'error WrongValue(uint256 value, uint256 expected)',
  'error WrongDemand(int256 demanded, uint256 armed)',
  'error WrongPermit(address owner, address spender)',
  'error TransferFailed(address token, address from, address to, uint256 amount, bytes reason)',
  'error NativeTransferFailed(address to, uint256 amount, bytes reason)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
])

/** A block was taken back while the node answered, or a node behind the same address lags (geth, Erigon, Anvil). Asking again helps. */
const lostBlock = /header not found|(unknown|missing) block|block not found|BlockOutOfRange/i

/** geth, Erigon, reth, Besu and Anvil; Nethermind. */
const underpriced = /replacement transaction underpriced|ReplacementNotAllowed/i

const known = /already (known|imported)|known transaction|alreadyknown|already exists/i

/** Whether a node refused a transaction because it has it. */
export function isKnown(message: string): boolean {
  return known.test(message)
}

/** Error(string), what `require` and `revert` with a text give. */
const errorSelector = '0x08c379a0'

/** Why the node refused: `reverted` with the contract's own reason, `not-enough-gas`, `underpriced`, `node-unreachable` for now, else `node-refused`. */
export function readRefusal(refusal: Refusal, method: string): WalletError {
  const { code, message, data } = refusal
  if (isRevert(refusal)) {
    const { reason, facts } = readRevert(data ?? '0x')
    const why = reason === '' ? message : reason
    return new WalletError('reverted', `The transaction would fail: ${why}.`, {
      ...facts,
      reason: why,
      method,
    })
  }
  const facts = { method, rpcCode: String(code), rpcMessage: message }
  if (/insufficient funds/i.test(message)) {
    return new WalletError('not-enough-gas', 'The account cannot pay for the transaction and its fee.', facts)
  }
  if (underpriced.test(message)) {
    return new WalletError('underpriced', 'Another pays nearly as much.', facts)
  }
  if (lostBlock.test(message)) {
    return new WalletError('node-unreachable', 'The node has lost the block it was asked about.', facts)
  }
  return new WalletError('node-refused', `The node refused ${method}: ${message}.`, facts)
}

/** Code 3 is what nodes agree on for `revert`; every other way to fail is said in words only, Anvil's begin with "EVM error". */
export function isRevert({ code, message }: Refusal): boolean {
  return code === 3 || failures.test(message)
}

const failures = /revert|^EVM error|invalid (opcode|jump)|stack underflow|out ?of ?gas|gas required exceeds/i

/** The reason in revert data, in words, and the numbers it carries. An empty reason is one that is not known. */
export function readRevert(data: Hex): { reason: string; facts: ErrorFacts } {
  try {
    const { errorName, args, abiItem } = decodeErrorResult({ abi: errors(), data })
    const values = (args ?? []) as readonly unknown[]
    if (data.startsWith(errorSelector)) return { reason: plainText(String(values[0]), 200), facts: {} }
    const inputs = 'inputs' in abiItem ? abiItem.inputs : []
    const named = inputs.map(({ name }, index) => [
      name ?? String(index),
      String(values[index]).slice(0, 200),
    ])
    const list = named.map(([name, value]) => `${name} ${value}`).join(', ')
    return {
      reason: list === '' ? errorName : `${errorName} (${list})`,
      facts: { ...Object.fromEntries(named), error: errorName },
    }
  } catch {
    return { reason: '', facts: data.length >= 10 ? { error: data.slice(0, 10) } : {} }
  }
}

/** Whether the error says what is wrong with the swap itself, however it was tried out. */
export function isAboutSwap(data: Hex): boolean {
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
