import type { Address, Hex } from '../../domain/token/token.ts'
import type { Header } from '../rpc/schemas.ts'
import type { RealBlock, Witnessed } from './witness.ts'

/** `real` is undefined if the RPC cannot run the witness. */
export type Chain = { chainId: number; nowMs: number; real: RealBlock | undefined }

export type BlockValues = {
  time: number
  gasLimit: bigint
  baseFeePerGas: bigint | undefined
  feeRecipient: Address | undefined
  prevRandao: Hex | undefined
  beaconRoot: Hex | undefined
  blobBaseFee: bigint | undefined
  nextBlobBaseFee: bigint | undefined
}

/**
 * Returns true if a block ran with the requested context: RPCs may ignore fields or omit system calls. Where
 * chains differ, compares with the real block.
 */
export function isContextHeld(seen: Witnessed, values: BlockValues, header: Header, chain: Chain): boolean {
  const { real } = chain
  return [
    seen.chainId === BigInt(chain.chainId),
    seen.time === BigInt(values.time),
    seen.gasLimit === values.gasLimit,
    seen.feeRecipient === BigInt(values.feeRecipient ?? 0n),
    seen.baseFee === (real && real.seen.baseFee === undefined ? undefined : values.baseFeePerGas),
    isBlobBaseFeeHeld(seen, values, real),
    isRandaoHeld(seen, values, header, real),
    isNumberHeld(seen, header, chain),
    isParentHashHeld(seen, header, real),
    isBeaconRootHeld(seen, values, real),
    isHistoryHeld(seen, header, real),
  ].every(Boolean)
}

/** Returns true on Arbitrum, where NUMBER is about Ethereum's. */
export function isNumberForeign(real: RealBlock | undefined): boolean {
  return real !== undefined && real.seen.number !== real.header.number
}

/** Returns true if blocks store their parent's hash (EIP-2935). */
export function isHistoryFed({ header, seen }: RealBlock): boolean {
  return seen.history !== undefined && seen.history === BigInt(header.parentHash ?? seen.parentHash)
}

function isBlobBaseFeeHeld(seen: Witnessed, values: BlockValues, real: RealBlock | undefined): boolean {
  const { blobBaseFee, nextBlobBaseFee } = values
  return blobBaseFee === undefined
    ? seen.blobBaseFee === real?.seen.blobBaseFee
    : [blobBaseFee, nextBlobBaseFee].includes(seen.blobBaseFee)
}

/** The default is the difficulty (EIP-4399) or a constant. */
function isRandaoHeld(
  { prevRandao }: Witnessed,
  values: BlockValues,
  { difficulty }: Header,
  real: RealBlock | undefined,
): boolean {
  if (values.prevRandao !== undefined) return prevRandao === BigInt(values.prevRandao)
  return [difficulty || undefined, real?.seen.prevRandao].includes(prevRandao)
}

function isNumberHeld({ number }: Witnessed, header: Header, { real, nowMs }: Chain): boolean {
  if (real === undefined || !isNumberForeign(real)) return number === header.number + 1n
  // At most one block per second.
  const most = Math.ceil(Math.max(0, nowMs / 1_000 - real.header.timestamp)) + 60
  return number >= real.seen.number && number <= real.seen.number + BigInt(most)
}

function isParentHashHeld({ parentHash }: Witnessed, header: Header, real: RealBlock | undefined): boolean {
  const isOwn =
    real?.header.parentHash === undefined || real.seen.parentHash === BigInt(real.header.parentHash)
  return header.hash === undefined || !isOwn ? parentHash !== 0n : parentHash === BigInt(header.hash)
}

function isBeaconRootHeld(
  { beaconRoot }: Witnessed,
  values: BlockValues,
  real: RealBlock | undefined,
): boolean {
  const asked = BigInt(values.beaconRoot ?? 0n)
  if (real === undefined) return beaconRoot === (values.beaconRoot === undefined ? undefined : asked)
  if (real.seen.beaconRoot === undefined) return beaconRoot === undefined
  if (real.hasBeaconRoots) return beaconRoot === asked
  // Other code cannot be overridden.
  return beaconRoot !== undefined && (beaconRoot !== 0n || real.seen.beaconRoot === 0n)
}

function isHistoryHeld(
  { history, parentHash }: Witnessed,
  { hash }: Header,
  real: RealBlock | undefined,
): boolean {
  const parent = hash === undefined ? parentHash : BigInt(hash)
  if (real === undefined) return [undefined, parent].includes(history)
  return history === (isHistoryFed(real) ? parent : real.seen.history)
}
