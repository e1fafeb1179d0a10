import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import type { TokenSymbol } from '../../../../dev/pools/tokens.ts'
import { createPoolSource } from '../../../../service/poolSource.ts'
import { type Fault, startFaultyNode } from '../../../helpers/node/faultyNode.ts'
import { type ListedService, listTokens, startListed } from '../../../helpers/service/listedService.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let methods: string[] = []
let fault: Fault = () => undefined
let node: Awaited<ReturnType<typeof startFaultyNode>>
const folders: string[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  node = await startFaultyNode(localnet.rpcUrl, (question) => {
    methods.push(question.method)
    return fault(question)
  })
})
afterEach(() => {
  fault = () => undefined
})
afterAll(async () => {
  await node.stop()
  await localnet.stop()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const few: readonly TokenSymbol[] = ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC']

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-tokens-'))
  folders.push(folder)
  return folder
}

async function run<Result>(
  dataFolder: string,
  symbols: readonly TokenSymbol[],
  work: (service: ListedService) => Promise<Result>,
): Promise<Result> {
  methods = []
  // The same connectors, as a config that differs in more is another one.
  const config = { ...listTokens(localnet, symbols), connectors: localnet.config.connectors }
  const options = { config, rpcUrl: node.url, dataFolder, feed: { pollMs: 3_600_000 } }
  const service = await startListed(config, node.url, await createPoolSource(options))
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

async function stateOf({ pools }: ListedService) {
  const { listed } = pools.coverage
  const all = pools.whole()!.pools.map((pool) => [pool.listing.address, pool])
  return {
    listed: [...listed()!].sort(),
    unlisted: pools.coverage.unlisted(),
    pools: Object.fromEntries(all),
  }
}

const quoteLink = ({ ask }: ListedService, amount = '1000000000000000000') =>
  ask('quote', { src: localnet.tokens.LINK, dst: localnet.tokens.USDC, amount })

it('restores unlisted tokens from the saved pools, which need no further request', async () => {
  const folder = makeFolder()
  const [before, first] = await run(folder, few, async (service) => {
    const { body } = await quoteLink(service)
    return [await stateOf(service), body]
  })
  expect(before.unlisted).toEqual([localnet.tokens.LINK])
  await run(folder, few, async (service) => {
    expect(await stateOf(service)).toEqual(before)
    methods = []
    expect((await quoteLink(service)).body).toEqual(first)
    expect(methods).toEqual([])
  })
})

it('keeps saved pools when the token list grows, and reads what is missing', async () => {
  const folder = makeFolder()
  await run(folder, few, quoteLink)
  const grown = [...few, 'LINK', 'BROOK', 'DTT'] as const
  await localnet.client.mine({ blocks: 1 })
  const found = await run(folder, grown, async (service) => {
    // Of a new block, and of vaults, which cannot be asked for pairs.
    expect(methods.filter((method) => method === 'eth_getLogs').length).toBeLessThan(5)
    return stateOf(service)
  })
  expect(found).toEqual(await run(makeFolder(), grown, stateOf))
  expect(found.unlisted).toEqual([])
})

it('follows tokens that the list has lost as unlisted ones', async () => {
  const folder = makeFolder()
  const all = [...few, 'LINK', 'BROOK', 'DTT'] as const
  const before = await run(folder, all, stateOf)
  await run(folder, few, async (service) => {
    const { LINK, BROOK, DTT } = localnet.tokens
    const after = await stateOf(service)
    expect(after.pools).toEqual(before.pools)
    expect(after.listed).toHaveLength(few.length)
    expect(after.unlisted.sort()).toEqual([LINK, BROOK, DTT].sort())
    methods = []
    expect((await quoteLink(service)).status).toBe(200)
    expect(methods).toEqual([])
  })
})

it('starts while newly listed tokens cannot be read, and trades them on demand', async () => {
  const folder = makeFolder()
  await run(folder, few, stateOf)
  fault = ({ method, params }) => {
    const { fromBlock } = params[0] as { fromBlock?: string }
    return method === 'eth_getLogs' && fromBlock === '0x0' ? 503 : undefined
  }
  await run(folder, [...few, 'LINK'], async (service) => {
    expect((await quoteLink(service)).status).toBe(200)
    expect((await stateOf(service)).unlisted).toEqual([localnet.tokens.LINK])
    fault = () => undefined
    await localnet.client.mine({ blocks: 1 })
    await service.engine.refresh()
    expect((await stateOf(service)).unlisted).toEqual([])
    expect((await quoteLink(service)).status).toBe(200)
    expect(await stateOf(service)).toEqual(await run(makeFolder(), [...few, 'LINK'], stateOf))
  })
})
