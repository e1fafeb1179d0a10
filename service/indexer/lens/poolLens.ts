import { concatHex, encodeAbiParameters, type Hex, hexToBytes, parseAbiParameters } from 'viem'
import type { Address } from '../../config.ts'
import { maxTicks } from '../../pools/math/maxTicks.ts'
import { maxTick } from '../../pools/math/sqrtPrice.ts'
import type { BlockRef } from '../block.ts'
import { isBlockMissing, isNetworkError, isRateLimit } from '../node.ts'
import { createReadPause } from '../readPause.ts'
import { poolLensCode } from './poolLensCode.ts'

/**
 * A pool to read; with `tickSpacing` a concentrated one, with `id` one of Uniswap v4's manager. Algebra's
 * have a spacing of 1.
 */
export type LensRequest = { address: Address; tickSpacing?: number; id?: Hex; isAlgebra?: true }

export type LensPool =
  | { reserve0: bigint; reserve1: bigint }
  | {
      sqrtPrice: bigint
      tick: number
      liquidity: bigint
      /** Protocol fee of Uniswap v4. */
      fee?: number
      ticks: readonly { index: number; net: bigint }[]
    }

/** Runs creation code by `eth_call`, and returns what its constructor returns. */
export type RunConstructor = (code: Hex, block: BlockRef) => Promise<Hex>

type Page = {
  /** Of the first pools of the request, in order; undefined for a pool that the lens cannot read. */
  pools: (LensPool | undefined)[]
  /** Bitmap word at which the last one continues; undefined if it is complete. */
  nextWord?: number
}

/** As much code and arguments as one `eth_call` may run (EIP-3860). */
const maxWords = Math.floor((49_152 - poolLensCode.length / 2 - 128) / 32)

/** geth's default of `--rpc.gascap` is 50 million, of which the returned page takes at most 4.9 million. */
const firstGasBudget = 40_000_000n
/** Below, an `eth_call` reads no more than Multicall3 does. */
const minGasBudget = 5_000_000n

const firstCount = 64

/** Requests at once: two rounds read a pool with every word of its bitmap for each of ten base tokens. */
const readsAtOnce = 5
/** Upper estimate for a word of a bitmap, cold, also by Uniswap v4's manager. */
const wordGas = 3_600
/** Of a pool besides, without ticks. */
const poolGas = 50_000

const lowestWord = -32_768

/**
 * Creates a reader of whole pools by contracts/PoolLens.sol. Of more than `maxTicks` ticks it may return the
 * first ones alone, still more than that. An RPC that refuses is asked for less, and in the end for nothing:
 * then all pools are undefined. After some reads it is asked as at first. Throws when the RPC does not
 * answer.
 */
export function createPoolLens(run: RunConstructor) {
  let gasBudget = firstGasBudget
  let count = firstCount
  /** Of larger pages. */
  const pause = createReadPause()

  async function readPage(pools: readonly LensRequest[], word: number, block: BlockRef): Promise<Page> {
    const words = pools.flatMap(wordsOf)
    const code = concatHex([poolLensCode, encodeAbiParameters(request, [words, BigInt(word), gasBudget])])
    const page = parsePage(await run(code, block), pools)
    const isStuck = page.pools.length === 0 || (page.pools.length === 1 && page.nextWord === word)
    if (isStuck) throw new Error('The gas of an eth_call does not suffice for one pool.')
    return page
  }

  async function tryPage(pools: readonly LensRequest[], word: number, block: BlockRef) {
    while (gasBudget >= minGasBudget) {
      const asked = gasBudget
      try {
        return await readPage(pools.slice(0, count), word, block)
      } catch (error) {
        if (isNetworkError(error) || isBlockMissing(error) || isRateLimit(error)) throw error
        // Once for requests that were refused together.
        if (gasBudget < asked) continue
        gasBudget /= 2n
        pause.begin()
        count = Math.ceil(count / 2)
      }
    }
    return undefined
  }

  async function readGroup(
    pools: readonly LensRequest[],
    block: BlockRef,
  ): Promise<(LensPool | undefined)[]> {
    const found: (LensPool | undefined)[] = []
    /** Ticks of the pool that continues in the next page. */
    let begun: LensPool | undefined
    for (let word = lowestWord; found.length < pools.length; ) {
      const page = await tryPage(pools.slice(found.length), word, block)
      if (page === undefined) return pools.map((_, i) => found[i])
      const [first, ...rest] = page.pools
      const read = [begun && first ? joinTicks(begun, first) : first, ...rest]
      const isWhole = page.nextWord === undefined || hasTooManyTicks(read.at(-1))
      begun = isWhole ? undefined : read.pop()
      word = isWhole ? lowestWord : (page.nextWord as number)
      found.push(...read)
      const maxPools = pools.some(({ id }) => id !== undefined) ? maxWords >> 1 : maxWords
      count = Math.min(maxPools, Math.max(8, 2 * page.pools.length))
    }
    return found
  }

  return async (pools: readonly LensRequest[], block: BlockRef): Promise<(LensPool | undefined)[]> => {
    if (pools.length > 0 && gasBudget < firstGasBudget && !pause.passes()) {
      gasBudget = firstGasBudget
      count = firstCount
    }
    const groups = groupByGas(pools, Number(gasBudget))
    const found: (LensPool | undefined)[] = []
    for (let next = 0; next < groups.length; next += readsAtOnce) {
      const round = groups.slice(next, next + readsAtOnce)
      for (const group of await Promise.all(round.map((group) => readGroup(group, block))))
        found.push(...group)
    }
    return found
  }
}

