import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deployer, send } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import { createFollowedBlocks } from '../../../service/indexer/heads/followedBlocks.ts'
import { createPoolState, type PoolState } from '../../../service/indexer/poolState.ts'
import { readUpdate } from '../../../service/indexer/readUpdate.ts'
import { poolTypes } from '../../../service/pools/registry.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { type NodeProxy, type Question, startProxy } from '../../helpers/node/rpcProxy.ts'
import { withoutRestless } from '../../helpers/service/listedService.ts'
import { readPools, statesOf } from '../../helpers/service/poolStates.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const tokenAbi = parseAbi(['function approve(address, uint256)', 'function transfer(address, uint256)'])
const factoryAbi = parseAbi(['function createPair(address, address)'])
const pairAbi = parseAbi(['function mint(address)'])
const routerAbi = parseAbi([
  'function swapExactTokensForTokens(uint256, uint256, address[], address, uint256)',
  'function getAmountsOut(uint256, address[]) view returns (uint256[])',
])
const positionsAbi = parseAbi([
  'struct MintParams { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(MintParams params)',
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function decreaseLiquidity(Decrease params)',
  'function positions(uint256) view returns (uint96, address, address, address, uint24, int24, int24, uint128, uint256, uint256, uint128, uint128)',
  'function totalSupply() view returns (uint256)',
  'function tokenByIndex(uint256) view returns (uint256)',
])

let localnet: Localnet
let chain: Chain

beforeAll(async () => {
  localnet = await createLocalnet()
  chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  const { USDC, DAI, WETH } = localnet.tokens
  for (const token of [USDC, DAI, WETH]) {
    const args = [localnet.contracts.v2Router, maxUint256] as const
    await send(localnet.client, {
      to: token,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'approve', args }),
    })
  }
})
const proxies: NodeProxy[] = []
afterAll(async () => {
  for (const proxy of proxies) await proxy.stop()
  await localnet.stop()
})
keepChain(() => localnet)

const readAll = (config = localnet.config) => readPools(config, chain)

async function follow(ledger: PoolState, from: Chain = chain, config = localnet.config) {
  const update = await readUpdate(config, from, ledger)
  if (update) ledger.apply(update)
  return update
}

