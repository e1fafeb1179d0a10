import {
  keccak256,
  numberToHex,
  pad,
  parseTransaction,
  type Signature,
  serializeTransaction,
  type TransactionSerializable,
  type TransactionSerializableEIP1559,
  type TransactionSerializableGeneric,
  type TransactionSerializableLegacy,
  type TransactionSerializedEIP1559,
  type TransactionSerializedLegacy,
} from 'viem'
import { sign } from '../domain/signing/signature.ts'
import type { AccessSlots } from '../domain/swap/quote.ts'
import type { Address, Hex } from '../domain/token/token.ts'
import { WalletError } from '../errors.ts'
import { transferTopic } from './erc20.ts'
import type { Receipt } from './rpc/schemas.ts'

/** Wei per gas. `isLegacy`: type 0, both fees are the gas price. */
export type Transaction = {
  chainId: number
  nonce: number
  to?: Address
  data: Hex
  value: bigint
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  isLegacy?: true
  accessList?: AccessSlots[]
}

export type SignedTransaction = { raw: Hex; hash: Hex }

/** Signs by EIP-1559, or EIP-155 if legacy. Deterministic (RFC 6979). Throws `invalid-input`. */
export async function signTransaction(privateKey: Hex, transaction: Transaction): Promise<SignedTransaction> {
  check(transaction)
  const unsigned = toSerializable(transaction)
  const { r, s, yParity } = sign(keccak256(serializeTransaction(unsigned)), privateKey)
  const raw = serializeTransaction(unsigned, {
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s, { size: 32 }),
    v: BigInt(27 + yParity),
    yParity,
  })
  return { raw, hash: keccak256(raw) }
}

/** Parses signed bytes of EIP-1559 or EIP-155. Throws an Error if not canonical. */
export function readTransaction(raw: Hex): Transaction {
  const parsed: TransactionSerializableGeneric = parseTransaction(
    raw as TransactionSerializedEIP1559 | TransactionSerializedLegacy,
  )
  const isKnown = parsed.type === 'eip1559' || parsed.type === 'legacy'
  if (!isKnown || serializeTransaction(parsed as TransactionSerializable, parsed as Signature) !== raw)
    throw new Error('Not a canonical transaction')
  if (!parsed.r || !parsed.s || !parsed.chainId) throw new Error('Not signed for a chain')
  const { chainId = 0, nonce = 0, to, data = '0x', value = 0n, gas = 0n, accessList } = parsed
  const common = { chainId, nonce, ...(to && { to }), data, value, gas }
  if (parsed.type === 'legacy') {
    const { gasPrice = 0n } = parsed
    return { ...common, maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice, isLegacy: true }
  }
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parsed
  return {
    ...common,
    maxFeePerGas,
    maxPriorityFeePerGas,
    ...(accessList && { accessList: accessList as AccessSlots[] }),
  }
}

function toSerializable(
  transaction: Transaction,
): TransactionSerializableEIP1559 | TransactionSerializableLegacy {
  const { maxFeePerGas, maxPriorityFeePerGas, isLegacy, accessList, ...common } = transaction
  return isLegacy
    ? { ...common, type: 'legacy', gasPrice: maxFeePerGas }
    : { ...common, type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas, ...(accessList && { accessList }) }
}

/** Sums Transfer logs; the native token has none. */
export function amountFromLogs(receipt: Receipt, token: Address, account: Address): bigint {
  const recipient = pad(account)
  return toTransfers(receipt, token).reduce(
    (sum, { to, amount }) => sum + (to === recipient ? amount : 0n),
    0n,
  )
}

/** Returns the balance change by Transfer logs. */
export function transferredBy(receipt: Receipt, token: Address, account: Address): bigint {
  const party = pad(account)
  return toTransfers(receipt, token).reduce((sum, { from, to, amount }) => {
    return sum + (to === party ? amount : 0n) - (from === party ? amount : 0n)
  }, 0n)
}

function toTransfers(
  { logs }: Receipt,
  token: Address,
): { from: Hex | undefined; to: Hex | undefined; amount: bigint }[] {
  return logs.flatMap(({ address, topics, data }) => {
    const [topic, from, to] = topics
    // A fourth topic is an NFT id (EIP-721).
    const isTransfer = topics.length === 3 && topic === transferTopic && data.length === 66
    return isTransfer && address === token ? [{ from, to, amount: BigInt(data) }] : []
  })
}

/** Returns wei. */
export function receiptFee({ gasUsed, effectiveGasPrice, l1Fee = 0n }: Receipt): bigint {
  return gasUsed * effectiveGasPrice + l1Fee
}

function check(transaction: Transaction): void {
  const { chainId, nonce, gas, value, maxFeePerGas, maxPriorityFeePerGas, isLegacy, accessList } = transaction
  const isCount = (number: number) => Number.isSafeInteger(number) && number >= 0
  const isWord = (amount: bigint) => amount >= 0n && amount < 2n ** 256n
  if (!isCount(chainId) || chainId === 0) throw invalid('chainId')
  if (!isCount(nonce)) throw invalid('nonce')
  if (!isWord(gas) || gas === 0n) throw invalid('gas')
  if (!isWord(value)) throw invalid('value')
  if (!isWord(maxFeePerGas)) throw invalid('maxFeePerGas')
  if (!isWord(maxPriorityFeePerGas) || maxPriorityFeePerGas > maxFeePerGas)
    throw invalid('maxPriorityFeePerGas')
  if (isLegacy && maxPriorityFeePerGas !== maxFeePerGas) throw invalid('maxPriorityFeePerGas')
  if (isLegacy && accessList !== undefined) throw invalid('accessList')
}

function invalid(field: string): WalletError {
  return new WalletError('invalid-input', `A transaction cannot be signed with this ${field}.`, { field })
}
