import { afterAll, beforeAll, expect } from 'vitest'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address, ChainConfig, PoolKind } from '../../../service/config.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import type { PoolState } from '../../../service/indexer/poolState.ts'
import type { PoolSnapshot } from '../../../service/pools/poolType.ts'
import { type NodeProxy, type Question, startProxy } from '../node/rpcProxy.ts'
import { withoutRestless } from './listedService.ts'
import { followUpdate, readPools } from './poolStates.ts'

type Options = {
  /** By default the localnet's, without the pools that are read in every block. */
  config?(): ChainConfig
  /** Of the proxy before the chain. */
  answer?(question: Question): object | undefined
}

/**
 * Follows a localnet that the calling file starts, and looks at its pools of one kind. Must be called after
 * the file's own hooks.
 */
export function followPools<State, Fixed = unknown>(
  localnet: () => Localnet,
  kind: PoolKind,
  { config = () => withoutRestless(localnet().config), answer = () => undefined }: Options = {},
) {
  let proxy: NodeProxy
  let chain: Chain
  beforeAll(async () => {
    proxy = await startProxy(localnet().rpcUrl, answer)
    chain = createChain(proxy.url, localnet().config.multicall)
  })
  afterAll(() => proxy.stop())

  const pools = (ledger: PoolState) =>
    ledger
      .whole()!
      .pools.filter(({ listing }) => listing.kind === kind)
      .sort((a, b) => (a.listing.address < b.listing.address ? -1 : 1)) as PoolSnapshot<Fixed, State>[]

  const readAll = (of = config(), from = chain) => readPools(of, from)

  return {
    chain: () => chain,
    rpcUrl: () => proxy.url,
    ethCalls: () => proxy.methods.filter((method) => method === 'eth_call').length,
    readAll,
    follow: (ledger: PoolState, of = config()) => followUpdate(ledger, of, chain),
    /** Sorted by address. */
    pools,
    stateOf: (ledger: PoolState, address: Address) => ledger.standing(address)!.state as State,

    /** Compares with a complete read. */
    async expectFollowed(ledger: PoolState): Promise<void> {
      expect(pools(ledger)).toEqual(pools(await readAll()))
    },

    followWithoutKind: (change: () => Promise<unknown>) => followWithoutKinds(localnet(), [kind], change),
  }
}

/** Follows a change without factories of the kinds. Returns the pools, and each request for logs as JSON. */
export async function followWithoutKinds(
  { config, rpcUrl }: Localnet,
  kinds: readonly PoolKind[],
  change: () => Promise<unknown>,
): Promise<{ ledger: PoolState; asked: string[] }> {
  const others = { ...config, factories: config.factories.filter(({ kind }) => !kinds.includes(kind)) }
  const asked: string[] = []
  const spy = await startProxy(rpcUrl, ({ method, params }) => {
    if (method === 'eth_getLogs') asked.push(JSON.stringify(params))
    return undefined
  })
  const chain = createChain(spy.url, config.multicall)
  const ledger = await readPools(others, chain)
  await change()
  await followUpdate(ledger, others, chain)
  await spy.stop()
  return { ledger, asked }
}