describe('readUpdate', () => {
  it('finds every pool of the localnet at the newest block', async () => {
    const ledger = await readAll()
    expect(Object.keys(statesOf(ledger)).sort()).toEqual(localnet.pools.map(({ address }) => address).sort())
    expect(ledger.block()!.number).toBe(await localnet.client.getBlockNumber())
  })

  it('returns undefined while there is no new block', async () => {
    expect(await follow(await readAll())).toBeUndefined()
  })

  it('reaches the state of a full read after swaps, position changes and new pools', async () => {
    const ledger = await readAll()
    for (const change of [swapV2, addPosition, removePosition, openPair, swapV2]) {
      const before = statesOf(ledger)
      await change()
      await follow(ledger)
      expect(statesOf(ledger), change.name).toEqual(statesOf(await readAll()))
      expect(statesOf(ledger), change.name).not.toEqual(before)
    }
    await swapV2()
    await addPosition()
    await follow(ledger)
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
  })

  it('reads only changed pools and pools whose state moves over time', async () => {
    const ledger = await readAll()
    await swapV2()
    const update = await follow(ledger)
    const fresh = update!.pools.filter(
      ({ listing }) => !poolTypes[listing.kind].isRestless(ledger.standing(listing.address)!.state),
    )
    expect(fresh.map(({ listing }) => listing.source)).toEqual(['UNISWAP_V2'])
  })

  it('reads everything again after a reorganisation', async () => {
    const id = await localnet.client.snapshot()
    const ledger = await readAll()
    const before = statesOf(ledger)
    await swapV2()
    await openPair('BROOK')
    await follow(ledger)
    const orphan = ledger.block()!
    await localnet.client.revert({ id })

    await follow(ledger)
    expect(statesOf(ledger)).toEqual(before)

    await openPair('BROOK')
    await follow(ledger)
    await localnet.client.request({ method: 'anvil_reorg', params: [1, []] } as never)
    await addPosition()
    await localnet.client.mine({ blocks: 10 })
    expect((await follow(ledger))?.after).toBeUndefined()
    expect(ledger.block()!.number).toBeGreaterThan(orphan.number)
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
  })

  it('reads after a reorganisation what the replaced and the new blocks have changed, if it followed them', async () => {
    const ledger = createPoolState()
    const followed = createFollowedBlocks()
    const next = async () => {
      const update = await readUpdate(localnet.config, chain, ledger, { followed })
      if (update) ledger.apply(update)
      return update
    }
    await next()
    const id = await localnet.client.snapshot()
    await swapV2()
    await next()
    await addPosition()
    await next()
    const orphan = ledger.block()!
    await localnet.client.revert({ id })
    const back = await localnet.client.snapshot()

    // To the block before, then by blocks of their own.
    const undone = await next()
    expect(undone!.after).toBe(orphan.hash)
    const sources = undone!.pools.map(({ listing }) => listing.source).sort()
    expect(sources).toEqual(['UNISWAP_V2', 'UNISWAP_V3'])
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
    await swapV2()
    await next()
    const replaced = ledger.block()!
    await localnet.client.revert({ id: back })
    const again = await localnet.client.snapshot()
    await addPosition()
    await swapV2()
    expect((await next())!.after).toBe(replaced.hash)
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))

    await openPair('BROOK')
    await next()
    await localnet.client.revert({ id: again })
    expect((await next())!.after).toBeUndefined()
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
  })

  it('leaves the pool state unchanged when the RPC fails during an update', async () => {
    const ledger = await readAll()
    const before = statesOf(ledger)
    await swapV2()
    const failing = { ...chain, read: () => Promise.reject(new Error('The node is gone.')) }
    await expect(follow(ledger, failing)).rejects.toThrow('The node is gone.')
    expect(statesOf(ledger)).toEqual(before)
    await follow(ledger)
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
  })

  it('rejects an RPC of another chain', async () => {
    const elsewhere = { ...localnet.config, chainId: 1 }
    await expect(readUpdate(elsewhere, chain, createPoolState())).rejects.toThrow('The RPC is of chain 31337')
  })

  it('rejects a block that is replaced during the read, from an RPC that knows no block by hash', async () => {
    const replaced: Chain = {
      ...(await startChain(byNumberOnly)),
      async header(number) {
        return { ...(await chain.header(number)), hash: `0x${'11'.repeat(32)}` }
      },
    }
    await expect(readUpdate(localnet.config, replaced, createPoolState())).rejects.toThrow('was replaced')
  })

  it('reads the same state from an RPC that knows no block by hash', async () => {
    const old = await startChain(byNumberOnly)
    const ledger = createPoolState()
    await follow(ledger, old)
    for (const change of [swapV2, addPosition, openPair]) {
      await change()
      await follow(ledger, old)
    }
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
  })

  it('asks for the head, its logs and changed positions only, and for nothing but the head of a quiet block', async () => {
    const asked: string[] = []
    const counted = await startChain(({ method }) => {
      asked.push(method)
      return undefined
    })
    const ledger = createPoolState()
    const config = withoutRestless(localnet.config)
    await follow(ledger, counted, config)
    const requests = async (change: () => Promise<unknown>) => {
      // A block whose fees are read for the next thirty.
      await counted.tip(ledger.block()!.number + 1n)
      asked.length = 0
      await change()
      await follow(ledger, counted, config)
      return asked.filter((method) => method !== 'eth_feeHistory')
    }
    expect(await requests(swapV2)).toEqual(['eth_getBlockByNumber', 'eth_getLogs'])
    expect(await requests(addPosition)).toEqual(['eth_getBlockByNumber', 'eth_getLogs', 'eth_call'])
    expect(await requests(() => localnet.client.mine({ blocks: 1 }))).toEqual(['eth_getBlockByNumber'])
    expect(await requests(async () => undefined)).toEqual(['eth_getBlockByNumber'])
    expect(statesOf(ledger)).toEqual(statesOf(await readAll(config)))
  })

  it('uses a pushed head that follows, and reads the newest one instead of another', async () => {
    const ledger = await readAll()
    await swapV2()
    const head = await chain.header()
    const silent: Chain = { ...chain, header: () => Promise.reject(new Error('The head was asked for.')) }
    const update = await readUpdate(localnet.config, silent, ledger, { pushed: head })
    ledger.apply(update!)
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))

    await swapV2()
    await swapV2()
    const late = await readUpdate(localnet.config, chain, ledger, { pushed: head })
    expect(late!.after).toBe(head.hash)
    expect(late!.block.number).toBe(head.number + 2n)
  })

  it('keeps its state when a lagging replica answers an older head', async () => {
    const older = await chain.header()
    await swapV2()
    const ledger = await readAll()
    const lagging: Chain = {
      ...chain,
      header: (number) => (number === undefined ? Promise.resolve(older) : chain.header(number)),
    }
    expect(await readUpdate(localnet.config, lagging, ledger)).toBeUndefined()
  })

  it('rejects logs that end before the head', async () => {
    let isLagging = true
    const lagging = await startChain(({ method, params }) => {
      const [filter] = params as [{ toBlock?: string }]
      return method === 'eth_getLogs' && isLagging && filter.toBlock ? { result: [] } : undefined
    })
    const ledger = await readAll()
    await localnet.client.mine({ blocks: 2 })
    await swapV2()
    await expect(follow(ledger, lagging)).rejects.toThrow('does not have the logs')
    isLagging = false
    await follow(ledger, lagging)
    expect(statesOf(ledger)).toEqual(statesOf(await readAll()))
  })
})