/** Splits pools, in order, into requests that presumably need no further page. */
function groupByGas(pools: readonly LensRequest[], budget: number): LensRequest[][] {
  const groups: LensRequest[][] = []
  let left = 0
  for (const pool of pools) {
    const gas = presumedGas(pool)
    const last = groups.at(-1)
    if (last === undefined || gas > left) {
      groups.push([pool])
      left = budget
    } else last.push(pool)
    left -= gas
  }
  return groups
}

/** Most of it is for the words of a pool's bitmap, with or without ticks; Algebra's pools have a tree. */
function presumedGas({ tickSpacing, isAlgebra }: LensRequest): number {
  const words = tickSpacing === undefined || isAlgebra ? 0 : (2 * maxTick) / (256 * tickSpacing)
  return poolGas + words * wordGas
}

/** Forms of Algebra's pools and of those in Uniswap v4's manager (contracts/PoolLens.sol). */
const [ofAlgebra, inManager] = [1n, 2n] as const

function wordsOf({ address, tickSpacing = 0, id, isAlgebra }: LensRequest): bigint[] {
  const word = BigInt(address) | (BigInt(tickSpacing) << 160n) | (isAlgebra ? ofAlgebra << 184n : 0n)
  return id === undefined ? [word] : [word | (inManager << 184n), BigInt(id)]
}

const request = parseAbiParameters('uint256[] pools, int256 nextWord, uint256 gasBudget')

function hasTooManyTicks(pool: LensPool | undefined): boolean {
  return pool !== undefined && 'ticks' in pool && pool.ticks.length > maxTicks
}

function joinTicks(begun: LensPool, next: LensPool): LensPool {
  if (!('ticks' in begun && 'ticks' in next)) return next
  return { ...next, ticks: [...begun.ticks, ...next.ticks] }
}

/** Throws when the page does not have the form that contracts/PoolLens.sol describes. */
function parsePage(returned: Hex, pools: readonly LensRequest[]): Page {
  const data = Buffer.from(hexToBytes(returned))
  let at = 0
  const take = (size: number): bigint => {
    if (at + size > data.length) throw new Error('A page of the pool lens is cut short.')
    at += size
    return BigInt(`0x${data.toString('hex', at - size, at)}`)
  }
  const takeSigned = (size: number) => BigInt.asIntN(8 * size, take(size))

  const found: Page = { pools: [] }
  if (take(1) !== 1n) throw new Error('It is no page of the pool lens.')
  while (at < data.length) {
    const pool = pools[found.pools.length]
    if (pool === undefined || found.nextWord !== undefined) throw new Error('The pool lens answers too much.')
    const status = take(1)
    if (status === 0n) {
      found.pools.push(undefined)
    } else if (pool.tickSpacing === undefined) {
      found.pools.push({ reserve0: take(14), reserve1: take(14) })
    } else {
      const [sqrtPrice, tick, liquidity] = [take(20), Number(takeSigned(3)), take(16)]
      const nextWord = Number(takeSigned(2))
      const count = Number(take(2))
      const fee = pool.id === undefined ? {} : { fee: Number(take(3)) }
      const ticks = Array.from({ length: count }, () => {
        return { index: Number(takeSigned(3)), net: takeSigned(16) }
      })
      found.pools.push({ sqrtPrice, tick, liquidity, ...fee, ticks })
      if (status === 2n) found.nextWord = nextWord
    }
  }
  return found
}
