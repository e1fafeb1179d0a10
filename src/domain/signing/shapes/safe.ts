import { parseAbiItem } from 'viem'
import { once } from '../../../lib/once.ts'
import type { Call } from '../../activity/callBatch.ts'
import { type Address, type Hex, nativeTokenAddress, zeroAddress } from '../../token/token.ts'
import type { AccountCalls, SafeMessage } from '../description.ts'
import { hasType } from '../encodeType.ts'
import type { TypedData } from '../typedData.ts'
import { decodeArguments } from './decodeArguments.ts'

// github.com/safe-global/safe-smart-account: Safe.sol; `dataGas` before 1.0.
const safeTx = (baseGas: string) =>
  `SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 ${baseGas},` +
  'uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)'

type SafeTx = { to: Address; value: bigint; data: Hex; operation: bigint } & Record<
  'safeTxGas' | 'gasPrice',
  bigint
> & { gasToken: Address; baseGas?: bigint; dataGas?: bigint }

/** Reads a Safe transaction, or its MultiSendCallOnly batch. */
export function readSafeTx(typedData: TypedData): AccountCalls | undefined {
  const safe = typedData.domain.verifyingContract
  const isSafeTx = hasType(typedData, safeTx('baseGas')) || hasType(typedData, safeTx('dataGas'))
  if (safe === undefined || !isSafeTx) return undefined
  const message = typedData.message as SafeTx
  const { to, value, data, operation, gasPrice, gasToken, safeTxGas } = message
  const isDelegate = operation !== 0n
  const batch = isDelegate && callOnly.includes(to) ? readBatch(data) : undefined
  // Refunded gas is bounded only if `safeTxGas` is set.
  const gas = safeTxGas + (message.baseGas ?? message.dataGas ?? 0n)
  const token = gasToken === zeroAddress ? nativeTokenAddress : gasToken
  return {
    kind: 'calls',
    standard: 'Safe',
    sender: safe,
    calls: batch ?? [{ to, data, value }],
    data,
    isDelegate: isDelegate && batch === undefined,
    ...(gasPrice > 0n && { fee: { token, amount: safeTxGas === 0n ? 'all' : gas * gasPrice } }),
  }
}

export function readSafeMessage(typedData: TypedData): SafeMessage | undefined {
  if (!hasType(typedData, 'SafeMessage(bytes message)')) return undefined
  return { kind: 'safe-message', message: typedData.message.message as Hex }
}

/** MultiSendCallOnly 1.3.0 (twice) and 1.4.1: inner calls are CALLs. */
const callOnly: readonly Address[] = [
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
]

const multiSend = once(() => parseAbiItem('function multiSend(bytes transactions)'))

/** Per call: operation (1 byte), target (20), value (32), size (32), calldata. */
function readBatch(data: Hex): Call[] | undefined {
  const [packed] = decodeArguments(multiSend(), data) ?? []
  if (typeof packed !== 'string') return undefined
  const calls: Call[] = []
  const head = 2 * (1 + 20 + 32 + 32)
  let rest = packed.slice(2)
  while (rest.length > 0) {
    if (rest.length < head || !rest.startsWith('00')) return undefined
    const size = BigInt(`0x${rest.slice(106, head)}`)
    if (size > BigInt(rest.length)) return undefined
    const end = head + 2 * Number(size)
    if (rest.length < end) return undefined
    calls.push({
      to: `0x${rest.slice(2, 42)}`,
      value: BigInt(`0x${rest.slice(42, 106)}`),
      data: `0x${rest.slice(head, end)}`,
    })
    rest = rest.slice(end)
  }
  return calls.length === 0 ? undefined : calls
}
