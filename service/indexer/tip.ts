import type { PublicClient } from 'viem'

/**
 * Creates a reader of the priority fee at a block, wei: the median of recent upper-quartile fees. One reading
 * serves `tipBlocks` blocks, so that hosts at the same block agree.
 */
export function createTipReader(
  client: Pick<PublicClient, 'getFeeHistory'>,
  tipBlocks: bigint,
): (block: bigint) => Promise<bigint> {
  let lastTip: { block: bigint; tip: Promise<bigint> } | undefined

  async function readTip(blockNumber: bigint): Promise<bigint> {
    const history = await client.getFeeHistory({ blockCount: 10, blockNumber, rewardPercentiles: [75] })
    const paid = (history.reward ?? []).flat().filter((reward) => reward > 0n)
    paid.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    return paid[paid.length >> 1] ?? 0n
  }

  return (block) => {
    const last = block - (block % tipBlocks)
    if (lastTip?.block === last) return lastTip.tip
    const tip = readTip(last)
    lastTip = { block: last, tip }
    tip.catch(() => {
      if (lastTip?.tip === tip) lastTip = undefined
    })
    return tip
  }
}
