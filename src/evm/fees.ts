import { larger, smaller } from '../domain/bounds.ts'
import type { FeeSpeed } from '../domain/swap/swap.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { Rpc } from './rpc.ts'
import * as answers from './schemas.ts'

/**
 * What a transaction of now pays, in wei per gas. `baseFeePerGas` is the next block's (EIP-1559), and so is `blobBaseFee` (EIP-4844);
 * undefined on a chain without blobs. `isLegacy`: the chain has no base fee (0 here), and both other fees are
 * the gas price of a legacy transaction.
 */
export type Fees = {
  baseFeePerGas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  blobBaseFee?: bigint | undefined
  isLegacy?: true
}

type Market = (speed: FeeSpeed) => Fees

/** Of the gas in a block, how many percent paid no more than this tip. */
const percentiles = [10, 50, 90]

/** The most that a tip is where no node suggests one. */
const oneGwei = 10n ** 9n

/** What `speed` means now. */
export async function readFees(rpc: Rpc, speed: FeeSpeed = 'normal'): Promise<Fees> {
  return (await readFeeHistory(rpc))(speed)
}

/**
 * What any speed means now, of one reading. Tips are what the last ten blocks took: of each speed's percentile the median, so that one odd block
 * changes nothing. Room for the base fee to grow: it doubles in six full blocks, slow waits after a quarter more.
 *
 * The fee history and the suggested tip are hints: without them the newest block's base fee counts, else the
 * gas price. Throws as the node does where it gives none of these.
 *
 * A custom speed is taken as it is, unless the next block could not take it: `invalid-input`.
 */
export async function readFeeHistory(rpc: Rpc): Promise<Market> {
  const [suggested, history, block] = await Promise.all([
    hint(rpc.ask('eth_maxPriorityFeePerGas', [], answers.quantity)),
    hint(rpc.ask('eth_feeHistory', ['0xa', 'latest', percentiles], answers.feeHistory)),
    rpc.ask('eth_getBlockByNumber', ['latest', false], answers.feeBlock).catch(toWalletError),
  ])
  const isRead = !(block instanceof WalletError)
  if (isRead && block.baseFeePerGas == null) return legacyMarket(await readGasPrice(rpc, suggested))

  // The last one is the next block's. A chain whose base fee is always zero says so in its blocks as well.
  const next = history?.baseFeePerGas?.at(-1) || undefined
  const newest = isRead && typeof block.baseFeePerGas === 'bigint' ? block.baseFeePerGas : undefined
  if (next === undefined && !isRead && block.code !== 'node-refused') throw block
  const baseFeePerGas = next ?? newest ?? (await readGasPrice(rpc, undefined))
  const tips = await readTips(rpc, { suggested, history, baseFeePerGas })
  return dynamicMarket(tips, baseFeePerGas, history?.baseFeePerBlobGas?.at(-1))
}

type Tips = Record<Exclude<FeeSpeed, object>, bigint>

/** By EIP-1559. */
function dynamicMarket(tips: Tips, baseFeePerGas: bigint, blobBaseFee: bigint | undefined): Market {
  const next = { baseFeePerGas, ...(blobBaseFee !== undefined && { blobBaseFee }) }
  return (speed) => {
    if (typeof speed === 'object') return { ...next, ...checkSpeed(speed, baseFeePerGas, tips.fast) }
    const room = speed === 'slow' ? (baseFeePerGas * 5n + 3n) / 4n : baseFeePerGas * 2n
    return { ...next, maxFeePerGas: room + tips[speed], maxPriorityFeePerGas: tips[speed] }
  }
}

/** Without EIP-1559: a transaction pays its whole gas price, so only the fast one is above the node's. */
function legacyMarket(gasPrice: bigint): Market {
  const priced = (price: bigint): Fees => ({
    baseFeePerGas: 0n,
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
    isLegacy: true,
  })
  return (speed) => {
    if (typeof speed === 'object') return priced(checkSpeed(speed, 0n, gasPrice).maxFeePerGas)
    return priced(speed === 'fast' ? (gasPrice * 5n + 3n) / 4n : gasPrice)
  }
}

/** `instead` counts where the node names no gas price. */
async function readGasPrice(rpc: Rpc, instead: bigint | undefined): Promise<bigint> {
  return rpc.ask('eth_gasPrice', [], answers.quantity).catch((error: unknown) => {
    if (instead === undefined) throw error
    return instead
  })
}

/**
 * A node may lack the method, or answer it in its own way. Throws only where no other answer of the node
 * counts either.
 */
async function hint<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (['wrong-chain', 'invalid-input'].includes(toWalletError(error).code)) throw error
    return undefined
  })
}

type Hints = { suggested: bigint | undefined; history: answers.FeeHistory | undefined; baseFeePerGas: bigint }

/**
 * Where most paid no tip at all, there is none to learn from: a block with room takes such a transaction, but many nodes pass on
 * none that tips less than they suggest. So zero stands for the node's suggestion, or for a faster speed's tip if that is less.
 */
async function readTips(rpc: Rpc, { suggested, history, baseFeePerGas }: Hints): Promise<Tips> {
  const { reward, gasUsedRatio } = history ?? {}
  // An empty block's tips are written as zero.
  const blocks = (reward ?? []).filter((_tips, index) => gasUsedRatio?.[index] !== 0)
  const learned = percentiles.map((_percentile, index) => median(blocks.flatMap((tips) => tips[index] ?? [])))
  const [low, middle, high] = learned
  const isKnown = suggested !== undefined || !learned.includes(0n)
  const usual = suggested ?? (isKnown ? 0n : await guessTip(rpc, baseFeePerGas))
  const fast = high || usual
  const normal = smaller(middle || usual, fast)
  return { slow: smaller(low || usual, normal), normal, fast }
}

/** Returns how far the node's gas price is above the base fee, else a tenth of it: 1 wei to 1 gwei. */
async function guessTip(rpc: Rpc, baseFeePerGas: bigint): Promise<bigint> {
  const gasPrice = await readGasPrice(rpc, 0n)
  if (gasPrice > baseFeePerGas) return gasPrice - baseFeePerGas
  return smaller(larger(baseFeePerGas / 10n, 1n), oneGwei)
}

function median(values: bigint[]): bigint {
  return values.sort((one, other) => (one < other ? -1 : 1))[values.length >> 1] ?? 0n
}

/** `usual`: what others tip. Nothing is a tip only where nobody does. */
function checkSpeed(speed: Exclude<FeeSpeed, string>, baseFeePerGas: bigint, usual: bigint) {
  const { maxFeePerGas, maxPriorityFeePerGas } = speed
  const least = usual === 0n ? 0n : 1n
  if (maxPriorityFeePerGas < least || maxPriorityFeePerGas > maxFeePerGas) {
    throw new WalletError(
      'invalid-input',
      `The tip ${maxPriorityFeePerGas} is not between 1 and ${maxFeePerGas} wei per gas.`,
      {
        field: 'maxPriorityFeePerGas',
        value: String(maxPriorityFeePerGas),
        least: '1',
        most: String(maxFeePerGas),
      },
    )
  }
  if (maxFeePerGas < baseFeePerGas) {
    throw new WalletError(
      'invalid-input',
      `The next block takes ${baseFeePerGas} wei per gas; ${maxFeePerGas} is less.`,
      { field: 'maxFeePerGas', value: String(maxFeePerGas), least: String(baseFeePerGas) },
    )
  }
  return { maxFeePerGas, maxPriorityFeePerGas }
}
