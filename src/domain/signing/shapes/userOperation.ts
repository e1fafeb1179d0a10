import { type AbiFunction, parseAbiItem } from 'viem'
import type { Call } from '../../activity/callBatch.ts'
import type { Address, Hex } from '../../token/token.ts'
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
  const { sender, safe, callData, validUntil } = typedData.message as {
    sender?: Address
    safe?: Address
    callData: Hex
    validUntil?: bigint
  }
  const inner = readExecution(callData)
  return {
    kind: 'calls',
    standard: 'ERC-4337',
    sender: sender ?? (safe as Address),
    ...(inner && { calls: inner.calls }),
    data: callData,
    isDelegate: inner?.isDelegate === true,
    ...(validUntil !== undefined && validUntil !== 0n && { until: validUntil }),
  }
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
