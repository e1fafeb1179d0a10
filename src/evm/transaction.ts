import { concatHex, keccak256, pad } from 'viem'
import { sign } from '../domain/signing/signature.ts'
import type { AccessSlots } from '../domain/swap/quote.ts'
import type { Address, Hex } from '../domain/token/token.ts'
import { WalletError } from '../errors.ts'
import { transferTopic } from './erc20.ts'
import { decodeRlp, encodeRlp, integer, type Rlp } from './rlp.ts'
import type { Receipt } from './schemas.ts'

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
  const raw = transaction.isLegacy
    ? signLegacy(privateKey, transaction)
    : signDynamic(privateKey, transaction)
  return { raw, hash: keccak256(raw) }
}

function signDynamic(privateKey: Hex, transaction: Transaction): Hex {
  const unsigned = fields(transaction)
  const { r, s, yParity } = sign(keccak256(envelope(unsigned)), privateKey)
  return envelope([...unsigned, integer(yParity), integer(r), integer(s)])
}

function signLegacy(privateKey: Hex, transaction: Transaction): Hex {
  const unsigned = legacyFields(transaction)
  const chainId = BigInt(transaction.chainId)
  const digest = keccak256(encodeRlp([...unsigned, integer(chainId), '0x', '0x']))
  const { r, s, yParity } = sign(digest, privateKey)
  return encodeRlp([...unsigned, integer(chainId * 2n + 35n + BigInt(yParity)), integer(r), integer(s)])
}

export function readTransaction(raw: Hex): Transaction {
  return raw.startsWith('0x02') ? readDynamic(raw) : readLegacy(raw)
}

function readDynamic(raw: Hex): Transaction {
  const [chainId, nonce, tip, most, gas, to, value, data, slots] = decodeRlp(`0x${raw.slice(4)}`) as Fields
  const accessList = slots.map(([address, storageKeys]) => ({ address, storageKeys }))
  return {
    chainId: Number(number(chainId)),
    nonce: Number(number(nonce)),
    ...(to !== '0x' && { to }),
    data,
    value: number(value),
    gas: number(gas),
    maxFeePerGas: number(most),
    maxPriorityFeePerGas: number(tip),
    ...(accessList.length > 0 && { accessList }),
  }
}

function readLegacy(raw: Hex): Transaction {
  const [nonce, gasPrice, gas, to, value, data, v] = decodeRlp(raw) as LegacyFields
  return {
    chainId: Number((number(v) - 35n) / 2n),
    nonce: Number(number(nonce)),
    ...(to !== '0x' && { to }),
    data,
    value: number(value),
    gas: number(gas),
    maxFeePerGas: number(gasPrice),
    maxPriorityFeePerGas: number(gasPrice),
    isLegacy: true,
  }
}

/** Sums Transfer logs; the native token has none. */
export function amountFromLogs(receipt: Receipt, token: Address, account: Address): bigint {
  const recipient = pad(account)
  return transfersOf(receipt, token).reduce(
    (sum, { to, amount }) => sum + (to === recipient ? amount : 0n),
    0n,
  )
}

/** Returns the balance change by Transfer logs. */
export function transferredBy(receipt: Receipt, token: Address, account: Address): bigint {
  const party = pad(account)
  return transfersOf(receipt, token).reduce((sum, { from, to, amount }) => {
    return sum + (to === party ? amount : 0n) - (from === party ? amount : 0n)
  }, 0n)
}

function transfersOf(
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

type Fields = [Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex, [Address, Hex[]][]]
type LegacyFields = [Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex]

function number(bytes: Hex): bigint {
  return bytes === '0x' ? 0n : BigInt(bytes)
}

function fields(transaction: Transaction): Rlp[] {
  const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, to, value, data, accessList } = transaction
  return [
    integer(chainId),
    integer(nonce),
    integer(maxPriorityFeePerGas),
    integer(maxFeePerGas),
    integer(gas),
    to ?? '0x',
    integer(value),
    data,
    (accessList ?? []).map(({ address, storageKeys }) => [address, storageKeys]),
  ]
}

function legacyFields({ nonce, maxFeePerGas, gas, to, value, data }: Transaction): Rlp[] {
  return [integer(nonce), integer(maxFeePerGas), integer(gas), to ?? '0x', integer(value), data]
}

/** EIP-2718. */
function envelope(payload: Rlp[]): Hex {
  return concatHex(['0x02', encodeRlp(payload)])
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
