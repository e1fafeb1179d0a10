import { expect, it } from 'vitest'
import type { Address, ChainConfig } from '../../../service/config.ts'
import { createRestlessTurns } from '../../../service/indexer/restlessTurns.ts'
import type { PoolSnapshot } from '../../../service/pools/poolType.ts'

const toAddress = (i: number) => `0x${i.toString(16).padStart(40, '0')}` as Address
const [listed, unlisted] = [toAddress(1), toAddress(2)]
const config = {
  ...{ pools: 'listed', wrapped: listed, connectors: [], tokens: [] },
} as unknown as ChainConfig

function pools(count: number, token: Address, from: number): PoolSnapshot[] {
  return Array.from({ length: count }, (_, i) => {
    const address = toAddress(from + ((i * 7_919) % count))
    return {
      listing: { kind: 'algebra', source: '', address, tokens: [listed, token], fixed: {} },
      state: {},
    }
  })
}

const addresses = (some: readonly PoolSnapshot[]) => some.map(({ listing }) => listing.address)

it('reads all restless pools while they are few', () => {
  const some = [...pools(400, listed, 1_000), ...pools(32, unlisted, 5_000)]
  const take = createRestlessTurns(config)
  for (let block = 0; block < 3; block++) expect(take(some)).toEqual(some)
})

it('reads many by turns, at most 32 of unlisted tokens, which take no turns of the listed', () => {
  const common = pools(50, listed, 1_000)
  const others = pools(100, unlisted, 5_000)
  const take = createRestlessTurns(config)
  const seen = new Set<Address>()
  for (let block = 0; block < 4; block++) {
    const taken = addresses(take([...others, ...common]))
    expect(taken).toHaveLength(82)
    expect(new Set(taken).size).toBe(82)
    expect(taken).toEqual(expect.arrayContaining(addresses(common)))
    for (const address of taken) seen.add(address)
  }
  expect(seen.size).toBe(150)
})

it('chooses the same from the same pools, and goes on when the last one read is gone', () => {
  const others = pools(100, unlisted, 5_000)
  const [one, other] = [createRestlessTurns(config), createRestlessTurns(config)]
  expect(one(others)).toEqual(other([...others].reverse()))
  const fewer = others.filter(({ listing }) => listing.address !== toAddress(5_031))
  expect(addresses(one(fewer))[0]).toBe(toAddress(5_032))
})
