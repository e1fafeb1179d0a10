import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../../dev/localnet.ts'
import type { Address } from '../../../../service/config.ts'
import { poolLensCode } from '../../../../service/indexer/lens/poolLensCode.ts'
import { type Fault, startFaultyNode } from '../../../helpers/node/faultyNode.ts'
import { keepChain } from '../../../helpers/node/revertChain.ts'
import { createVaultV3Stage, type VaultV3Stage } from '../../../helpers/node/vaultV3Stage.ts'
import { type ListedService, listTokens, startListed } from '../../../helpers/service/listedService.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: VaultV3Stage
let fault: Fault = () => undefined
let node: Awaited<ReturnType<typeof startFaultyNode>>
let service: ListedService

beforeAll(async () => {
  localnet = await createLocalnet()
  stage = await createVaultV3Stage(localnet)
  node = await startFaultyNode(localnet.rpcUrl, (question) => fault(question))
})
afterEach(async () => {
  fault = () => undefined
  await service.stop()
})
afterAll(async () => {
  await node.stop()
  await localnet.stop()
})
keepChain(() => localnet)

/** Its vault reverts where the pool is asked for and does not exist. */
async function openPool(): Promise<Address> {
  const tokens = [localnet.tokens.LINK, localnet.tokens.WETH].map((token) => {
    return { token, decimals: 18, amount: 0 }
  })
  return (await stage.open({ tokens, weights: [50, 50], fee: 10n ** 15n })).address
}

const findLink = () => service.engine.ensure([localnet.tokens.LINK])

async function replaceBlocks(id: `0x${string}`): Promise<void> {
  await localnet.client.revert({ id })
  await localnet.client.mine({ blocks: 4 })
  await service.engine.refresh()
}

describe('a pool of an unlisted token whose creation a reorganization takes back', () => {
  it('is forgotten if it was created while the token was looked up', async () => {
    service = await startListed(listTokens(localnet), node.url)
    const id = await localnet.client.snapshot()
    let pool: Address | undefined
    fault = async ({ method, params: [call] }) => {
      const { data = '' } = (call ?? {}) as { data?: string }
      if (pool !== undefined || method !== 'eth_call' || !data.startsWith(poolLensCode)) return undefined
      pool = await openPool()
      await service.engine.refresh()
      return undefined
    }
    await findLink()
    expect(service.pools.standing(pool!)).toBeDefined()

    await replaceBlocks(id)
    expect(service.pools.block()!.number).toBe(await localnet.client.getBlockNumber())
    expect(service.pools.standing(pool!)).toBeUndefined()
    expect(service.pools.coverage.unlisted()).toEqual([localnet.tokens.LINK])
  })

  it('is forgotten, and the other pools of the token are kept, if it was followed by its event', async () => {
    service = await startListed(listTokens(localnet), node.url)
    await findLink()
    const others = [...service.pools.coverage.poolsOf(localnet.tokens.LINK)]
    expect(others.length).toBeGreaterThan(2)
    const id = await localnet.client.snapshot()
    const pool = await openPool()
    await service.engine.refresh()
    expect(service.pools.standing(pool)).toBeDefined()

    await replaceBlocks(id)
    expect(service.pools.standing(pool)).toBeUndefined()
    expect([...service.pools.coverage.poolsOf(localnet.tokens.LINK)].sort()).toEqual(others.sort())
    expect(others.filter((address) => service.pools.standing(address) === undefined)).toEqual([])
  })
})
