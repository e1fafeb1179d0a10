import { larger, smaller } from '../domain/bounds.ts'
import type { FeeSpeed } from '../domain/swap/swap.ts'
import { toWalletError, WalletError } from '../errors.ts'
import type { Rpc } from './rpc/rpc.ts'
import * as answers from './rpc/schemas.ts'

/**
 * Wei per gas; `baseFeePerGas` (EIP-1559) and `blobBaseFee` (EIP-4844) of the next block. `isLegacy`: base
 * fee 0, others are the gas price.
 */
export type Fees = {
  baseFeePerGas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  blobBaseFee?: bigint | undefined
  isLegacy?: true
}

type Market = (speed: FeeSpeed) => Fees

const percentiles = [10, 50, 90]

const oneGwei = 10n ** 9n

export async function readFees(rpc: Rpc, speed: FeeSpeed = 'normal'): Promise<Fees> {
  return (await readFeeHistory(rpc))(speed)
}

/**
 * Returns fees for any speed: median tips of ten blocks, plus twice the base fee (six full blocks), or 5/4
 * for slow. Falls back to the newest block's base fee, then the gas price. Throws `invalid-input` for a
 * custom speed the next block cannot include.
 */
export async function readFeeHistory(rpc: Rpc): Promise<Market> {
  const [suggested, history, block] = await Promise.all([
    hint(rpc.ask('eth_maxPriorityFeePerGas', [], answers.quantity)),
    hint(rpc.ask('eth_feeHistory', ['0xa', 'latest', percentiles], answers.feeHistory)),
    rpc.ask('eth_getBlockByNumber', ['latest', false], answers.feeBlock).catch(toWalletError),
  ])
  const isRead = !(block instanceof WalletError)
  if (isRead && block.baseFeePerGas == null) return legacyMarket(await readGasPrice(rpc, suggested))

  // The last is the next block's.
  const next = history?.baseFeePerGas?.at(-1) || undefined
  const newest = isRead && typeof block.baseFeePerGas === 'bigint' ? block.baseFeePerGas : undefined
  if (next === undefined && !isRead && block.code !== 'node-refused') throw block
  const baseFeePerGas = next ?? newest ?? (await readGasPrice(rpc, undefined))
  const tips = await readTips(rpc, { suggested, history, baseFeePerGas })
  return dynamicMarket(tips, baseFeePerGas, history?.baseFeePerBlobGas?.at(-1))
}

type Tips = Record<Exclude<FeeSpeed, object>, bigint>

function dynamicMarket(tips: Tips, baseFeePerGas: bigint, blobBaseFee: bigint | undefined): Market {
  const next = { baseFeePerGas, ...(blobBaseFee !== undefined && { blobBaseFee }) }
  return (speed) => {
    if (typeof speed === 'object') return { ...next, ...checkSpeed(speed, baseFeePerGas, tips.fast) }
    const room = speed === 'slow' ? (baseFeePerGas * 5n + 3n) / 4n : baseFeePerGas * 2n
    return { ...next, maxFeePerGas: room + tips[speed], maxPriorityFeePerGas: tips[speed] }
  }
}

/** A legacy transaction pays its whole gas price. */
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

async function readGasPrice(rpc: Rpc, instead: bigint | undefined): Promise<bigint> {
  return rpc.ask('eth_gasPrice', [], answers.quantity).catch((error: unknown) => {
    if (instead === undefined) throw error
    return instead
  })
}

/** Ignores missing methods. */
async function hint<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (['wrong-chain', 'invalid-input'].includes(toWalletError(error).code)) throw error
    return undefined
  })
}

type Hints = { suggested: bigint | undefined; history: answers.FeeHistory | undefined; baseFeePerGas: bigint }

/** Many nodes do not relay less than their suggested tip, so it replaces zero. */
async function readTips(rpc: Rpc, { suggested, history, baseFeePerGas }: Hints): Promise<Tips> {
  const { reward, gasUsedRatio } = history ?? {}
  // Empty blocks report zero.
  const blocks = (reward ?? []).filter((_tips, index) => gasUsedRatio?.[index] !== 0)
  const learned = percentiles.map((_percentile, index) => median(blocks.flatMap((tips) => tips[index] ?? [])))
  const [low, middle, high] = learned
  const isKnown = suggested !== undefined || !learned.includes(0n)
  const usual = suggested ?? (isKnown ? 0n : await guessTip(rpc, baseFeePerGas))
  const fast = high || usual
  const normal = smaller(middle || usual, fast)
  return { slow: smaller(low || usual, normal), normal, fast }
}

async function guessTip(rpc: Rpc, baseFeePerGas: bigint): Promise<bigint> {
  const gasPrice = await readGasPrice(rpc, 0n)
  if (gasPrice > baseFeePerGas) return gasPrice - baseFeePerGas
  return smaller(larger(baseFeePerGas / 10n, 1n), oneGwei)
}

function median(values: bigint[]): bigint {
  return values.sort((one, other) => (one < other ? -1 : 1))[values.length >> 1] ?? 0n
}

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
