import { parseAbiItem } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { createChain } from '../../../service/indexer/chain.ts'
import { type Fault, startFaultyNode } from '../../helpers/node/faultyNode.ts'

const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 amount)')

let localnet: Localnet
beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(() => localnet.stop())

async function readLogs(fault: Fault) {
  let asked = 0
  const node = await startFaultyNode(localnet.rpcUrl, (question) => {
    asked++
    return fault(question)
  })
  const to = await localnet.client.getBlockNumber()
  try {
    const logs = await createChain(node.url, localnet.config.multicall).logs([transfer], 0n, to)
    return { logs, asked }
  } catch (error) {
    return { error, asked }
  } finally {
    await node.stop()
  }
}

describe('createChain: logs', () => {
  it('splits the block range when the RPC limits its width', async () => {
    const { logs } = await readLogs(() => undefined)
    const bounded = await readLogs(({ params }) => {
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      const isWide = Number(toBlock) - Number(fromBlock) > 50
      return isWide ? { code: -32602, message: 'at most 50 blocks' } : undefined
    })
    expect(logs!.length).toBeGreaterThan(20)
    expect(bounded.logs).toEqual(logs)
    expect(bounded.asked).toBeGreaterThan(4)
  })

  it('does not split the block range when the RPC does not answer', async () => {
    const { error, asked } = await readLogs(() => 503)
    expect(error).toBeInstanceOf(Error)
    // The transport retries once.
    expect(asked).toBe(2)
  })
})