/** Error of geth before EIP-1898. */
function byNumberOnly({ params = [] }: Question) {
  const isByHash = params.some((param) => (param as { blockHash?: string } | null)?.blockHash !== undefined)
  const message = 'invalid argument 1: json: cannot unmarshal object into Go value of type string'
  return isByHash ? { error: { code: -32602, message } } : undefined
}

async function startChain(answer: (question: Question) => object | undefined): Promise<Chain> {
  const proxy = await startProxy(localnet.rpcUrl, answer)
  proxies.push(proxy)
  return createChain(proxy.url, localnet.config.multicall, { tipBlocks: 30n })
}

describe('createPoolState', () => {
  it('rejects an update that does not follow its own block', async () => {
    const ledger = await readAll()
    const whole = ledger.whole()!
    expect(() => ledger.apply({ ...whole, after: `0x${'22'.repeat(32)}` })).toThrow('follows')
    expect(ledger.whole()).toEqual(whole)
  })
})

async function swapV2(): Promise<void> {
  const { USDC, WETH } = localnet.tokens
  const args = [123_456_789n, 0n, [USDC, WETH], deployer, maxUint256] as const
  const data = encodeFunctionData({ abi: routerAbi, functionName: 'swapExactTokensForTokens', args })
  await send(localnet.client, { to: localnet.contracts.v2Router, data })
}

let next = 0

async function addPosition(): Promise<void> {
  const { USDC, WETH } = localnet.tokens
  const [token0, token1] = USDC < WETH ? [USDC, WETH] : [WETH, USDC]
  // Off the price one token suffices.
  const tickLower = (token0 === WETH ? -1 : 1) * 60 * (4_000 + next++)
  const position = {
    ...{ token0, token1, fee: 3_000, tickLower, tickUpper: tickLower + 600 },
    ...{ amount0Desired: 10n ** 12n, amount1Desired: 10n ** 12n, amount0Min: 0n, amount1Min: 0n },
    ...{ recipient: deployer, deadline: maxUint256 },
  }
  const data = encodeFunctionData({ abi: positionsAbi, functionName: 'mint', args: [position] })
  await send(localnet.client, { to: localnet.contracts.positions, data })
}

async function removePosition(): Promise<void> {
  const read = { address: localnet.contracts.positions, abi: positionsAbi } as const
  const count = await localnet.client.readContract({ ...read, functionName: 'totalSupply' })
  const id = await localnet.client.readContract({ ...read, functionName: 'tokenByIndex', args: [count - 1n] })
  const position = await localnet.client.readContract({ ...read, functionName: 'positions', args: [id] })
  const decrease = {
    tokenId: id,
    liquidity: position[7],
    amount0Min: 0n,
    amount1Min: 0n,
    deadline: maxUint256,
  }
  const data = encodeFunctionData({ abi: positionsAbi, functionName: 'decreaseLiquidity', args: [decrease] })
  await send(localnet.client, { to: localnet.contracts.positions, data })
}

async function openPair(symbol: 'LINK' | 'BROOK' = 'LINK'): Promise<void> {
  const pair = [localnet.tokens[symbol], localnet.tokens.USDT] as const
  const factory = localnet.contracts.v2Factory
  const create = encodeFunctionData({ abi: factoryAbi, functionName: 'createPair', args: pair })
  const { logs } = await send(localnet.client, { to: factory, data: create })
  const address = `0x${logs[0]!.data.slice(26, 66)}` as const
  for (const token of pair) {
    const args = [address, 10n ** 9n] as const
    await send(localnet.client, {
      to: token,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args }),
    })
  }
  const mint = encodeFunctionData({ abi: pairAbi, functionName: 'mint', args: [deployer] })
  await send(localnet.client, { to: address, data: mint })
}
