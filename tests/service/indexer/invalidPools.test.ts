import { encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address, ChainConfig } from '../../../service/config.ts'
import { type Chain, createChain, type Log } from '../../../service/indexer/chain.ts'
import { createFollowedBlocks } from '../../../service/indexer/heads/followedBlocks.ts'
import { createTokenDiscovery } from '../../../service/indexer/onDemand/discoverTokens.ts'
import { createPoolDiscovery } from '../../../service/indexer/poolDiscovery.ts'
import { createPoolState, type PoolState } from '../../../service/indexer/poolState.ts'
import { readUpdate, type UpdateOptions } from '../../../service/indexer/readUpdate.ts'
import { configHash, encodeSnapshot, readSnapshot } from '../../../service/indexer/snapshotCodec.ts'
import type { Update } from '../../../service/indexer/update.ts'
import type { Log as Logger } from '../../../service/log.ts'
import { keepChain } from '../../helpers/node/revertChain.ts'
import { listTokens, withoutRestless } from '../../helpers/service/listedService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const pairAbi = parseAbi(['function sync()'])

let localnet: Localnet
let chain: Chain
let config: ChainConfig
/** A v2 pair whose reserves the fake chain tells wrongly. */
let odd: Address

beforeAll(async () => {
  localnet = await createLocalnet()
  config = withoutRestless(localnet.config)
  const honest = createChain(localnet.rpcUrl, localnet.config.multicall)
  const spoil = (log: Log): Log => {
    if (log.eventName !== 'Sync' || log.address.toLowerCase() !== odd) return log
    return { ...log, args: { reserve0: -1n, reserve1: 1n } } as unknown as Log
  }
  chain = {
    ...honest,
    logsSince: async (...asked) => (await honest.logsSince(...asked)).map(spoil),
    async readPools(pools, block) {
      const read = await honest.readPools(pools, block)
      return read.map((pool, i) => (pools[i]?.address === odd ? { reserve0: -1n, reserve1: 1n } : pool))
    },
  }
})
afterAll(() => localnet.stop())
keepChain(() => localnet)
beforeEach(() => {
  odd = zeroAddress
})

/** Emits Sync with the reserves. */
const sync = (to: Address) =>
  localnet.client.execute({
    ...{ account: deployer, to },
    data: encodeFunctionData({ abi: pairAbi, functionName: 'sync' }),
  })

function fakeLog() {
  const warned: object[] = []
  return { log: { warn: (facts: object) => void warned.push(facts) } as unknown as Logger, warned }
}

async function follow(ledger: PoolState, options?: UpdateOptions, on = config): Promise<Update> {
  const update = (await readUpdate(on, chain, ledger, options))!
  await ledger.adopt(update)
  return update
}

const addresses = (ledger: PoolState) => ledger.whole()!.pools.map(({ listing }) => listing.address)

/** As a follower, or a later start, takes an update. */
async function send(update: Update, to: PoolState): Promise<void> {
  const mark = configHash(config)
  await to.adopt(await readSnapshot(await encodeSnapshot(update, mark), mark))
}

describe('a pool whose state is invalid', () => {
  it('is left out of a complete read, which a later start accepts', async () => {
    const whole = createPoolState()
    await follow(whole)
    const pairs = whole.whole()!.pools.filter(({ listing }) => listing.kind === 'constant-product')
    odd = pairs[0]!.listing.address
    const [ledger, restarted] = [createPoolState(), createPoolState()]
    const { log, warned } = fakeLog()
    await follow(ledger, { log })
    expect(warned).toEqual([{ pool: odd, kind: 'constant-product' }])
    expect(addresses(ledger).sort()).toEqual(
      addresses(whole)
        .filter((address) => address !== odd)
        .sort(),
    )
    await send(ledger.whole()!, restarted)
    expect(addresses(restarted)).toEqual(addresses(ledger))
  })

  it('is removed where it was known, on followers too', async () => {
    const [ledger, follower] = [createPoolState(), createPoolState()]
    await send(await follow(ledger), follower)
    const pairs = ledger.whole()!.pools.filter(({ listing }) => listing.kind === 'constant-product')
    const [one, other] = pairs.map(({ listing }) => listing.address) as [Address, Address]
    odd = one
    await sync(one)
    await sync(other)
    const { log, warned } = fakeLog()
    const update = await follow(ledger, { log })
    expect(update).toMatchObject({ gone: [one], pools: [{ listing: { address: other } }] })
    expect(warned).toHaveLength(1)
    await send(update, follower)
    for (const state of [ledger, follower]) {
      expect(state.standing(one)).toBeUndefined()
      expect(state.standing(other)).toBeDefined()
    }
    expect(addresses(follower)).toEqual(addresses(ledger))
    // Later logs of it are of no known pool.
    await sync(one)
    expect((await follow(ledger, { log })).pools).toEqual([])
    expect(warned).toHaveLength(1)
  })

  it('is no longer a pool of its unlisted token, nor joins the state by a lookup', async () => {
    const listed = withoutRestless(listTokens(localnet))
    const { LINK } = localnet.tokens
    const state = createPoolState()
    const followed = createFollowedBlocks()
    const { log, warned } = fakeLog()
    const discovery = createTokenDiscovery(
      ...([listed, chain, state, createPoolDiscovery(listed, chain), followed, log] as const),
    )
    const options = { followed, log, onLogs: discovery.recordLogs }
    await follow(state, options, listed)
    const found = await discovery.discover([[LINK]])
    const pairs = found.pools.filter(({ listing }) => listing.kind === 'constant-product')
    const [one, other] = pairs.map(({ listing }) => listing.address) as [Address, Address]
    odd = one
    await sync(one)
    await follow(state, options, listed)
    await state.adopt((await discovery.settle(found))!)
    expect(state.standing(one)).toBeUndefined()
    expect(state.coverage.poolsOf(LINK)).toContain(other)

    odd = other
    await sync(other)
    const update = await follow(state, options, listed)
    expect(update.gone).toEqual([other])
    expect(state.coverage.poolsOf(LINK)).not.toContain(other)
    expect([...state.coverage.unlistedPools()]).not.toContain(other)
    expect(warned).toHaveLength(2)
  })
})
