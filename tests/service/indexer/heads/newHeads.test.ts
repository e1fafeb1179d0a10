import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import type { Head } from '../../../../service/indexer/chain.ts'
import { type NewHeads, subscribeNewHeads } from '../../../../service/indexer/heads/newHeads.ts'
import { createNodeFeed } from '../../../../service/indexer/nodeFeed.ts'
import type { StreamedUpdate, Update } from '../../../../service/indexer/update.ts'
import { startProxy } from '../../../helpers/node/rpcProxy.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let wsUrl: string
const stops: (() => unknown)[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  wsUrl = localnet.rpcUrl.replace('http', 'ws')
})
afterAll(async () => {
  for (const stop of stops) await stop()
  await localnet.stop()
})

/** Mines until the subscription answers. */
async function untilLive(heads: NewHeads): Promise<void> {
  await expect
    .poll(async () => {
      await localnet.client.mine({ blocks: 1 })
      return heads.isLive()
    })
    .toBe(true)
}

it('passes the heads that the RPC pushes, as they can be read', async () => {
  const heads: Head[] = []
  const subscription = subscribeNewHeads(wsUrl, (head) => heads.push(head), { silenceMs: () => 60_000 })
  stops.push(subscription.stop)
  await untilLive(subscription)
  await localnet.fund(localnet.accounts[0]!.address)
  const { number, hash, parentHash, timestamp, baseFeePerGas, logsBloom } = await localnet.client.getBlock()
  await expect
    .poll(() => heads.at(-1))
    .toEqual({ number, hash, parentHash, timestamp, baseFeePerGas, logsBloom })
})

it('connects again when heads stay away, and says once that they do', async () => {
  const heads: Head[] = []
  let losses = 0
  const options = { silenceMs: () => 300, retryMs: 20, onLoss: () => losses++ }
  const subscription = subscribeNewHeads(wsUrl, (head) => heads.push(head), options)
  stops.push(subscription.stop)
  await untilLive(subscription)
  await expect.poll(() => losses).toBe(1)
  expect(subscription.isLive()).toBe(false)
  await untilLive(subscription)
})

it('is never live without a WebSocket, and writes nothing', async () => {
  const subscription = subscribeNewHeads('ws://127.0.0.1:1/secret', () => {}, {
    silenceMs: () => 1_000,
    retryMs: 10,
    onLoss: () => expect.unreachable(),
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(subscription.isLive()).toBe(false)
  subscription.stop()
})

it('follows a chain by pushed heads without asking for heads', async () => {
  const asked: string[] = []
  const proxy = await startProxy(localnet.rpcUrl, ({ method }) => void asked.push(method))
  // A poll would come after an hour.
  const config = { ...localnet.config, blockSeconds: 3_600 }
  const feed = createNodeFeed(config, proxy.url, { rpcWsUrl: wsUrl })
  stops.push(feed.stop, proxy.stop)
  const taken: (Update | StreamedUpdate)[] = []
  await feed.start(async (update) => void taken.push(update))
  await expect
    .poll(async () => {
      await localnet.client.mine({ blocks: 1 })
      return taken.length
    })
    .toBeGreaterThan(2)
  asked.length = 0
  for (let i = 0; i < 5; i++) {
    const before = taken.length
    await localnet.fund(localnet.accounts[1]!.address)
    const number = await localnet.client.getBlockNumber()
    await expect.poll(() => taken.at(-1)!.block.number).toBe(number)
    expect(taken.length).toBeGreaterThan(before)
  }
  expect(asked).toContain('eth_getLogs')
  expect(asked.filter((method) => method === 'eth_getBlockByNumber').length).toBeLessThan(asked.length / 2)
})
