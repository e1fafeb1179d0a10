import { type AbiFunction, parseAbiItem } from 'viem'
import type { Call } from '../../activity/callBatch.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../token/token.ts'
import type { AccountCalls } from '../description.ts'
import { hasType } from '../encodeType.ts'
import type { TypedData } from '../typedData.ts'
import { decodeArguments } from './decodeArguments.ts'

const gas =
  'uint256 callGasLimit,uint256 verificationGasLimit,uint256 preVerificationGas,uint256 maxFeePerGas,' +
  'uint256 maxPriorityFeePerGas'
const tail = 'bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)'

// EntryPoint 0.8 and later, accounts with the earlier struct, Safe's 4337 modules.
const forms = [
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,' +
    'uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
  `UserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,${gas},bytes paymasterAndData)`,
  `SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,${gas},${tail}`,
  'SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,' +
    'uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,' +
    tail,
]

/** Reads an ERC-4337 operation. */
export function readUserOperation(typedData: TypedData): AccountCalls | undefined {
  if (!forms.some((type) => hasType(typedData, type))) return undefined
  const { sender, safe, callData, validUntil } = typedData.message as Operation
  const inner = readExecution(callData)
  const fee = getMaxFee(typedData.message as Operation)
  return {
    kind: 'calls',
    standard: 'ERC-4337',
    sender: sender ?? (safe as Address),
    ...(inner && { calls: inner.calls }),
    data: callData,
    isDelegate: inner?.isDelegate === true,
    ...(fee > 0n && { fee: { token: nativeTokenAddress, amount: fee } }),
    ...(validUntil !== undefined && validUntil !== 0n && { until: validUntil }),
  }
}

type Operation = {
  sender?: Address
  safe?: Address
  callData: Hex
  paymasterAndData: Hex
  preVerificationGas: bigint
  verificationGasLimit?: bigint
  callGasLimit?: bigint
  maxFeePerGas?: bigint
  accountGasLimits?: Hex
  gasFees?: Hex
  validUntil?: bigint
}

/** The account pays it to the bundler, whatever gas is used; 0 if a paymaster pays. */
function getMaxFee(operation: Operation): bigint {
  const { paymasterAndData, preVerificationGas, accountGasLimits = '0x0', gasFees = '0x0' } = operation
  if (BigInt(paymasterAndData.slice(0, 42).padEnd(3, '0')) !== 0n) return 0n
  const half = 2n ** 128n
  const [limits, fees] = [BigInt(accountGasLimits), BigInt(gasFees)]
  const {
    verificationGasLimit = limits / half,
    callGasLimit = limits % half,
    maxFeePerGas = fees % half,
  } = operation
  return (preVerificationGas + verificationGasLimit + callGasLimit) * maxFeePerGas
}

type Execution = { calls: Call[]; isDelegate?: boolean }

function readExecution(data: Hex): Execution | undefined {
  for (const [signature, read] of executions) {
    const values = decodeArguments(parseAbiItem(signature) as AbiFunction, data)
    if (values !== undefined) return read(values as never)
  }
  return undefined
}

type Three = [to: Address, value: bigint, data: Hex]
type Reader = (values: never) => Execution | undefined

const single = ([to, value, data]: Three): Execution => ({ calls: [{ to, value, data }] })
const delegating = ([to, value, data, operation]: [...Three, bigint | number]): Execution => ({
  calls: [{ to, value, data }],
  isDelegate: Number(operation) !== 0,
})

const executions: [signature: string, Reader][] = [
  ['function execute(address dest, uint256 value, bytes func)', single],
  ['function executeUserOp(address to, uint256 value, bytes data, uint8 operation)', delegating],
  [
    'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
    delegating,
  ],
  [
    'function executeBatch(address[] dest, bytes[] func)',
    ([dest, func]: [Address[], Hex[]]) => toBatch(dest, func),
  ],
  [
    'function executeBatch(address[] dest, uint256[] value, bytes[] func)',
    ([dest, value, func]: [Address[], bigint[], Hex[]]) =>
      value.length === dest.length || value.length === 0 ? toBatch(dest, func, value) : undefined,
  ],
  [
    'function executeBatch((address target, uint256 value, bytes data)[] calls)',
    ([calls]: [{ target: Address; value: bigint; data: Hex }[]]) => ({
      calls: calls.map(({ target, value, data }) => ({ to: target, value, data })),
    }),
  ],
]

function toBatch(targets: Address[], datas: Hex[], values: bigint[] = []): Execution | undefined {
  if (targets.length !== datas.length) return undefined
  return { calls: targets.map((to, at) => ({ to, value: values[at] ?? 0n, data: datas[at] ?? '0x' })) }
}
