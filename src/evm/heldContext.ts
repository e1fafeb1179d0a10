import type { BlockValues, Chain, Header } from './blockContext.ts'
import type { RealBlock, Witnessed } from './witness.ts'

/**
 * True when a block ran with the context that was asked for: some nodes ignore a field, or lack a system
 * call. Where the chain differs from Ethereum, the block must look like its real blocks.
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

/** True where NUMBER is not that of the headers: on Arbitrum it is about that of Ethereum. */
export function isNumberForeign(real: RealBlock | undefined): boolean {
  return real !== undefined && real.seen.number !== real.header.number
}

/** True where real blocks store their parent's hash (EIP-2935). */
export function isHistoryFed({ header, seen }: RealBlock): boolean {
  return seen.history !== undefined && seen.history === BigInt(header.parentHash ?? seen.parentHash)
}

/** A node that does not take the override has its own of the next block. */
function isBlobBaseFeeHeld(seen: Witnessed, values: BlockValues, real: RealBlock | undefined): boolean {
  const { blobBaseFee, nextBlobBaseFee } = values
  return blobBaseFee === undefined
    ? seen.blobBaseFee === real?.seen.blobBaseFee
    : [blobBaseFee, nextBlobBaseFee].includes(seen.blobBaseFee)
}

/** Without an override the opcode returns the difficulty (EIP-4399), or a constant of the chain. */
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
  // No chain that another one counts by makes more than a block a second.
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
  // A contract of another code, whose storage cannot be written.
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
