import { type Hex, keccak256, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import { isEmptyBloom, mayContain } from '../../../../service/indexer/heads/logsBloom.ts'

let localnet: Localnet
beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(() => localnet.stop())

it('finds every address and topic of the chain in the bloom of its block, and few others', async () => {
  const { client } = localnet
  const logs = await client.getLogs({ fromBlock: 0n, toBlock: 'latest' })
  const blooms = new Map<bigint, Hex>()
  for (const number of new Set(logs.map(({ blockNumber }) => blockNumber))) {
    blooms.set(number, (await client.getBlock({ blockNumber: number })).logsBloom!)
  }
  expect(blooms.size).toBeGreaterThan(20)
  for (const { blockNumber, address, topics } of logs) {
    for (const value of [address, ...topics]) expect(mayContain(blooms.get(blockNumber)!, value)).toBe(true)
  }
  const foreign = Array.from({ length: 1_000 }, (_, i) => keccak256(pad(numberToHex(i))))
  const sparse = [...blooms.values()].find((bloom) => bloom.replaceAll('0', '').length < 20)!
  expect(foreign.filter((value) => mayContain(sparse, value)).length).toBeLessThan(10)
})

it('recognises a bloom without a bit', () => {
  expect(isEmptyBloom(`0x${'00'.repeat(256)}`)).toBe(true)
  expect(isEmptyBloom(`0x${'00'.repeat(255)}01`)).toBe(false)
})
