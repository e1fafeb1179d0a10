import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../../contracts/artifact.ts'
import { deployer } from '../../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import { findToken, type TokenSymbol, unitsForUsd } from '../../../../dev/pools/tokens.ts'
import type { Address, ChainConfig } from '../../../../service/config.ts'
import { poolLensCode } from '../../../../service/indexer/lens/poolLensCode.ts'
import type { FeedOptions } from '../../../../service/indexer/nodeFeed.ts'
import { poolFinderCode } from '../../../../service/indexer/onDemand/poolFinderCode.ts'
import { createTokenCoverage } from '../../../../service/indexer/onDemand/tokenCoverage.ts'
import { createPoolState, type PoolState } from '../../../../service/indexer/poolState.ts'
import { poolTypes } from '../../../../service/pools/registry.ts'
import { nativeTokenAddress } from '../../../../service/tokens/registry.ts'
import { deployContract } from '../../../helpers/node/deployContract.ts'
import { type Fault, limited, startFaultyNode } from '../../../helpers/node/faultyNode.ts'
import { openSolidlyPool } from '../../../helpers/node/solidlyStage.ts'
import { startTripCounter } from '../../../helpers/node/tripCounter.ts'
import { openV3Pool } from '../../../helpers/node/v3Pools.ts'
import { type ListedService, listTokens, startListed } from '../../../helpers/service/listedService.ts'
import { startUnhurried } from '../../../helpers/service/unhurriedService.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let fault: Fault = () => undefined
let node: Awaited<ReturnType<typeof startFaultyNode>>
let services: ListedService[] = []
let methods: string[] = []

beforeAll(async () => {
  localnet = await createLocalnet()
  node = await startFaultyNode(localnet.rpcUrl, (question) => {
    methods.push(question.method)
    return fault(question)
  })
  await localnet.client.setBalance({ address: deployer, value: 10n ** 27n })
  const args = [localnet.config.router, maxUint256] as const
  const call = { account: deployer, abi: erc20Abi, functionName: 'approve', args } as const
  for (const address of Object.values(localnet.tokens))
    await localnet.client.writeContractSync({ ...call, address })
})
afterEach(async () => {
  fault = () => undefined
  for (const service of services) await service.stop()
  services = []
  methods = []
})
afterAll(async () => {
  await node.stop()
  await localnet.stop()
})

async function start(
  config: ChainConfig = listTokens(localnet),
  options: FeedOptions & { pools?: PoolState } = {},
  rpcUrl = node.url,
): Promise<ListedService> {
  const service = await startListed(config, rpcUrl, options)
  services.push(service)
  return service
}

function trade(src: TokenSymbol, dst: TokenSymbol, usd = 100) {
  const { tokens } = localnet
  return { src: tokens[src], dst: tokens[dst], amount: String(unitsForUsd(findToken(src), usd)) }
}

const quote = (service: ListedService, src: TokenSymbol, dst: TokenSymbol, usd?: number) =>
  service.ask('quote', { ...trade(src, dst, usd), includeProtocols: 'true', gasPrice: '0' })

const balanceOf = (token: Address) =>
  localnet.client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [deployer] })

/** Swaps by the service's answer; returns what arrives. */
async function swap(service: ListedService, src: TokenSymbol, dst: TokenSymbol, usd: number) {
  const query = { ...trade(src, dst, usd), from: deployer, origin: deployer, slippage: '1' }
  const { status, body } = await service.ask('swap', { ...query, includeProtocols: 'true' })
  expect(status, JSON.stringify(body)).toBe(200)
  const before = await balanceOf(query.dst)
  const { to, data, value, gas } = body.tx
  await localnet.client.execute({ account: deployer, to, data, value: BigInt(value), gas: BigInt(gas) })
  await service.engine.refresh()
  return { promised: BigInt(body.dstAmount), arrived: (await balanceOf(query.dst)) - before, body }
}

function poolsOf({ pools }: ListedService) {
  return Object.fromEntries(pools.whole()!.pools.map((pool) => [pool.listing.address, pool]))
}

/** The pools of the present block that a service finds which has just been started. */
async function readAnew(config: ChainConfig, ...asked: readonly [TokenSymbol, TokenSymbol][]) {
  const service = await start(config)
  for (const [src, dst] of asked) await quote(service, src, dst)
  return poolsOf(service)
}

