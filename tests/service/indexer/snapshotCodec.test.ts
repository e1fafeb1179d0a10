import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { createChain } from '../../../service/indexer/chain.ts'
import { createPoolState } from '../../../service/indexer/poolState.ts'
import { readUpdate } from '../../../service/indexer/readUpdate.ts'
import {
  configHash,
  decodeSnapshot,
  encodeSnapshot,
  snapshotVersion,
} from '../../../service/indexer/snapshotCodec.ts'
import type { TokenUpdate, Update } from '../../../service/indexer/update.ts'
import type { PoolSnapshot } from '../../../service/pools/poolType.ts'
import { poolTypes } from '../../../service/pools/registry.ts'

let localnet: Localnet
let update: Update
let mark: string
beforeAll(async () => {
  localnet = await createLocalnet()
  const chain = createChain(localnet.rpcUrl, localnet.config.multicall)
  update = (await readUpdate(localnet.config, chain, createPoolState()))!
  mark = configHash(localnet.config)
})
afterAll(() => localnet.stop())

describe('snapshot codec', () => {
  it('restores an update unchanged', async () => {
    expect(update.pools.length).toBeGreaterThan(10)
    expect(await decodeSnapshot(await encodeSnapshot(update, mark), mark)).toEqual(update)
    const change = { ...update, after: update.block.parentHash, pools: update.pools.slice(0, 1) }
    expect(await decodeSnapshot(await encodeSnapshot(change, mark), mark)).toEqual(change)
  })

  it('restores the tokens of a state and of its changes', async () => {
    const [one, other, third] = Object.values(localnet.tokens)
    const states: TokenUpdate[] = [
      { listed: [one!, other!], stale: [], found: [third!] },
      {
        found: [one!],
        dropped: [other!],
        pairs: [[one!, third!]],
        absent: [{ token: other!, hasCode: false }],
      },
    ]
    for (const tokens of states) {
      const named = { ...update, tokens }
      expect(await decodeSnapshot(await encodeSnapshot(named, mark), mark)).toEqual(named)
    }
    for (const tokens of [
      { listed: ['0x12'] },
      { pairs: [[one]] },
      { absent: [{ token: one }] },
      { found: one },
    ]) {
      const bytes = await encodeSnapshot({ ...update, tokens: tokens as never }, mark)
      await expect(decodeSnapshot(bytes, mark)).rejects.toThrow('begins with no block')
    }
  })

  it('restores a large update completely', async () => {
    const pools = Array.from({ length: 5_001 }, (_, i) => {
      const { listing, state } = update.pools[i % update.pools.length]!
      return { listing: { ...listing, address: `0x${String(i).padStart(40, '0')}` as const }, state }
    })
    expect(await decodeSnapshot(await encodeSnapshot({ ...update, pools }, mark), mark)).toEqual({
      ...update,
      pools,
    })
  })

  it.each([
    ['nothing', async () => Buffer.alloc(0), 'not what pools are kept as'],
    ['rubbish', async () => Buffer.from('{"pools": []}\n'), 'not what pools are kept as'],
    ['another config’s', () => encodeSnapshot(update, '1:0123456789abcdef'), 'another config'],
    ['one that was cut off', async () => (await encodeSnapshot(update, mark)).subarray(0, -9), 'damaged'],
    ['one that has no block', () => encodeSnapshot({ pools: [] } as never, mark), 'begins with no block'],
    [
      'one with something that is no pool',
      () => encodeSnapshot({ ...update, pools: [withoutTokens(update.pools[0]!)] }, mark),
      'no pool',
    ],
  ])('rejects a snapshot that is %s', async (_name, make, fault) => {
    await expect(make().then((bytes) => decodeSnapshot(bytes, mark))).rejects.toThrow(fault)
  })
})

describe('stored format', () => {
  it('changes configHash with the chain and the factories, and with no other part of the config', () => {
    const { config } = localnet
    const [first, ...rest] = config.factories
    expect(configHash({ ...config, tokens: [], connectors: [], router: config.wrapped })).toBe(mark)
    expect(configHash({ ...config, factories: [...rest, first!] })).toBe(mark)
    const others = [
      { ...config, chainId: 1 },
      { ...config, factories: rest },
      { ...config, factories: [{ ...first!, feePpm: 2_500 }, ...rest] },
      { ...config, factories: [{ ...first!, source: 'OTHER' }, ...rest] },
    ]
    expect(new Set([mark, ...others.map(configHash)]).size).toBe(others.length + 1)
  })

  it('changes configHash with the base tokens, but not with the list, where not all pools are followed', () => {
    const config = { ...localnet.config, pools: 'listed' as const }
    const { connectors, wrapped, tokens } = config
    const hash = configHash(config)
    expect(configHash({ ...config, tokens: tokens.slice(2), connectors: connectors.toReversed() })).toBe(hash)
    const others = [
      { ...config, connectors: connectors.filter((token) => token === wrapped) },
      { ...config, wrapped: config.router },
      localnet.config,
    ]
    expect(new Set([hash, ...others.map(configHash)]).size).toBe(others.length + 1)
  })

  /**
   * Of the stored shapes, by version. Add a line to change one: branches that meet may each have raised the
   * same version, and a `-u` would keep it.
   */
  const digests: Record<number, string> = { 5: 'b7a36987' }

  it('requires a new snapshotVersion when the stored schema of a pool changes', () => {
    const shapes = Object.keys(poolTypes).map((kind) => {
      const pools = update.pools.filter(({ listing }) => listing.kind === kind)
      expect(pools.length, `pools of ${kind} on the localnet`).toBeGreaterThan(0)
      return [kind, shapeOf(pools.map(({ listing: { fixed }, state }) => ({ fixed, state })))]
    })
    const digest = createHash('sha256').update(JSON.stringify(shapes)).digest('hex').slice(0, 8)
    expect({ [snapshotVersion]: digest }).toEqual({ [snapshotVersion]: digests[snapshotVersion] })
    expect(Math.max(...Object.keys(digests).map(Number))).toBe(snapshotVersion)
  })
})

function withoutTokens({ listing, state }: PoolSnapshot): PoolSnapshot {
  return { listing: { ...listing, tokens: [] }, state }
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((member) => JSON.stringify(shapeOf(member))))].sort()
  if (typeof value !== 'object' || value === null) return typeof value
  const entries = Object.entries(value).map(([name, member]) => [name, shapeOf(member)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
