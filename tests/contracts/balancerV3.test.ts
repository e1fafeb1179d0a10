import {
  type Address,
  encodeFunctionData,
  parseEther as ether,
  type Hex,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findToken, type TokenSymbol, unitsForUsd } from '../../dev/pools/tokens.ts'
import { vaultV3PoolAddress, vaultV3Pools } from '../../dev/pools/vaultV3Pools.ts'
import { createVaultV3Stage, type VaultV3Stage } from '../helpers/node/vaultV3Stage.ts'
import { type Hop, native, unwrap, v2, v3, vaultV3, wrap } from './fuzz/ask.ts'
import { cues } from './fuzz/puppets.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let vault: VaultV3Stage
let before: Hex
beforeAll(async () => {
  stage = await openStage()
  vault = await createVaultV3Stage(stage)
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

const unlockAbi = parseAbi(['function unlockCallback(bytes) returns (bytes)'])

const addressOf = (plan: (typeof vaultV3Pools)[number]) => vaultV3PoolAddress(plan, 31337)

/** Of the first pool with both tokens. */
function poolOf(...symbols: TokenSymbol[]): Address {
  return addressOf(vaultV3Pools.find(({ tokens }) => symbols.every((symbol) => tokens.includes(symbol)))!)
}

function hop(pool: Address, from = 0, more: Partial<Hop> = {}): Hop {
  return { kind: vaultV3, from, to: from + 1, pool, ...more }
}

async function quote(pool: Address, sell: Address, buy: Address, amount: bigint): Promise<bigint> {
  const [bought] = await vault.quote([{ pool, sell, buy, amount }], await stage.client.getBlockNumber())
  return bought!
}

const wethToLink = () => {
  const { WETH, LINK } = stage.tokens
  return { tokens: [WETH, LINK], hops: [hop(poolOf('WETH', 'LINK'))], amount: ether('1') }
}

describe("swap through Balancer's v3 vault", () => {
  it('pays what the vault pays, for each pool, direction and size, and not a unit more', async () => {
    let paid = 0
    for (const plan of vaultV3Pools) {
      const pool = addressOf(plan)
      for (const sold of plan.tokens) {
        for (const bought of plan.tokens) {
          if (sold === bought) continue
          const [sell, buy] = [stage.tokens[sold], stage.tokens[bought]]
          for (const usd of [1, 137, 9_000]) {
            const amount = unitsForUsd(findToken(sold), usd) + 1n
            const quoted = await quote(pool, sell, buy, amount)
            const ask = { tokens: [sell, buy], hops: [hop(pool)], amount }
            expect(await stage.simulate({ ...ask, least: quoted })).toEqual({
              returned: quoted,
              spent: amount,
            })
            const more = quoted + 1n
            expect(await stage.refusal({ ...ask, least: more })).toEqual(['ReturnTooLow', quoted, more])
            paid++
          }
        }
      }
    }
    expect(paid).toBe(3 * (2 + 6 + 2 + 6))
  })

  it('changes only the balances of sender, recipient and vault', async () => {
    const recipient = stage.accounts[6]!.address
    for (const to of [stage.seller, recipient]) {
      const { tokens, hops, amount } = wethToLink()
      const quoted = await quote(hops[0]!.pool!, tokens[0]!, tokens[1]!, amount)
      const done = await stage.swap({ tokens, hops, amount, to, least: quoted })
      expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: amount, paid: amount })
    }
  })

  it('sells what the router holds: after wrapping, after other pools, from pool to pool and in shares', async () => {
    const { WETH, USDC, DAI, LINK } = stage.tokens
    const linked = poolOf('LINK', 'WETH', 'USDC')
    const stable = poolOf('USDC', 'DAI')
    const v3Pool = await stage.pool(WETH, USDC, 500)
    for (const [tokens, hops, amount] of [
      [[native, WETH, LINK], [{ kind: wrap, from: 0, to: 1 }, hop(linked, 1)], ether('1')],
      [[LINK, WETH, native], [hop(linked), { kind: unwrap, from: 1, to: 2 }], ether('20')],
      [[WETH, USDC, DAI], [{ kind: v3, from: 0, to: 1, pool: v3Pool }, hop(stable, 1)], ether('1')],
      [
        [LINK, USDC, WETH],
        [hop(linked), { kind: v2, from: 1, to: 2, pool: await stage.pair(WETH, USDC), fee: 3_000 }],
        ether('20'),
      ],
      [[LINK, USDC, DAI], [hop(linked), hop(stable, 1)], ether('20')],
      [
        [WETH, USDC],
        [hop(linked, 0, { weight: 250_000 }), { kind: v3, from: 0, to: 1, pool: v3Pool }],
        ether('1'),
      ],
    ] as const) {
      const ask = { tokens, hops, amount }
      const { returned } = await stage.simulate(ask)
      expect(returned).toBeGreaterThan(0n)
      const done = await stage.swap({ ...ask, least: returned })
      expect(done).toMatchObject({ returned, arrived: returned, spent: amount, paid: amount })
    }
  })

  it('rejects pools that the vault does not know or has paused, tokens of other pools and native ones', async () => {
    const { WETH, USDC, DAI, LINK } = stage.tokens
    const ask = wethToLink()
    const pool = poolOf('WETH', 'LINK')
    const pair = await stage.pair(WETH, LINK)
    expect(await stage.refusal({ ...ask, hops: [hop(pair)] })).toEqual(['PoolNotInitialized', pair])
    const foreign = await stage.refusal({ ...ask, tokens: [DAI, LINK] })
    expect(foreign).toEqual(['TokenNotRegistered', DAI])
    for (const tokens of [
      [native, USDC],
      [USDC, native],
    ]) {
      expect(await stage.refusal({ ...ask, tokens, amount: 10n ** 9n })).toEqual([
        'WrongTokens',
        0n,
        ...tokens,
      ])
    }
    await vault.setPoolPaused({ address: pool }, true)
    expect(await stage.refusal(ask)).toEqual(['PoolPaused', pool])
  })

  it('rejects amounts beyond an int128, and the kind where the router has no such vault', async () => {
    const ask = wethToLink()
    expect(await stage.refusal({ ...ask, amount: 2n ** 127n })).toEqual(['AmountTooLarge', 2n ** 127n])
    const { permit2, vault: vaultV2, poolManager } = stage.contracts
    const args = [stage.tokens.WETH, permit2, vaultV2, poolManager, zeroAddress]
    const router = await stage.deploy('SwapRouter', args)
    expect(await stage.refusal({ ...ask, router })).toEqual(['UnknownKind', 0n, 8n])
  })

  it('answers no callback outside a hop, not even of the vault', async () => {
    const { tokens, hops, amount } = wethToLink()
    const data = encodeFunctionData({ abi: unlockAbi, args: [callbackOf(tokens, hops[0]!, amount)] })
    const callers = [stage.stranger, stage.contracts.vaultV3, stage.contracts.poolManager, hops[0]!.pool!]
    for (const from of callers) {
      expect(await stage.refusalOf({ from, to: stage.router, data })).toEqual(['NotArmed', from])
    }
  })

  it('answers no token that calls while it is paid to the vault', async () => {
    const staged = await vault.open({
      tokens: [
        { decimals: 18, amount: 1_000 },
        { decimals: 18, amount: 1_000 },
      ],
      fee: 10n ** 15n,
      weights: [50, 50],
    })
    const [sell, buy] = staged.tokens as [Address, Address]
    await script(sell)
    const ask = { tokens: [sell, buy], hops: [hop(staged.address)], amount: ether('1') }
    const quoted = await quote(staged.address, sell, buy, ask.amount)
    const args = [callbackOf(ask.tokens, ask.hops[0]!, ask.amount)] as const
    const data = encodeFunctionData({ abi: unlockAbi, args })
    await stage.teach(sell, cues.transferFrom, [{ target: stage.router, data }])
    expect(await stage.swap({ ...ask, least: quoted })).toMatchObject({ arrived: quoted, paid: ask.amount })
    expect(await stage.outcomes(sell)).toEqual([['NotArmed', sell]])
  })
})

/** As the router's own, of a swap that the seller pays to the stranger. */
function callbackOf(tokens: readonly Address[], sold: Hop, amount: bigint): Hex {
  const word = (value: bigint | Address) => BigInt(value).toString(16).padStart(64, '0')
  const hopWord = (BigInt(sold.pool!) << 96n) | (BigInt(vaultV3) << 40n) | (1n << 24n)
  return `0x${[hopWord, tokens[0]!, tokens[1]!, amount, 0n, stage.stranger].map(word).join('')}`
}

/** Replaces the code of a `Token`, whose balances and allowances are in the same slots. */
async function script(token: Address): Promise<void> {
  const { client, router, seller } = stage
  const bytecode = await client.getCode({ address: await stage.deploy('PuppetToken') })
  await client.setCode({ address: token, bytecode: bytecode! })
  // Outcomes are where the supply was.
  await client.setStorageAt({ address: token, index: 2, value: zeroHash })
  await stage.write(token, 'mint', [seller, ether('10')], stage.stranger)
  await stage.write(token, 'approve', [router, ether('10')], seller)
}
