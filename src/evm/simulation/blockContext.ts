import { numberToHex } from 'viem'
import type { Address, Hex } from '../../domain/token/token.ts'
import { zeroAddress } from '../../domain/token/token.ts'
import { toWalletError } from '../../errors.ts'
import type { Fees } from '../fees.ts'
import { randomBytes, toQuantity } from '../rpc/call.ts'
import type { RpcError } from '../rpc/errorObject.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { Header } from '../rpc/schemas.ts'
import * as answers from '../rpc/schemas.ts'
import { type StateDiffs, toBeaconRootState, toHistoryState } from '../systemContracts.ts'
import { type BlockValues, type Chain, isContextHeld, isHistoryFed, isNumberForeign } from './heldContext.ts'
import type { RealBlock, Witnessed } from './witness.ts'

export type BlockOverrides = Partial<Record<Field, string>>

type Field =
  | 'number'
  | 'time'
  | 'gasLimit'
  | 'feeRecipient'
  | 'prevRandao'
  | 'baseFeePerGas'
  | 'blobBaseFee'
  | 'beaconRoot'

/** `isHeld`: the witness saw the block run with the overrides. */
export type BlockContext = {
  overrides: BlockOverrides
  systemState: StateDiffs
  isHeld: (seen: Witnessed) => boolean
}

export type BlockContexts = { block: string; contexts: [BlockContext, BlockContext] }

export async function getHeader(rpc: Rpc): Promise<Header | undefined> {
  try {
    const outcome = await rpc.attempt('eth_getBlockByNumber', ['latest', false], answers.header)
    return 'refusal' in outcome ? undefined : outcome.result
  } catch (error) {
    if (toWalletError(error).code !== 'node-refused') throw error
    return undefined
  }
}

/** Seconds between blocks. */
const slots: Record<number, number> = {
  1: 12,
  10: 2,
  100: 5,
  8453: 2,
  10200: 5,
  84532: 2,
  560048: 12,
  11155111: 12,
  11155420: 2,
}

/** OP stack: prevRandao and beacon root come from the L1 block. */
const rollups = [10, 8453, 84532, 11155420]

/**
 * Returns two plausible contexts of the next block that differ in all variable fields, so a contract cannot
 * recognise both as simulated.
 */
export function toBlockContexts(
  header: Header,
  {
    baseFeePerGas: nextBaseFee,
    blobBaseFee,
    isLegacy,
  }: Pick<Fees, 'baseFeePerGas' | 'blobBaseFee' | 'isLegacy'>,
  chain: Chain,
): BlockContexts {
  const { timestamp, gasLimit, mixHash, parentBeaconBlockRoot } = header
  const { chainId, nowMs, real } = chain
  const slot = slots[chainId] ?? 1
  const waited = Math.ceil((nowMs / 1_000 - timestamp) / slot)
  const isClockRight = waited > 0 && waited * slot < 3_600
  const time = timestamp + slot * (isClockRight ? waited : 1)
  // Zero without blobs (EIP-4844: at least 1).
  const nextBlobBaseFee = real && !real.seen.blobBaseFee ? undefined : blobBaseFee || undefined
  const varied = () => ({ prevRandao: likeHeader(header), beaconRoot: likeBeaconRoot(header, real) })
  const shared = rollups.includes(chainId) && { prevRandao: mixHash, beaconRoot: parentBeaconBlockRoot }
  // BASEFEE may be constant although headers have none.
  const baseFeePerGas = isLegacy ? real?.seen.baseFee : nextBaseFee
  const common = { baseFeePerGas, nextBlobBaseFee }
  const one: BlockValues = {
    ...common,
    ...varied(),
    ...shared,
    time,
    gasLimit,
    feeRecipient: likeFeeRecipient(header, real),
    blobBaseFee: nextBlobBaseFee,
  }
  const other: BlockValues = {
    ...common,
    ...varied(),
    time: time + slot,
    gasLimit: gasLimit - (gasLimit >> 11n),
    feeRecipient: randomBytes(20),
    // At most 1/8 per block (EIP-4844).
    blobBaseFee: nextBlobBaseFee && nextBlobBaseFee + (nextBlobBaseFee >> 4n),
  }
  return {
    block: toQuantity(header.number),
    contexts: [toContext(one, header, chain), toContext(other, header, chain)],
  }
}