const isCall =
  (code: string) =>
  ({ method, params }: Parameters<Fault>[0]) =>
    method === 'eth_call' && ((params[0] as { data?: string }).data ?? '').startsWith(code)
const isFinder = isCall(poolFinderCode)
const isLens = isCall(poolLensCode)

describe('unlisted tokens', () => {
  it.each([
    ['source', 'LINK', 'USDC'],
    ['destination', 'WBTC', 'LINK'],
    ['source and destination', 'BROOK', 'LINK'],
  ] as const)('deliver exactly the stated amount as %s', async (_as, src, dst) => {
    const service = await start()
    const before = service.engine.poolCount()
    // Twice, as state of the pools must follow the first swap.
    for (const usd of [40_000, 3]) {
      const { promised, arrived } = await swap(service, src, dst, usd)
      expect(arrived).toBe(promised)
      expect(promised).toBeGreaterThan(0n)
    }
    expect(service.engine.poolCount()).toBeGreaterThan(before)
  })

  it('are found by a started service, whose searches run in threads', async () => {
    const config = listTokens(localnet)
    const service = await startUnhurried({ config, rpcUrl: node.url, threads: 2 })
    const { src, dst, amount } = trade('BROOK', 'LINK')
    const response = await fetch(
      `${service.url}/v6.1/31337/quote?src=${src}&dst=${dst}&amount=${amount}&gasPrice=0`,
    )
    const { dstAmount } = (await response.json()) as { dstAmount: string }
    await service.stop()
    expect(response.status).toBe(200)
    expect((await quote(await start(), 'BROOK', 'LINK')).body.dstAmount).toBe(dstAmount)
  })

  it('use every factory and fee tier', async () => {
    const service = await start()
    expect((await quote(service, 'LINK', 'USDC', 300_000)).status).toBe(200)
    const found = Object.values(poolsOf(service)).filter(({ listing }) =>
      listing.tokens.includes(localnet.tokens.LINK),
    )
    const tiers = found.map(
      ({ listing: { source, fixed } }) => `${source} ${(fixed as { feePpm?: number }).feePpm ?? ''}`,
    )
    expect(tiers.sort()).toEqual([
      ...['AERODROME_SLIPSTREAM ', 'AERODROME_V2 ', 'ALGEBRA ', 'SUSHI 3000', 'UNISWAP_V2 3000'],
      ...['UNISWAP_V3 10000', 'UNISWAP_V3 3000', 'UNISWAP_V4 '],
    ])
    const all = Object.entries(await readAll()).filter(
      ([, { listing }]) =>
        listing.tokens.includes(localnet.tokens.LINK) && poolTypes[listing.kind].lookup !== undefined,
    )
    expect(Object.fromEntries(found.map((pool) => [pool.listing.address, pool]))).toEqual(
      Object.fromEntries(all),
    )
  })

  it('trade in a Solidly pool that is older than the service, if they have no other', async () => {
    const { USDC } = localnet.tokens
    const token = await deployContract(localnet, readArtifact('Token'), ['Old', 'OLD', 8])
    const mint = { ...readArtifact('Token'), functionName: 'mint', args: [deployer, 10n ** 13n] }
    await localnet.client.writeContractSync({ account: deployer, address: token, ...mint } as never)
    const old = await openSolidlyPool(localnet, [token, USDC], [10n ** 12n, 10n ** 11n], false)
    const service = await start()
    const query = { src: token, dst: USDC, amount: '1000000000', from: deployer, origin: deployer }
    const { status, body } = await service.ask('swap', { ...query, slippage: '1', disableEstimate: 'true' })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(service.pools.standing(old)).toMatchObject({ listing: { fixed: { units: expect.any(Array) } } })
    await localnet.client.execute({
      ...{ account: deployer, to: token },
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [body.tx.to, maxUint256] }),
    })
    const before = await balanceOf(USDC)
    await localnet.client.execute({ account: deployer, to: body.tx.to, data: body.tx.data, gas: 1_000_000n })
    expect((await balanceOf(USDC)) - before).toBe(BigInt(body.dstAmount))
    await service.engine.refresh()
    expect(poolsOf(service)[old]).toEqual((await readAll())[old])
  })

  it('cost two dependent requests once, three with Solidly pools, and none afterwards', async () => {
    const counter = await startTripCounter(localnet.rpcUrl, 20)
    const service = await start(listTokens(localnet), {}, counter.url)
    counter.take()
    const answers = await Promise.all(
      [1, 2, 3, 4].map((usd) => quote(service, usd % 2 ? 'LINK' : 'USDC', usd % 2 ? 'USDC' : 'LINK', usd)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    // Formula and units of its Solidly pool. Then its state, that and the fee of the Slipstream pool, and a
    // lens call each for v2, v3 and v4 pools; of Algebra's pools too, with the fee by itself.
    expect(counter.take()).toEqual({ requests: 11, trips: 3 })
    expect((await quote(service, 'LINK', 'DAI', 500)).status).toBe(200)
    expect(counter.take()).toEqual({ requests: 0, trips: 0 })
    expect((await quote(service, 'BROOK', 'LINK', 5)).status).toBe(200)
    // No Solidly pool.
    expect(counter.take()).toEqual({ requests: 3, trips: 2 })
    await counter.stop()
  })

  it('need three dependent requests with token infos, or from an RPC that knows blocks by number', async () => {
    const counter = await startTripCounter(localnet.rpcUrl, 5)
    const service = await start(listTokens(localnet), {}, counter.url)
    counter.take()
    const query = { ...trade('BROOK', 'DAI'), includeTokensInfo: 'true' }
    expect((await service.ask('quote', query)).body).toMatchObject({
      srcToken: { symbol: 'BROOK', decimals: 18 },
      dstToken: { symbol: 'DAI' },
    })
    expect(counter.take().trips).toBe(3)
    await counter.stop()

    fault = ({ method, params }) => {
      const refused = { code: -32602, message: 'invalid argument' }
      return method === 'eth_call' && typeof params[1] === 'object' ? refused : undefined
    }
    const byNumber = await startTripCounter(node.url, 5)
    const other = await start(listTokens(localnet), {}, byNumber.url)
    byNumber.take()
    expect((await quote(other, 'DTT', 'USDC')).status).toBe(200)
    await quote(other, 'LINK', 'USDC')
    // The first request learns that hashes are refused.
    byNumber.take()
    expect((await quote(other, 'BROOK', 'USDC')).status).toBe(200)
    expect(byNumber.take().trips).toBe(3)
    await byNumber.stop()
  })

  it('are never connectors', async () => {
    const service = await start(listTokens(localnet, ['WETH', 'USDC']))
    const { tokens } = localnet
    // DAI's pools are known then, and BROOK trades for DAI only.
    expect((await quote(service, 'DAI', 'USDC')).status).toBe(200)
    expect((await quote(service, 'BROOK', 'DAI')).body.dstAmount).toMatch(/^\d{18,}$/)
    expect((await quote(service, 'BROOK', 'USDC')).body).toMatchObject({ code: 'INSUFFICIENT_LIQUIDITY' })
    const { body } = await quote(service, 'USDC', 'WETH', 30_000_000)
    expect(body.dstAmount).toMatch(/^\d{18,}$/)
    expect(JSON.stringify(body.protocols)).not.toContain(tokens.DAI)
  })

  it('join a state that is then followed like one that had them from the start', async () => {
    const service = await start()
    await quote(service, 'LINK', 'BROOK')
    await swap(service, 'LINK', 'WETH', 250_000)
    await swap(service, 'DAI', 'BROOK', 4_000)
    expect(poolsOf(service)).toEqual(await readAnew(listTokens(localnet), ['LINK', 'BROOK']))
  })

  it('gain pools that are created later', async () => {
    const service = await start()
    const { LINK, BROOK, DAI, USDC } = localnet.tokens
    await quote(service, 'LINK', 'USDC')
    // BROOK has been asked for too, in vain.
    const narrow = await start(listTokens(localnet, ['WETH', 'USDC', 'USDT']))
    expect((await quote(narrow, 'BROOK', 'USDC')).body).toMatchObject({ code: 'INSUFFICIENT_LIQUIDITY' })
    const [withLink, withBrook] = [
      await openV3Pool(localnet, [LINK, DAI], 10n ** 12n),
      await openV3Pool(localnet, [BROOK, USDC], 10n ** 9n),
    ]
    await Promise.all([service, narrow].map(({ engine }) => engine.refresh()))
    expect(service.pools.standing(withLink)).toBeDefined()
    expect(service.pools.standing(withBrook)).toBeUndefined()
    const { status, body } = await narrow.ask('quote', { src: BROOK, dst: USDC, amount: '1000000' })
    expect([status, body.dstAmount]).toEqual([200, expect.stringMatching(/^9\d{5}$/)])
    expect(narrow.pools.standing(withBrook)).toEqual((await readAll())[withBrook])
  })

  it('are brought to the newest block when blocks arrive while they are looked up', async () => {
    const writer = await start()
    const service = await start()
    await quote(writer, 'LINK', 'USDC')
    let isHeld = false
    let newPool: Address = localnet.tokens.LINK
    fault = async (question) => {
      if (isHeld || !isLens(question)) return undefined
      isHeld = true
      const { promised, arrived } = await swap(writer, 'LINK', 'USDC', 90_000)
      expect(arrived).toBe(promised)
      newPool = await openV3Pool(localnet, [localnet.tokens.LINK, localnet.tokens.WBTC], 10n ** 8n)
      await service.engine.refresh()
      await localnet.client.mine({ blocks: 1 })
      await service.engine.refresh()
      return undefined
    }
    expect((await quote(service, 'USDC', 'LINK')).status).toBe(200)
    expect(isHeld).toBe(true)
    fault = () => undefined
    expect(service.pools.standing(newPool)).toBeDefined()
    await writer.engine.refresh()
    expect(poolsOf(service)).toEqual(poolsOf(writer))
  })

  it('keep their pools in a reorganization, and while all pools are read anew', async () => {
    const writer = await start()
    const service = await start()
    const id = await localnet.client.snapshot()
    await swap(writer, 'USDC', 'LINK', 10_000)
    await service.engine.refresh()
    // Found in a block that is then replaced, after a swap in it.
    await quote(service, 'LINK', 'USDC')
    await localnet.client.revert({ id })
    await localnet.client.mine({ blocks: 6 })
    const searched = methods.length
    await service.engine.refresh()
    // The pools that the replaced block changed, not all.
    expect(methods.slice(searched).filter((method) => method === 'eth_getLogs')).toHaveLength(1)
    expect(service.pools.coverage.unlisted()).toEqual([localnet.tokens.LINK])
    expect(poolsOf(service)).toEqual(await readAnew(listTokens(localnet), ['LINK', 'USDC']))

    // A pool was created in the replaced block: everything is read.
    const again = await localnet.client.snapshot()
    await swap(service, 'USDC', 'LINK', 10_000)
    await openV3Pool(localnet, [localnet.tokens.LINK, localnet.tokens.WBTC], 10n ** 6n)
    await service.engine.refresh()
    await localnet.client.revert({ id: again })
    await localnet.client.mine({ blocks: 9 })
    await service.engine.refresh()
    const before = Object.keys(await readAnew(listTokens(localnet), ['LINK', 'USDC'])).length
    expect((await quote(service, 'LINK', 'USDC')).status).toBe(200)
    const traded = Object.values(poolsOf(service)).filter(
      ({ state }) => (state as { sqrtPrice?: bigint }).sqrtPrice !== 0n,
    )
    expect(traded).toHaveLength(before)
  })

  it('are looked up again after a pause in which pools may have been created unseen', async () => {
    const service = await start()
    const { LINK, BROOK } = localnet.tokens
    await quote(service, 'LINK', 'USDC')
    const known = service.pools.coverage.poolsOf(LINK).size
    const writer = await start(listTokens(localnet, ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'LINK']))
    await swap(writer, 'LINK', 'USDC', 5_000)
    await localnet.client.mine({ blocks: 501 })
    const created = await openV3Pool(localnet, [LINK, BROOK], 10n ** 6n)
    await service.engine.refresh()
    // Their states are read anew, but the list of them may be incomplete.
    expect(service.pools.coverage.poolsOf(LINK).size).toBe(known)
    expect(service.pools.coverage.covers([LINK])).toBe(false)
    const searched = methods.length
    expect((await quote(service, 'LINK', 'USDT')).status).toBe(200)
    expect(methods.length - searched).toBe(11)
    expect(poolsOf(service)).toEqual(await readAnew(listTokens(localnet), ['LINK', 'USDC']))
    expect(service.pools.standing(created)).toBeUndefined()
    expect((await quote(service, 'LINK', 'BROOK')).status).toBe(200)
    expect(service.pools.standing(created)).toBeDefined()
  })

  it('are dropped with their pools, the least recently used first', async () => {
    const limits = { tokens: 2, pools: 1_000 }
    const service = await start(listTokens(localnet), { pools: createPoolState(createTokenCoverage(limits)) })
    const { LINK, BROOK, DTT } = localnet.tokens
    const before = poolsOf(service)
    await quote(service, 'LINK', 'USDC')
    await quote(service, 'BROOK', 'DAI')
    await quote(service, 'LINK', 'USDT', 7)
    await quote(service, 'DTT', 'WETH')
    const { coverage } = service.pools
    expect(coverage.unlisted()).toEqual([LINK, DTT])
    const tokens = Object.values(poolsOf(service)).flatMap(({ listing }) => listing.tokens)
    expect(tokens).not.toContain(BROOK)
    expect(Object.keys(poolsOf(service)).length).toBeGreaterThan(Object.keys(before).length)
    // Comes back with the same pools.
    expect((await quote(service, 'BROOK', 'DAI', 7)).status).toBe(200)
    expect(coverage.unlisted()).toEqual([DTT, BROOK])
    expect(poolsOf(service)).toEqual(await readAnew(listTokens(localnet), ['DTT', 'WETH'], ['BROOK', 'DAI']))
  })
})

