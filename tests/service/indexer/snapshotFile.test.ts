import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { ChainConfig } from '../../../service/config.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import type { Update } from '../../../service/indexer/update.ts'
import { createLog } from '../../../service/log.ts'
import { createPoolSource } from '../../../service/poolSource.ts'
import { startFaultyNode } from '../../helpers/node/faultyNode.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let node: Awaited<ReturnType<typeof startFaultyNode>>
let searched: string[] = []
let lines: string[] = []
const folder = mkdtempSync(join(tmpdir(), 'sluice-pools-'))

beforeAll(async () => {
  localnet = await createLocalnet()
  node = await startFaultyNode(localnet.rpcUrl, ({ method, params }) => {
    if (method === 'eth_getLogs') searched.push((params as [{ fromBlock: string }])[0].fromBlock)
    return undefined
  })
})
afterAll(async () => {
  await node.stop()
  await localnet.stop()
  rmSync(folder, { recursive: true })
})

async function run(config: ChainConfig = localnet.config) {
  searched = []
  lines = []
  const log = createLog({ to: { write: (line) => lines.push(JSON.parse(line).msg) } })
  const { feed } = await createPoolSource({ config, rpcUrl: node.url, dataFolder: join(folder, 'deep'), log })
  const taken: Update[] = []
  const ledger = createPoolState()
  await feed.start(async (update) => {
    taken.push({ ...update, pools: [...update.pools] })
    ledger.apply(update)
  })
  await feed.refresh()
  await feed.stop()
  const pools = Object.fromEntries(ledger.whole()!.pools.map((pool) => [pool.listing.address, pool]))
  return { taken, pools, block: ledger.block()!.number }
}

it('stores the pools, and reads only later changes after a restart', async () => {
  const first = await run()
  expect(first.taken).toHaveLength(1)
  expect(readdirSync(join(folder, 'deep'))).toEqual(['31337.pools'])

  await localnet.fund(localnet.accounts[0]!.address)
  const second = await run()
  expect(lines[0]).toBe('pools were kept')
  expect(second.taken.map(({ after }) => after)).toEqual([undefined, first.taken[0]!.block.hash])
  expect(new Set(searched)).toEqual(new Set([`0x${(first.block + 1n).toString(16)}`]))
  rmSync(join(folder, 'deep'), { recursive: true })
  expect(second.pools).toEqual((await run()).pools)
})

it('reads everything again when the stored block is no longer in the chain', async () => {
  const id = await localnet.client.snapshot()
  await localnet.client.mine({ blocks: 3 })
  await run()
  await localnet.client.revert({ id })
  await localnet.client.mine({ blocks: 5 })
  const { taken } = await run()
  expect(taken.map(({ after }) => after)).toEqual([undefined, undefined])
})

it.each([
  [
    'of another config',
    (config: ChainConfig) => ({ ...config, factories: config.factories.slice(1) }),
    undefined,
  ],
  ['damaged', (config: ChainConfig) => config, 'sluice-pools 31337:0 0\nrubbish'],
])('reads everything again and logs it when the stored snapshot is %s', async (_name, adapt, text) => {
  const file = join(folder, 'deep', '31337.pools')
  await run()
  if (text !== undefined) writeFileSync(file, text)
  const before = readFileSync(file)
  const { taken } = await run(adapt(localnet.config))
  expect(lines[0]).toContain('all are read anew')
  expect(taken).toHaveLength(1)
  expect(readFileSync(file).equals(before)).toBe(false)
  await run(adapt(localnet.config))
  expect(lines[0]).toBe('pools were kept')
})

it('reads the pools and logs it when the snapshot cannot be stored', async () => {
  const log = createLog({ to: { write: (line) => lines.push(JSON.parse(line).msg) } })
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const { feed } = await createPoolSource({
    config: localnet.config,
    rpcUrl: node.url,
    dataFolder: file,
    log,
  })
  const ledger = createPoolState()
  await feed.start(async (update) => ledger.apply(update))
  await feed.stop()
  expect(ledger.block()).toBeDefined()
  expect(lines.at(-1)).toBe('the pools cannot be kept')
  expect(existsSync(`${file}/31337.pools`)).toBe(false)
})