function toContext(values: BlockValues, header: Header, chain: Chain): BlockContext {
  const { time, gasLimit, baseFeePerGas, feeRecipient, prevRandao, beaconRoot, blobBaseFee } = values
  return {
    overrides: {
      number: toQuantity(header.number + 1n),
      time: toQuantity(time),
      gasLimit: toQuantity(gasLimit),
      ...(baseFeePerGas !== undefined && { baseFeePerGas: toQuantity(baseFeePerGas) }),
      ...(feeRecipient !== undefined && { feeRecipient }),
      ...(prevRandao !== undefined && { prevRandao }),
      ...(beaconRoot !== undefined && { beaconRoot }),
      ...(blobBaseFee !== undefined && { blobBaseFee: toQuantity(blobBaseFee) }),
    },
    systemState: toSystemState(values, header, chain.real),
    isHeld: (seen) => isContextHeld(seen, values, header, chain),
  }
}

/** RPCs may omit the system calls, or run them after these overrides. */
function toSystemState(
  { time, beaconRoot }: BlockValues,
  { number, hash }: Header,
  real: RealBlock | undefined,
): StateDiffs {
  if (real === undefined) return {}
  const isBeaconRootFed = real.hasBeaconRoots && real.seen.beaconRoot !== undefined
  const isParentFed = real.hasHistory && isHistoryFed(real) && !isNumberForeign(real)
  return {
    ...(isBeaconRootFed && toBeaconRootState(BigInt(time), beaconRoot ?? numberToHex(0n, { size: 32 }))),
    ...(isParentFed && hash && toHistoryState(number, hash)),
  }
}

/** Undefined with a difficulty, which the opcode then returns (EIP-4399). */
function likeHeader({ mixHash, difficulty = 0n }: Header): Hex | undefined {
  if (mixHash === undefined || difficulty !== 0n) return undefined
  return BigInt(mixHash) >> 128n === 0n ? mixHash : randomBytes(32)
}

function likeBeaconRoot({ parentBeaconBlockRoot = '0x0' }: Header, real: RealBlock | undefined) {
  return BigInt(parentBeaconBlockRoot) !== 0n || real?.seen.beaconRoot ? randomBytes(32) : undefined
}

/** COINBASE may differ from `miner` (Polygon). */
function likeFeeRecipient({ miner }: Header, real: RealBlock | undefined): Address | undefined {
  const isForeign = real !== undefined && real.seen.feeRecipient !== BigInt(real.header.miner)
  const usual: Address = isForeign ? numberToHex(real.seen.feeRecipient, { size: 20 }) : miner
  return usual === zeroAddress ? undefined : usual
}

export type Refusable = Field | 'stateDiff'

/** Rarest first. alloy-based nodes reject unknown fields; geth ignores them. */
const rare: Refusable[][] = [['beaconRoot', 'blobBaseFee'], ['stateDiff']]

/** Returns the rejected fields of `sent`: those named, else the rarest, finally all but the base fee. */
export function unsupportedFields({ code, message }: RpcError, sent: Refusable[]): Refusable[] {
  const isAboutFields =
    /unknown|unrecogni[sz]ed|unsupported|not (supported|allowed)|unexpected|invalid param/i.test(message)
  if (!isAboutFields && code !== -32602) return []
  const named = sent.filter((field) => new RegExp(`\\b${field}\\b`, 'i').test(firstName(message)))
  if (named.length > 0) return named
  if (code !== -32602) return []
  for (const fields of rare) {
    const unusual = sent.filter((field) => fields.includes(field))
    if (unusual.length > 0) return unusual
  }
  return sent.filter((field) => field !== 'baseFeePerGas')
}

/** Deserialisers append all known fields. */
function firstName(message: string): string {
  return message.split(/expected/i)[0] ?? message
}
