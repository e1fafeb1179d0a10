import { type Address, encodeAbiParameters, parseEther as ether, type Hex, parseAbiParameters } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Ask, native, partialFill, solidly, unwrap, v2, v3, wrap } from './fuzz/ask.ts'
import { cues } from './fuzz/puppets.ts'
import { openStage, patience, type Stage } from './stage.ts'

// Attacks on the payments between sender, pools and recipient that pass the router by.

let stage: Stage
let before: Hex
let puppet: Address
let evil: Address

beforeAll(async () => {
  stage = await openStage()
  puppet = await stage.deploy('Puppet')
  evil = await stage.deploy('PuppetToken')
  for (const owner of [stage.seller, stage.bystander, stage.client.account.address]) {
    await stage.write(evil, 'mint', [owner, ether('1000000')], stage.stranger)
    await stage.write(evil, 'approve', [stage.router, 2n ** 255n], owner)
  }
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

describe('payments from the sender', () => {
  it('leave the router without a transfer on a path of pools', async () => {
    const { USDC, WETH, DAI } = stage.tokens
    const hops = [await byV3(USDC, WETH, 0), await byPair(WETH, DAI, 1)]
    const done = await stage.swap({ tokens: [USDC, WETH, DAI], hops, amount: 100_000_000n })
    const transfers = done.logs.filter(({ topics }) => topics[0] === transferTopic && topics.length === 3)
    expect(transfers).toHaveLength(3)
    for (const { topics } of transfers) {
      expect(topics.slice(1).map((topic) => `0x${topic!.slice(26)}`)).not.toContain(stage.router)
    }
  })

  it('pay a v3 pool at most the amount in its callback, once, and nothing of other accounts', async () => {
    const { WETH, USDC } = stage.tokens
    const { router, bystander, seller } = stage
    await stage.write(USDC, 'transfer', [puppet, 10n], seller)
    const steal = (token: Address, from: Address) => ({
      target: token,
      data: stage.encode('transferFrom', [from, puppet, 1n]),
    })
    await stage.teach(puppet, cues.v3Swap, [
      demand(ether('1') + 1n),
      ...[seller, bystander, router].map((from) => steal(WETH, from)),
      demand(ether('0.4')),
      demand(ether('0.6')),
      steal(WETH, seller),
      { target: USDC, data: stage.encode('transfer', [seller, 10n]) },
    ])
    const hops = [{ kind: v3, from: 0, to: 1, pool: puppet }]
    const done = await stage.swap({ tokens: [WETH, USDC], hops, amount: ether('1') })
    expect(done).toMatchObject({ spent: ether('0.4'), paid: ether('0.4'), arrived: 10n })
    expect(await stage.balance(WETH, puppet)).toBe(ether('0.4'))
    const outcomes = await stage.outcomes(puppet)
    expect(outcomes[0]).toEqual(['WrongDemand', ether('1') + 1n, ether('1')])
    expect(outcomes.slice(1, 4).every((refusal) => refusal !== undefined)).toBe(true)
    expect(outcomes[5]).toEqual(['NotArmed', puppet])
    expect(outcomes[6]).toBeDefined()
  })

  it('revert with the swap when the pool keeps them', async () => {
    const { WETH, USDC } = stage.tokens
    for (const kind of [v2, v3, solidly]) {
      await stage.teachAnswer(puppet, cues.getReserves, reserves(1n, 1n))
      await stage.teachAnswer(puppet, cues.getAmountOut, reserves(1n, 1n))
      await stage.teach(puppet, cues.v3Swap, [demand(ether('1'))])
      const ask = { tokens: [WETH, USDC], hops: [{ kind, from: 0, to: 1, pool: puppet }], amount: ether('1') }
      expect(await stage.refusal(ask)).toEqual(['NothingBought', 0n, USDC])
    }
  })

  it('never exceed the amount over all hops, branches and the fee', async () => {
    const { WETH, USDC } = stage.tokens
    await stage.write(WETH, 'approve', [stage.router, ether('1')], stage.seller)
    const [one, other] = [await byPair(WETH, USDC, 0), await byV3(WETH, USDC, 0)]
    const branches = [{ weight: 333_333, hops: [{ ...one, weight: 500_001 }, other] }, { hops: [other] }]
    const ask = { tokens: [WETH, USDC], branches, amount: ether('1'), feePpm: 29_999 }
    for (const flags of [0n, partialFill]) {
      const act = () => stage.swap({ ...ask, flags, referrer: stage.referrer })
      const done = await stage.rehearse(act)
      expect(done).toMatchObject({ spent: ether('1'), paid: ether('1') })
    }
  })
})

describe('payments between pools', () => {
  it('revert when somebody takes them out of the next pool in between', async () => {
    const { WETH, USDC } = stage.tokens
    const owner = stage.client.account.address
    await stage.write(evil, 'approve', [stage.contracts.positions, 2n ** 255n], owner)
    const first = await stage.openNarrowPool(evil, WETH)
    const next = await byPair(WETH, USDC, 1)
    // The v3 pool pays before it is paid: meanwhile the token skims the next pool.
    await stage.teach(evil, cues.transferFrom, [{ target: next.pool, data: skim(stage.stranger) }], true)
    const ask = {
      tokens: [evil, WETH, USDC],
      hops: [{ kind: v3, from: 0, to: 1, pool: first }, next],
      amount: ether('1'),
    }
    expect(await stage.refusal(ask)).toEqual(['NothingToSell', 1n, WETH])
  })

  it('count in the next v2 pool as far as they arrive', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    await stage.write(USDC, 'transfer', [puppet, 1_000n], stage.seller)
    const next = await byPair(USDC, DAI, 1)
    const paid = { target: USDC, data: stage.encode('transfer', [next.pool, 1_000n]) }
    await stage.teach(puppet, cues.v3Swap, [demand(5n), paid])
    const hops = [{ kind: v3, from: 0, to: 1, pool: puppet }, next]
    const quoted = await stage.quoteV2(USDC, DAI, 1_000n)
    const ask = { tokens: [WETH, USDC, DAI], hops, amount: ether('1') }
    expect(await stage.rehearse(() => stage.swap(ask))).toMatchObject({ arrived: quoted, paid: 5n })
    await stage.teach(puppet, cues.v3Swap, [demand(5n)])
    expect(await stage.refusal(ask)).toEqual(['NothingToSell', 1n, USDC])
  })

  it('revert when a pool of the path is the router, a token or an account without code', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const first = await byV3(WETH, USDC, 0)
    for (const pool of [stage.router, USDC, DAI, WETH, stage.referrer, stage.contracts.permit2]) {
      for (const kind of [v2, v3]) {
        const ask = {
          tokens: [WETH, USDC, DAI],
          hops: [first, { kind, from: 1, to: 2, pool }],
          amount: ether('1'),
        }
        await expect(stage.simulate(ask), `${kind} ${pool}`).rejects.toThrow()
        const only = { tokens: [WETH, USDC], hops: [{ kind, from: 0, to: 1, pool }], amount: ether('1') }
        await expect(stage.simulate(only), `${kind} ${pool}`).rejects.toThrow()
      }
    }
  })

  it('revert when a pair sells its own liquidity token through itself', async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pair(WETH, USDC)
    const owner = stage.client.account.address
    const amount = 1_000n
    await stage.write(pool, 'transfer', [stage.seller, amount], owner)
    await stage.write(pool, 'approve', [stage.router, amount], stage.seller)
    for (const bought of [WETH, USDC]) {
      const ask = { tokens: [pool, bought], hops: [{ kind: v2, from: 0, to: 1, pool }], amount }
      await expect(stage.simulate(ask)).rejects.toThrow()
    }
  })
})

