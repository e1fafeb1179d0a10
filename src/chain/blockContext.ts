import * as v from 'valibot'
import { toHex } from '../domain/hex.ts'
import type { Address, Hex } from '../domain/token/token.ts'
import { nobody } from '../domain/token/token.ts'
import { toWalletError } from '../errors.ts'
import * as answers from './answers.ts'
import type { Fees } from './fees.ts'
import type { Refusal, Rpc } from './rpc.ts'

/** Fields of eth_simulateV1's `blockOverrides`, as the node reads them. */
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

export type Header = v.InferOutput<typeof header>

/** The block that a simulation builds on, and the two contexts in which the calls run. */
export type BlockContexts = { block: string; overrides: [BlockOverrides, BlockOverrides] }

/** Returns undefined for a node that gives no readable header. */
export async function getHeader(rpc: Rpc): Promise<Header | undefined> {
  try {
    const outcome = await rpc.attempt('eth_getBlockByNumber', ['latest', false], header)
    return 'refusal' in outcome ? undefined : outcome.result
  } catch (error) {
    if (toWalletError(error).code !== 'node-refused') throw error
    return undefined
  }
}

/** Seconds between the blocks of chains whose timestamps are multiples of it from a known start. */
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

/**
 * Returns two plausible contexts of the next block. The first looks like the latest header, the second differs wherever blocks of that
 * chain differ: a contract that tells one of them from a real block does not know the other.
 */
export function toBlockContexts(
  header: Header | undefined,
  { baseFeePerGas, blobBaseFee }: Pick<Fees, 'baseFeePerGas' | 'blobBaseFee'>,
  { chainId, nowMs }: { chainId: number; nowMs: number },
): BlockContexts {
  const fee = { baseFeePerGas: toQuantity(baseFeePerGas) }
  if (header === undefined) return { block: 'latest', overrides: [fee, fee] }
  const { number, timestamp, gasLimit, miner, parentBeaconBlockRoot } = header
  const slot = slots[chainId] ?? 1
  const waited = Math.ceil((nowMs / 1_000 - timestamp) / slot)
  const isClockRight = waited > 0 && waited * slot < 3_600
  const time = timestamp + slot * (isClockRight ? waited : 1)
  const hasBeacon = parentBeaconBlockRoot !== undefined && BigInt(parentBeaconBlockRoot) !== 0n
  const common = (): BlockOverrides => ({
    ...fee,
    number: toQuantity(number + 1n),
    ...(hasBeacon && { beaconRoot: randomBytes(32) }),
  })
  const randao = () => {
    const prevRandao = likeHeader(header)
    return prevRandao !== undefined && { prevRandao }
  }
  return {
    block: toQuantity(number),
    overrides: [
      {
        ...common(),
        time: toQuantity(time),
        gasLimit: toQuantity(gasLimit),
        ...(miner !== nobody && { feeRecipient: miner }),
        ...randao(),
        ...(blobBaseFee !== undefined && { blobBaseFee: toQuantity(blobBaseFee) }),
      },
      {
        ...common(),
        time: toQuantity(time + slot),
        gasLimit: toQuantity(gasLimit - (gasLimit >> 11n)),
        feeRecipient: randomBytes(20),
        ...randao(),
        // EIP-4844: it moves by an eighth at most.
        ...(blobBaseFee !== undefined && { blobBaseFee: toQuantity(blobBaseFee + (blobBaseFee >> 4n)) }),
      },
    ],
  }
}

/**
 * Returns a random value where the latest header's is random, and a constant one as it is. Undefined for a difficulty other than zero:
 * there the opcode returns the difficulty (EIP-4399), which geth inherits from the parent, whatever `prevRandao` says.
 */
function likeHeader({ mixHash, difficulty = 0n }: Header): Hex | undefined {
  if (mixHash === undefined || difficulty !== 0n) return undefined
  return BigInt(mixHash) >> 128n === 0n ? mixHash : randomBytes(32)
}

/** Fields that few nodes know. Nodes of the alloy family refuse a request with an unknown field, geth ignores it. */
const rare: Field[] = ['beaconRoot', 'blobBaseFee']

/** Returns which of `sent` the node will not take: those that it names, else the rare ones, else all but the base fee. */
export function refusedFields({ code, message }: Refusal, sent: BlockOverrides): Field[] {
  const fields = Object.keys(sent) as Field[]
  const isAboutFields = /unknown|unrecogni[sz]ed|unsupported|not supported|unexpected|invalid param/i.test(
    message,
  )
  if (!isAboutFields && code !== -32602) return []
  const named = fields.filter((field) => new RegExp(`\\b${field}\\b`, 'i').test(firstName(message)))
  if (named.length > 0) return named
  if (code !== -32602) return []
  const unusual = fields.filter((field) => rare.includes(field))
  return unusual.length > 0 ? unusual : fields.filter((field) => field !== 'baseFeePerGas')
}

/** A deserialiser lists the fields that it does know after the one that it does not. */
function firstName(message: string): string {
  return message.split(/expected/i)[0] ?? message
}

/** Runtime code that answers PREVRANDAO, COINBASE, TIMESTAMP, NUMBER, GASLIMIT and BLOCKHASH(NUMBER - 1), a word each. */
export const witnessCode: Hex = '0x4460005241602052426040524360605245608052600143034060a05260c06000f3'

/** True when a block ran with the context that was asked for: some nodes ignore what they do not know. */
export function isContextHeld(words: Hex, { prevRandao, feeRecipient, time }: BlockOverrides): boolean {
  if (words.length !== 2 + 6 * 64 || time === undefined) return false
  const word = (index: number) => BigInt(`0x${words.slice(2 + index * 64, 66 + index * 64)}`)
  return (
    (prevRandao === undefined || word(0) === BigInt(prevRandao)) &&
    (feeRecipient === undefined || word(1) === BigInt(feeRecipient)) &&
    word(2) === BigInt(time) &&
    word(5) !== 0n
  )
}

export function randomBytes(length: number): Address {
  return toHex(crypto.getRandomValues(new Uint8Array(length)))
}

export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`
}

const header = v.object({
  number: answers.quantity,
  timestamp: answers.count,
  gasLimit: answers.quantity,
  miner: answers.address,
  mixHash: v.fallback(v.optional(answers.hash), undefined),
  difficulty: v.fallback(v.optional(answers.quantity), undefined),
  parentBeaconBlockRoot: v.fallback(v.optional(answers.hash), undefined),
})
