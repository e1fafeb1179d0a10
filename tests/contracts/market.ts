import { type Address, parseEther } from 'viem'
import type { VaultPool } from './balancer.ts'
import { balancer, converter, curve, type Hop, solidly, v2, v3 } from './fuzz/ask.ts'
import type { Stage } from './stage.ts'

export type Way = Pick<Hop, 'kind' | 'pool' | 'fee' | 'aux'>
export type Market = Awaited<ReturnType<typeof openMarket>>

/** `taxed` transfers more or less than told; `liar` misstates balances too. */
export type RogueTokens = { taxed: Address; liar: Address }

export async function openMarket(stage: Stage, { taxed, liar }: RogueTokens) {
  const { WETH, USDC, USDT, DAI, LINK, DTT } = stage.tokens
  const weighted = await stage.openWeighted(
    new Map([
      [WETH, parseEther('100')],
      [USDC, 300_000_000_000n],
      [LINK, parseEther('20000')],
    ]),
  )
  const stable = await stage.openStable(
    new Map([
      [USDC, 100_000_000_000n],
      [USDT, 100_000_000_000n],
      [DAI, parseEther('100000')],
    ]),
  )
  const pairs = {
    wethUsdc: await stage.pair(WETH, USDC),
    taxedWeth: await stage.openPair(taxed, parseEther('1000'), WETH, parseEther('100')),
    taxedDai: await stage.openPair(taxed, parseEther('1000'), DAI, parseEther('1000')),
    liarUsdc: await stage.openPair(liar, parseEther('1000'), USDC, 100_000_000_000n),
  }
  const pools = {
    wethUsdc: await stage.pool(WETH, USDC, 500),
    linkDai: await stage.openNarrowPool(LINK, DAI),
  }
  const ways: [Address, Address, Way][] = [
    [WETH, USDC, byV2(pairs.wethUsdc)],
    [WETH, USDC, byV3(pools.wethUsdc)],
    [WETH, USDC, byVault(weighted)],
    [WETH, LINK, byVault(weighted)],
    [USDC, LINK, byVault(weighted)],
    [USDC, USDT, byVault(stable)],
    [USDC, DAI, byVault(stable)],
    [USDT, DAI, byVault(stable)],
    [WETH, USDT, byV2(await stage.pair(WETH, USDT))],
    [WETH, USDT, byV3(await stage.pool(WETH, USDT, 500))],
    [WETH, DAI, byV2(await stage.pair(WETH, DAI))],
    [WETH, LINK, byV2(await stage.pair(WETH, LINK))],
    [WETH, DTT, byV2(await stage.pair(WETH, DTT))],
    [USDC, USDT, byV3(await stage.pool(USDC, USDT, 100))],
    [USDC, DAI, byV3(await stage.pool(USDC, DAI, 500))],
    [LINK, DAI, byV3(pools.linkDai)],
    [taxed, WETH, byV2(pairs.taxedWeth)],
    [taxed, DAI, byV2(pairs.taxedDai)],
    [liar, USDC, byV2(pairs.liarUsdc)],
    [WETH, USDC, bySolidly(stage.solidlyPool('WETH', 'USDC'))],
    [USDC, LINK, bySolidly(stage.solidlyPool('LINK', 'USDC'))],
    [USDC, USDT, bySolidly(stage.solidlyPool('USDC', 'USDT'))],
    [USDC, DAI, bySolidly(stage.solidlyPool('USDC', 'DAI'))],
  ]
  return { weighted, pairs, pools, ways }
}

export function byV2(pool: Address): Way {
  return { kind: v2, pool, fee: 3_000 }
}

export function byV3(pool: Address): Way {
  return { kind: v3, pool }
}

/** `form` of `exchange` (contracts/README.md), with coins 0 and 1. */
export function byCurve(pool: Address, form: number): Way {
  return { kind: curve, pool, fee: form * 65_536 + 1 }
}

export function byConverter(pool: Address, form: number): Way {
  return { kind: converter, pool, fee: form }
}

export function bySolidly(pool: Address): Way {
  return { kind: solidly, pool }
}

export function byVault(pool: VaultPool): Way {
  return { kind: balancer, ...pool }
}