describe('payments to the recipient', () => {
  it('do not count when the recipient is a pool of the path or a token', async () => {
    const { USDC, WETH, DAI } = stage.tokens
    const hops = [await byPair(USDC, WETH, 0), await byPair(WETH, DAI, 1)]
    const ask: Ask = { tokens: [USDC, WETH, DAI], hops, amount: 100_000_000n }
    const [first, last] = hops.map(({ pool }) => pool) as [Address, Address]
    expect(await stage.swap({ ...ask, to: first })).toMatchObject({ paid: 100_000_000n })
    expect(await stage.refusal({ ...ask, to: last })).toEqual(['NothingBought', 1n, DAI])
    for (const to of [WETH, DAI]) {
      expect(await stage.refusal({ ...ask, to })).toEqual(['Error', 'UniswapV2: INVALID_TO'])
    }
    expect(await stage.refusal({ ...ask, to: stage.router })).toEqual(['WrongDstReceiver', stage.router])
  })

  it('are what the balance grows by, less what the token takes back', async () => {
    const { WETH } = stage.tokens
    const mint = (to: Address, amount: bigint) => ({ target: evil, data: stage.encode('mint', [to, amount]) })
    const hops = [{ kind: v3, from: 0, to: 1, pool: puppet }]
    const ask = { tokens: [WETH, evil], hops, amount: ether('1'), least: 11n }
    await stage.teach(puppet, cues.v3Swap, [mint(stage.stranger, 1_000n), mint(stage.seller, 10n)])
    expect(await stage.refusal(ask)).toEqual(['ReturnTooLow', 10n, 11n])
    await stage.teach(puppet, cues.v3Swap, [mint(stage.stranger, 1_000n)])
    expect(await stage.refusal({ ...ask, least: 0n })).toEqual(['NothingBought', 0n, evil])
  })

  it('go through the router only as native tokens', async () => {
    const { WETH, USDC } = stage.tokens
    const sold = [await byV3(USDC, WETH, 0), { kind: unwrap, from: 1, to: 2 }]
    const bought = [{ kind: wrap, from: 0, to: 1 }, await byPair(WETH, USDC, 1)]
    await stage.write(WETH, 'transfer', [stage.router, 7n], stage.bystander)
    for (const ask of [
      { tokens: [USDC, WETH, native], hops: sold, amount: 100_000_000n },
      { tokens: [native, WETH, USDC], hops: bought, amount: ether('1') },
    ]) {
      const done = await stage.swap(ask)
      expect(done).toMatchObject({ paid: ask.amount, arrived: done.returned })
    }
    expect(await stage.balance(WETH, stage.router)).toBe(7n)
  })
})

/** Transfer(address,address,uint256) */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const reserves = (one: bigint, other: bigint) =>
  encodeAbiParameters(parseAbiParameters('uint112, uint112, uint32'), [one, other, 0])

function demand(amount: bigint) {
  return { target: stage.router, data: stage.encode('uniswapV3SwapCallback', [amount, 0n, '0x']) }
}

function skim(to: Address): Hex {
  return `0xbc25cf77${to.slice(2).padStart(64, '0')}`
}

async function byPair(a: Address, b: Address, from: number) {
  return { kind: v2, from, to: from + 1, pool: await stage.pair(a, b), fee: 3_000 }
}

async function byV3(a: Address, b: Address, from: number) {
  return { kind: v3, from, to: from + 1, pool: await stage.pool(a, b, 500) }
}
