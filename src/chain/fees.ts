import { smaller } from '../domain/bounds.ts'
import type { Speed } from '../domain/swap/swap.ts'
import { WalletError } from '../errors.ts'
import * as answers from './answers.ts'
import type { Rpc } from './rpc.ts'

/**
 * What a transaction of now pays, in wei per gas. `baseFeePerGas` is the next block's (EIP-1559), and so is `blobBaseFee` (EIP-4844);
 * undefined on a chain without blobs.
 */
export type Fees = {
  baseFeePerGas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  blobBaseFee?: bigint | undefined
}

/** Of the gas in a block, how many percent paid no more than this tip. */
const percentiles = [10, 50, 90]

/** What `speed` means now. */
export async function readFees(rpc: Rpc, speed: Speed = 'normal'): Promise<Fees> {
  return (await readMarket(rpc))(speed)
}

/**
 * What any speed means now, of one reading. Tips are what the last ten blocks took: of each speed's percentile the median, so that one odd block
 * changes nothing. Room for the base fee to grow: it doubles in six full blocks, slow waits after a quarter more.
 *
 * A custom speed is taken as it is, unless the next block could not take it: `invalid-input`.
 */
export async function readMarket(rpc: Rpc): Promise<(speed: Speed) => Fees> {
  const [suggested, history] = await Promise.all([
    rpc.ask('eth_maxPriorityFeePerGas', [], answers.quantity),
    rpc.ask('eth_feeHistory', ['0xa', 'latest', percentiles], answers.feeHistory),
  ])
  // The last one is the next block's.
  const baseFeePerGas = history.baseFeePerGas.at(-1) ?? 0n
  const blobBaseFee = history.baseFeePerBlobGas?.at(-1)
  const next = { baseFeePerGas, ...(blobBaseFee !== undefined && { blobBaseFee }) }
  const tips = tipsOf(history, suggested)
  return (speed) => {
    if (typeof speed === 'object') return { ...next, ...checkSpeed(speed, baseFeePerGas) }
    const room = speed === 'slow' ? (baseFeePerGas * 5n + 3n) / 4n : baseFeePerGas * 2n
    return { ...next, maxFeePerGas: room + tips[speed], maxPriorityFeePerGas: tips[speed] }
  }
}

/**
 * Where most paid no tip at all, there is none to learn from: a block with room takes such a transaction, but many nodes pass on
 * none that tips less than they suggest. So zero stands for the node's suggestion, or for a faster speed's tip if that is less.
 */
function tipsOf({ reward, gasUsedRatio }: answers.FeeHistory, suggested: bigint) {
  // An empty block's tips are written as zero.
  const blocks = (reward ?? []).filter((_tips, index) => gasUsedRatio?.[index] !== 0)
  const [low, middle, high] = percentiles.map((_percentile, index) =>
    median(blocks.flatMap((tips) => tips[index] ?? [])),
  )
  const fast = high || suggested
  const normal = smaller(middle || suggested, fast)
  return { slow: smaller(low || suggested, normal), normal, fast }
}

function median(values: bigint[]): bigint {
  return values.sort((one, other) => (one < other ? -1 : 1))[values.length >> 1] ?? 0n
}

function checkSpeed(speed: Exclude<Speed, string>, baseFeePerGas: bigint) {
  const { maxFeePerGas, maxPriorityFeePerGas } = speed
  if (maxPriorityFeePerGas <= 0n || maxPriorityFeePerGas > maxFeePerGas) {
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
