import { type Address, encodeFunctionData, parseEther as ether, type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  askOf,
  buyGem,
  conversions,
  daiOf,
  deposit,
  gemsFor,
  hop,
  redeem,
  sellGem,
  unwrapShares,
  view,
  wrapShares,
} from './converters.ts'
import { native, v2, v3, wrap } from './fuzz/ask.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let before: Hex
beforeAll(async () => {
  stage = await openStage()
  const { savingsVault, pooledShares, wrappedShares } = stage.contracts
  const owner = stage.client.account.address
  for (const token of [savingsVault, pooledShares, wrappedShares]) {
    await stage.write(token, 'transfer', [stage.seller, ether('100')], owner)
    await stage.write(token, 'approve', [stage.router, 2n ** 255n], stage.seller)
  }
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

const changes = parseAbi([
  'function setLimits(uint256 deposited, uint256 redeemed)',
  'function setFees(uint256 tin, uint256 tout)',
  'function stop(bool stopped)',
])

/** Anyone may. */
async function change(to: Address, functionName: string, args: readonly unknown[]): Promise<void> {
  const data = encodeFunctionData({ abi: changes, functionName, args } as never)
  expect((await stage.send({ from: stage.stranger, to, data })).status).toBe('success')
}

/** Base units of DAI per unit of USDC. */
const perGem = 10n ** 12n

describe('swap through converters', () => {
  it('pays what the contract’s own functions say, for each form and size, and not a unit more', async () => {
    for (const trade of conversions(stage)) {
      const { unit } = trade
      for (const amount of [unit / 50n + 1n, unit, 7n * unit + unit / 3n, 99n * unit - 1n]) {
        const ask = { ...askOf(trade), amount }
        const [said, text] = [await trade.told(amount), `form ${trade.form}, ${amount}`]
        const { returned, spent } = await stage.simulate(ask)
        expect(spent, text).toBe(amount)
        // Pooled shares move in whole shares: each transfer may leave a unit.
        const off = said - returned
        expect(off >= 0n && off <= (trade.isRounded ? 2n : 0n), `${text}: ${off}`).toBe(true)
        const more = returned + 1n
        expect(await stage.refusal({ ...ask, least: more }), text).toEqual(['ReturnTooLow', returned, more])
      }
    }
  })

  it('changes only the balances of sender, recipient and converter, and leaves no allowance', async () => {
    const recipient = stage.accounts[6]!.address
    for (const trade of conversions(stage).filter((one) => !one.isRounded && one.form !== buyGem)) {
      for (const to of [stage.seller, recipient]) {
        const ask = askOf(trade)
        const said = await trade.told(ask.amount)
        const done = await stage.swap({ ...ask, to, least: said })
        expect(done).toMatchObject({ returned: said, arrived: said, spent: ask.amount, paid: ask.amount })
      }
    }
  })

  it('keeps at most two units of pooled shares, and the recipient gets what is returned', async () => {
    const { pooledShares: pooled, wrappedShares: wrapped } = stage.contracts
    const recipient = stage.accounts[6]!.address
    for (const [form, tokens] of [
      [wrapShares, [pooled, wrapped]],
      [unwrapShares, [wrapped, pooled]],
    ] as const) {
      const ask = { ...askOf({ form, pool: wrapped, tokens }), to: recipient }
      const { returned } = await stage.simulate(ask)
      const held = await stage.balance(tokens[1], recipient)
      const { status } = await stage.send(stage.toCall({ ...ask, least: returned }))
      expect(status).toBe('success')
      expect((await stage.balance(tokens[1], recipient)) - held).toBe(returned)
      expect(await stage.balance(pooled, stage.router)).toBeLessThanOrEqual(2n)
      expect(await stage.balance(wrapped, stage.router)).toBe(0n)
      expect(await stage.read<bigint>(pooled, 'allowance', [stage.router, wrapped])).toBe(0n)
    }
  })

  it('returns what the peg module cannot sell to the sender, and counts it as spent', async () => {
    const { USDC, DAI } = stage.tokens
    const { pegModule } = stage.contracts
    for (const amount of [ether('10'), ether('321.123456789012345678'), daiOf(1_000_000n) + perGem - 1n]) {
      const gems = gemsFor(amount)
      const ask = { tokens: [DAI, USDC], hops: [hop(pegModule, buyGem)], amount }
      const done = await stage.swap({ ...ask, to: stage.accounts[6]!.address, least: gems })
      expect(amount - daiOf(gems)).toBeGreaterThan(8n)
      expect(done).toMatchObject({ returned: gems, arrived: gems, spent: amount, paid: daiOf(gems) })
    }
    // As a connector, which the sender does not sell.
    const { WETH } = stage.tokens
    const pair = { kind: v2, pool: await stage.pair(WETH, DAI), fee: 3_000, from: 0, to: 1 }
    const bought = await stage.quoteV2(WETH, DAI, ether('0.1'))
    const held = await stage.balance(DAI, stage.seller)
    const hops = [pair, hop(pegModule, buyGem, 1)]
    const done = await stage.swap({ tokens: [WETH, DAI, USDC], hops, amount: ether('0.1') })
    expect(done).toMatchObject({ arrived: gemsFor(bought), paid: ether('0.1'), spent: ether('0.1') })
    expect((await stage.balance(DAI, stage.seller)) - held).toBe(bought - daiOf(gemsFor(bought)))
  })

  it('sells what the router holds, before and after other pools, and in shares', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const { savingsVault: vault, pegModule } = stage.contracts
    const pair = { kind: v2, pool: await stage.pair(WETH, DAI), fee: 3_000 }
    for (const [tokens, hops, amount] of [
      [
        [native, WETH, DAI, vault],
        [{ kind: wrap, from: 0, to: 1 }, { ...pair, from: 1, to: 2 }, hop(vault, deposit, 2)],
        ether('0.1'),
      ],
      [[vault, DAI, WETH], [hop(vault, redeem), { ...pair, from: 1, to: 2 }], ether('10')],
      [[USDC, DAI, vault], [hop(pegModule, sellGem), hop(vault, deposit, 1)], 10n ** 8n],
      [
        [USDC, DAI],
        [
          hop(pegModule, sellGem, 0, { weight: 300_000 }),
          { kind: v3, from: 0, to: 1, pool: await stage.pool(USDC, DAI, 500) },
        ],
        10n ** 8n,
      ],
    ] as const) {
      const ask = { tokens, hops, amount }
      const { returned } = await stage.simulate(ask)
      expect(returned).toBeGreaterThan(0n)
      const done = await stage.swap({ ...ask, least: returned })
      expect(done).toMatchObject({ returned, arrived: returned, spent: amount, paid: amount })
    }
  })

  it('burns shares of the hop only, and not those that the router holds', async () => {
    const { savingsVault: vault, wrappedShares: wrapped } = stage.contracts
    const { USDC, DAI } = stage.tokens
    await stage.write(vault, 'transfer', [stage.router, ether('3')], stage.seller)
    await stage.write(wrapped, 'transfer', [stage.router, ether('3')], stage.seller)
    const amount = ether('10')
    const least = await view(stage, vault, 'previewRedeem', amount)
    const done = await stage.swap({ tokens: [vault, DAI], hops: [hop(vault, redeem)], amount, least })
    expect(done).toMatchObject({ arrived: least, paid: amount })
    for (const [pool, form] of [
      [vault, redeem],
      [wrapped, unwrapShares],
    ] as const) {
      const ask = { tokens: [USDC, DAI], hops: [hop(pool, form)], amount: ether('1') / perGem }
      expect(await stage.refusal(ask)).toEqual(['WrongTokens', 0n, USDC, DAI])
    }
  })

  it('rejects native tokens, unknown forms, contracts of other tokens and forms, and accounts without code', async () => {
    const { USDC, DAI } = stage.tokens
    const { savingsVault: vault, pegModule, wrappedShares: wrapped } = stage.contracts
    for (const tokens of [
      [native, DAI],
      [DAI, native],
    ]) {
      const refusal = await stage.refusal({ tokens, hops: [hop(vault, deposit)], amount: ether('1') })
      expect(refusal).toEqual(['WrongTokens', 0n, ...tokens])
    }
    for (const form of [6, 255, 2 ** 47]) {
      const ask = { tokens: [DAI, vault], hops: [hop(vault, form)], amount: ether('1') }
      expect(await stage.refusal(ask)).toEqual(['UnknownKind', 0n, 9n])
    }
    for (const [tokens, pool, form] of [
      [[USDC, vault], vault, deposit],
      [[DAI, USDC], pegModule, sellGem],
      [[DAI, vault], vault, sellGem],
      [[USDC, DAI], pegModule, deposit],
      [[DAI, wrapped], wrapped, wrapShares],
      [[DAI, vault], stage.stranger, deposit],
    ] as const) {
      const ask = { tokens, hops: [hop(pool, form)], amount: 10n ** 7n }
      expect((await stage.refusal(ask)).slice(0, 2), `form ${form}`).toEqual(['PoolFailed', pool])
    }
  })

  it('rejects an output that is not the bought token', async () => {
    const { USDC, DAI } = stage.tokens
    const { savingsVault: vault, pooledShares: pooled, wrappedShares: wrapped } = stage.contracts
    for (const [tokens, pool, form] of [
      [[DAI, USDC], vault, deposit],
      [[vault, USDC], vault, redeem],
      [[pooled, USDC], wrapped, wrapShares],
      [[wrapped, USDC], wrapped, unwrapShares],
    ] as const) {
      const ask = { tokens, hops: [hop(pool, form)], amount: ether('1') }
      expect(await stage.refusal(ask), `form ${form}`).toEqual(['NothingBought', 0n, USDC])
    }
  })

  it('reverts with the contract’s reason at a limit, in a halt and while it is stopped', async () => {
    const { USDC, DAI } = stage.tokens
    const { savingsVault: vault, pegModule, pooledShares: pooled, wrappedShares: wrapped } = stage.contracts
    await change(vault, 'setLimits', [ether('5'), ether('5')])
    await change(pegModule, 'setFees', [maxUint256, 0n])
    await change(pooled, 'stop', [true])
    for (const [tokens, pool, form] of [
      [[DAI, vault], vault, deposit],
      [[vault, DAI], vault, redeem],
      [[USDC, DAI], pegModule, sellGem],
      [[wrapped, pooled], wrapped, unwrapShares],
    ] as const) {
      const ask = askOf({ form, pool, tokens })
      expect((await stage.refusal(ask)).slice(0, 2), `form ${form}`).toEqual(['PoolFailed', pool])
    }
  })
})
