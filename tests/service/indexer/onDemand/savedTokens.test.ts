import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { readPackageContract } from '../../../../dev/chain/packageContracts.ts'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import type { TokenSymbol } from '../../../../dev/pools/tokens.ts'
import { createPoolSource } from '../../../../service/poolSource.ts'
import type { PoolSnapshot } from '../../../../service/pools/poolType.ts'
import { poolTypes } from '../../../../service/pools/registry.ts'
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

/** Newly listed tokens are read in the background, and after failures again with a later check. */
async function isListed({ engine, pools }: ListedService, ...symbols: TokenSymbol[]): Promise<void> {
  await vi.waitFor(async () => {
    await engine.refresh()
    const listed = pools.coverage.listed()!
    for (const symbol of symbols) expect(listed).toContain(localnet.tokens[symbol])
  }, 8_000)
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
    await isListed(service, 'LINK', 'BROOK', 'DTT')
    // Of a new block, and of factories that cannot be asked for all pools of a pair.
    const unasked = localnet.config.factories.filter(({ kind }) => {
      const { lookup } = poolTypes[kind]
      return lookup === undefined || lookup.isPartial
    })
    const read = methods.filter((method) => method === 'eth_getLogs')
    expect(read.length).toBeLessThanOrEqual(2 + unasked.length)
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

/** True for all of the chain's logs. */
function isOfHistory({ method, params }: { method: string; params: unknown[] }): boolean {
  return method === 'eth_getLogs' && (params[0] as { fromBlock?: string }).fromBlock === '0x0'
}

it('starts while newly listed tokens cannot be read, and trades them on demand', async () => {
  const folder = makeFolder()
  await run(folder, few, stateOf)
  fault = (question) => (isOfHistory(question) ? 503 : undefined)
  await run(folder, [...few, 'LINK'], async (service) => {
    expect((await quoteLink(service)).status).toBe(200)
    expect((await stateOf(service)).unlisted).toEqual([localnet.tokens.LINK])
    fault = () => undefined
    await localnet.client.mine({ blocks: 1 })
    await isListed(service, 'LINK')
    expect((await stateOf(service)).unlisted).toEqual([])
    expect((await quoteLink(service)).status).toBe(200)
    expect(await stateOf(service)).toEqual(await run(makeFolder(), [...few, 'LINK'], stateOf))
  })
})

/** Holds them until told. */
function holdHistory(): { asked: () => number; release: () => void } {
  let asked = 0
  let release = () => {}
  const held = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined)
  })
  fault = (question) => {
    if (!isOfHistory(question)) return undefined
    asked++
    return held
  }
  return { asked: () => asked, release }
}

it('quotes and follows blocks while newly listed tokens are read, and adds their changes since', async () => {
  const folder = makeFolder()
  await run(folder, few, stateOf)
  const { LINK, USDC, DAI } = localnet.tokens
  const grown = [...few, 'LINK', 'BROOK'] as const
  const history = holdHistory()
  await run(folder, grown, async (service) => {
    const trade = { src: USDC, dst: DAI, amount: '1000000' }
    expect((await service.ask('quote', trade)).status).toBe(200)
    const begun = service.engine.block()!.number
    await vi.waitFor(() => expect(history.asked()).toBeGreaterThan(0))

    const { address } = localnet.pools.find(({ title }) => title.startsWith('LINK/USDC solidly'))!
    const gift = { address: LINK, abi: erc20Abi, functionName: 'transfer' } as const
    await localnet.client.writeContractSync({ ...gift, args: [address, 10n ** 18n] })
    const pair = { address, abi: parseAbi(['function sync()']), functionName: 'sync' } as const
    await localnet.client.writeContractSync(pair)
    await service.engine.refresh()
    expect(service.engine.block()!.number).toBeGreaterThan(begun)
    const once = history.asked()
    expect((await service.ask('quote', trade)).status).toBe(200)
    await service.engine.refresh()
    expect(history.asked()).toBe(once)
    expect((await stateOf(service)).listed).not.toContain(LINK)

    history.release()
    await isListed(service, 'LINK', 'BROOK')
    expect(history.asked()).toBe(once)
    const found = await stateOf(service)
    expect(found).toEqual(await run(makeFolder(), grown, stateOf))
  })
})

it('reads newly listed tokens again after a pause that grows', async () => {
  const folder = makeFolder()
  await run(folder, few, stateOf)
  let asked = 0
  fault = (question) => {
    if (!isOfHistory(question)) return undefined
    asked++
    return 403
  }
  await run(folder, [...few, 'LINK'], async ({ engine }) => {
    await vi.waitFor(() => expect(asked).toBeGreaterThan(0))
    const once = asked
    await vi.waitFor(async () => {
      await engine.refresh()
      expect(asked).toBeGreaterThanOrEqual(3 * once)
    }, 8_000)
    const begun = asked
    for (const _ of Array(20)) await engine.refresh()
    expect(asked).toBeLessThanOrEqual(begun + once)
  })
})

it('finds more pools of a newly listed token than a factory names', async () => {
  const folder = makeFolder()
  const { LINK, USDC } = localnet.tokens
  const { abi } = readPackageContract('CurveFactoryNg')
  for (let i = 0; i < 6; i++) {
    const args = [[USDC, LINK], 100n, 0n, 0n, [0, 0], [USDC, USDC]]
    const data = encodeFunctionData({ abi, functionName: 'deploy_plain_pool', args })
    await localnet.client.execute({ to: localnet.contracts.curveFactoryNg, data, gas: 10_000_000n })
  }
  await run(folder, few, stateOf)
  const grown = [...few, 'LINK'] as const
  const found = await run(folder, grown, async (service) => {
    await isListed(service, 'LINK')
    return stateOf(service)
  })
  const pools: PoolSnapshot[] = Object.values(found.pools)
  const news = pools.filter(({ listing: { kind, tokens } }) => kind === 'curve-ng' && tokens.includes(LINK))
  expect(news).toHaveLength(6)
  expect(found).toEqual(await run(makeFolder(), grown, stateOf))
})
