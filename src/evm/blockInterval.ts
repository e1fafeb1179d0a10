import type { Rpc } from './rpc/rpc.ts'
import * as answers from './rpc/schemas.ts'

const sampleBlocks = 50n
/** Above this ratio of two samples there is no usual time. */
const maxRatio = 2

/**
 * Returns the usual time between blocks in milliseconds, from the newest hundred. Undefined for a chain
 * without rhythm, such as one that produces blocks on demand.
 */
export async function readBlockInterval(reads: Rpc): Promise<number | undefined> {
  const newest = await reads.ask('eth_getBlockByNumber', ['latest', false], answers.block)
  if (newest.number < 2n * sampleBlocks) return undefined
  const timeAt = async (number: bigint) => {
    const tag = `0x${number.toString(16)}`
    return (await reads.ask('eth_getBlockByNumber', [tag, false], answers.block)).timestamp
  }
  const [middle, oldest] = await Promise.all([
    timeAt(newest.number - sampleBlocks),
    timeAt(newest.number - 2n * sampleBlocks),
  ])
  return toInterval(newest.timestamp - middle, middle - oldest)
}

function toInterval(late: number, early: number): number | undefined {
  const [short, long] = [Math.min(late, early), Math.max(late, early)]
  if (short <= 0 || long > short * maxRatio) return undefined
  return ((late + early) * 1_000) / Number(2n * sampleBlocks)
}