describe('tokens without pools', () => {
  it('are UNKNOWN_TOKEN without code, and lack liquidity otherwise, after one request in a block', async () => {
    const counter = await startTripCounter(localnet.rpcUrl)
    const service = await start(listTokens(localnet), {}, counter.url)
    counter.take()
    const { v2Router } = localnet.contracts
    const nowhere = `0x${'c0de'.padStart(40, '0')}` as const
    const { USDC } = localnet.tokens
    const ask = (src: Address, dst: Address) => service.ask('quote', { src, dst, amount: '1000000' })
    for (let i = 0; i < 2; i++) {
      expect(await ask(nowhere, USDC)).toMatchObject({ status: 400, body: { code: 'UNKNOWN_TOKEN' } })
      expect(await ask(nativeTokenAddress, nowhere)).toMatchObject({ body: { code: 'UNKNOWN_TOKEN' } })
      expect(await ask(v2Router, USDC)).toMatchObject({
        status: 400,
        body: { code: 'INSUFFICIENT_LIQUIDITY' },
      })
      expect(await ask(nowhere, nowhere)).toMatchObject({ body: { code: 'UNKNOWN_TOKEN' } })
      expect(await ask(v2Router, v2Router)).toMatchObject({ body: { code: 'VALIDATION_FAILED' } })
    }
    expect(counter.take()).toEqual({ requests: 2, trips: 2 })
    expect(service.pools.coverage.unlisted()).toEqual([])
    await localnet.client.mine({ blocks: 1 })
    await service.engine.refresh()
    counter.take()
    expect(await ask(nowhere, USDC)).toMatchObject({ body: { code: 'UNKNOWN_TOKEN' } })
    expect(counter.take().requests).toBe(1)
    await counter.stop()
  })

  const failures: [string, () => ReturnType<Fault>][] = [
    ['refuses', () => limited],
    ['fails', () => 502],
    ['does not answer in time', () => new Promise((resolve) => setTimeout(resolve, 3_000, 502))],
  ]
  it.each(failures)(
    'are NOT_READY while the RPC %s, and found by the next request',
    async (_what, answer) => {
      const service = await start(listTokens(localnet), { patienceMs: 2_000 })
      for (const isFailing of [isFinder, isLens]) {
        const token = isFailing === isFinder ? 'LINK' : 'BROOK'
        fault = (question) => (isFailing(question) ? answer() : undefined)
        const { status, body, headers } = await quote(service, token, 'USDC')
        expect([status, body.code]).toEqual([503, 'NOT_READY'])
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        fault = () => undefined
        // A request that joins the failing one may have to ask again.
        await expect
          .poll(async () => (await quote(service, token, 'USDC')).status, { timeout: 60_000 })
          .toBe(200)
      }
    },
  )
})

/** Every pool of the chain, by address. */
async function readAll() {
  return poolsOf(await start(localnet.config))
}
