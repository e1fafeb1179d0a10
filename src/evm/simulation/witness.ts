import type { Hex } from '../../domain/token/token.ts'
import { randomBytes, toQuantity } from '../rpc/call.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { Header } from '../rpc/schemas.ts'
import * as answers from '../rpc/schemas.ts'
import { beaconRootsCodeHash, historyCodeHash } from '../systemContracts.ts'

/** contracts/Witness.sol, compiled. */
export const witnessCode: Hex =
  '0x346100c05736806001146100b8576002146100b057435f52446020524160405242606052456080524660a0527fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff4301804060c05261005c306100c4565b610065306100db565b720f3df6d732807ef1319fb7b8bb8522d0beac023f610160526100866100f3565b71f90827f1c53a10cb7a02335b1753200029353f6101c052610220526100aa61011e565b6102205ff35b4a5f5260205ff35b485f5260205ff35b5f80fd5b61010060015f602093612710fa60203d141660e052565b61014060025f602093612710fa60203d141661012052565b60206101a0816060720f3df6d732807ef1319fb7b8bb8522d0beac0261c350fa60203d141661018052565b60206102008161022071f90827f1c53a10cb7a02335b17532000293561c350fa60203d14166101e05256'

/** The last four are undefined without the opcode or contract. */
export type Witnessed = {
  number: bigint
  prevRandao: bigint
  feeRecipient: bigint
  time: bigint
  gasLimit: bigint
  chainId: bigint
  parentHash: bigint
  baseFee: bigint | undefined
  blobBaseFee: bigint | undefined
  /** EIP-4788. */
  beaconRoot: bigint | undefined
  /** EIP-2935. */
  history: bigint | undefined
}

/** True for the EIPs' own code. */
export type RealBlock = { header: Header; seen: Witnessed; hasBeaconRoots: boolean; hasHistory: boolean }

export function parseWitnessed(words: Hex): Witnessed | undefined {
  if (words.length !== 2 + 17 * 64) return undefined
  const word = toWords(words)
  // An address has 20 bytes.
  if (word(2) >> 160n !== 0n) return undefined
  const optional = (index: number) => (word(index) === 1n ? word(index + 1) : undefined)
  return {
    number: word(0),
    prevRandao: word(1),
    feeRecipient: word(2),
    time: word(3),
    gasLimit: word(4),
    chainId: word(5),
    parentHash: word(6),
    baseFee: optional(7),
    blobBaseFee: optional(9),
    beaconRoot: optional(12),
    history: optional(15),
  }
}

function toWords(words: Hex) {
  return (index: number) => BigInt(`0x${words.slice(2 + index * 64, 66 + index * 64)}`)
}

/** Forks. */
const maxAgeMs = 3_600_000
const retryAfterMs = 60_000

const cache = new WeakMap<Rpc, { untilMs: number; block: Promise<RealBlock | undefined> }>()

/** Reads a real block's context, cached for an hour, to learn how a chain differs from Ethereum. */
export function getRealBlock(rpc: Rpc, header: Header): Promise<RealBlock | undefined> {
  const nowMs = Date.now()
  const known = cache.get(rpc)
  if (known !== undefined && nowMs < known.untilMs) return known.block
  const block = readRealBlock(rpc, header).catch(() => undefined)
  const entry = { untilMs: nowMs + maxAgeMs, block }
  cache.set(rpc, entry)
  block.then((found) => {
    if (found === undefined) entry.untilMs = nowMs + retryAfterMs
  })
  return block
}

async function readRealBlock(rpc: Rpc, header: Header): Promise<RealBlock | undefined> {
  const witness = randomBytes(20)
  const state = { [witness]: { code: witnessCode } }
  const params = [{ to: witness, data: '0x' }, toQuantity(header.number), state]
  const words = await rpc.ask('eth_call', params, answers.hex)
  const seen = parseWitnessed(words)
  // Some RPCs use a new block.
  if (seen === undefined || seen.time !== BigInt(header.timestamp)) return undefined
  const word = toWords(words)
  return {
    header,
    seen,
    hasBeaconRoots: word(11) === beaconRootsCodeHash,
    hasHistory: word(14) === historyCodeHash,
  }
}
