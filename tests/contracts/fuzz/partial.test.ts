import { type Address, parseEther as ether, type Hex, maxUint256, parseEventLogs } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { through, type VaultPool } from '../balancer.ts'
import { openStage, patience, type Stage } from '../stage.ts'
import { type Ask, type Branch, partialFill as flags, type Hop, native, unwrap, v2, v3, wrap } from './ask.ts'
import { decodeRefusal } from './calls.ts'
import { cues } from './puppets.ts'

let stage: Stage
let before: Hex
let paused: Address
let byV2: Hop
let byV3: Hop
let byPaused: Hop
let balanced: VaultPool

beforeAll(async () => {
  stage = await openStage()
  const { WETH, USDC } = stage.tokens
  paused = await stage.deploy('Puppet')
  byV2 = { kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, USDC), fee: 3_000 }
  byV3 = { kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDC, 500) }
  byPaused = { kind: v3, from: 0, to: 1, pool: paused }
  balanced = await stage.openWeighted(
    new Map([
      [WETH, ether('1000')],
      [USDC, 3_000_000_000_000n],
    ]),
  )
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

describe('branches', () => {
  it('splits the input by weight and gives the last branch the rest, with and without partial fill', async () => {
    const { WETH, USDC } = stage.tokens
    const amount = ether('4') + 7n
    const shares = [(amount * 333_333n) / 1_000_000n, (amount * 166_667n) / 1_000_000n] as const
    const rest = amount - shares[0] - shares[1]
    const quoted =
      (await stage.quoteV2(WETH, USDC, shares[0])) +
      (await stage.queryVault(balanced, WETH, USDC, shares[1])) +
      (await stage.quoteV3(WETH, USDC, 500, rest))
    const branches = [
      { weight: 333_333, hops: [byV2] },
      { weight: 166_667, hops: [through(balanced)] },
      { hops: [byV3] },
    ]
    const ask = { tokens: [WETH, USDC], branches, amount, least: quoted }
    const expected = { returned: quoted, arrived: quoted, spent: amount, paid: amount }
    expect(await stage.rehearse(() => stage.swap(ask))).toMatchObject(expected)
    expect(await stage.rehearse(() => stage.swap({ ...ask, flags }))).toMatchObject(expected)
  })

  it('splits a branch among its own hops and shares tokens with other branches', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const amount = ether('3') + 1n
    const first = (amount * 400_000n) / 1_000_000n
    const half = first / 2n
    const usdc =
      (await stage.quoteV2(WETH, USDC, half)) + (await stage.queryVault(balanced, WETH, USDC, first - half))
    const direct = await stage.quoteV2(WETH, DAI, amount - first)
    const quoted = direct + (await stage.quoteV3(USDC, DAI, 500, usdc))
    const branches = [
      {
        weight: 400_000,
        hops: [
          { ...byV2, weight: 500_000 },
          through(balanced),
          { kind: v3, from: 1, to: 2, pool: await stage.pool(USDC, DAI, 500) },
        ],
      },
      { hops: [{ kind: v2, from: 0, to: 2, pool: await stage.pair(WETH, DAI), fee: 3_000 }] },
    ]
    const ask = { tokens: [WETH, USDC, DAI], branches, amount, least: quoted }
    const expected = { returned: quoted, arrived: quoted, spent: amount, paid: amount }
    expect(await stage.rehearse(() => stage.swap(ask))).toMatchObject(expected)
    expect(await stage.rehearse(() => stage.swap({ ...ask, flags }))).toMatchObject(expected)
  })

  it('splits the received amount of a fee-on-transfer token and pays its tax on every transfer', async () => {
    const { DTT, WETH, DAI } = stage.tokens
    const pair = await stage.pair(DTT, WETH)
    const other = await stage.openPair(DTT, ether('10000'), DAI, ether('20000'))
    const amount = ether('100')
    const first = (amount * 400_000n) / 1_000_000n
    const weth = await stage.quoteV2(DTT, WETH, afterTax(first))
    const quoted =
      (await stage.quoteV2(WETH, DAI, weth)) + (await stage.quoteV2(DTT, DAI, afterTax(amount - first)))
    const branches = [
      {
        weight: 400_000,
        hops: [
          { kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 },
          { kind: v2, from: 1, to: 2, pool: await stage.pair(WETH, DAI), fee: 3_000 },
        ],
      },
      { hops: [{ kind: v2, from: 0, to: 2, pool: other, fee: 3_000 }] },
    ]
    const ask = { tokens: [DTT, WETH, DAI], branches, amount, least: quoted }
    const expected = { returned: quoted, arrived: quoted, spent: amount, paid: amount }
    expect(await stage.rehearse(() => stage.swap(ask))).toMatchObject(expected)
    expect(await stage.rehearse(() => stage.swap({ ...ask, flags }))).toMatchObject(expected)
    // Unsold tokens never left the sender.
    const failing = [branches[0]!, { hops: [{ ...byPaused, to: 2 }] }]
    const part = await stage.swap({ ...ask, branches: failing, flags, least: 0n })
    expect(part).toMatchObject({ spent: first, paid: first })
  })

  it('passes input that a pool did not take to the last branch', async () => {
    const { LINK, DAI } = stage.tokens
    const narrow = await stage.openNarrowPool(LINK, DAI)
    const pair = await stage.openPair(LINK, ether('10000'), DAI, ether('150000'))
    const branches = [
      { weight: 900_000, hops: [{ kind: v3, from: 0, to: 1, pool: narrow }] },
      { hops: [{ kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 }] },
    ]
    const ask = { tokens: [LINK, DAI], branches, amount: ether('500') }
    for (const each of [ask, { ...ask, flags }]) {
      const done = await stage.rehearse(() => stage.swap(each))
      expect(done).toMatchObject({ spent: ether('500'), paid: ether('500'), arrived: done.returned })
    }
  })

  it('reverts the whole swap when a branch fails without partial fill', async () => {
    const branches = [{ weight: 300_000, hops: [byPaused] }, { hops: [byV2] }]
    const ask = { ...wethForUsdc(branches), least: 0n }
    expect(await stage.refusal(ask)).toEqual(['NothingBought', 0n, stage.tokens.USDC])
  })
})

describe('partial fills', () => {
  it.each([0, 1, 2])(
    'sells the other shares at the same price when branch %i of three fails',
    async (failing) => {
      const { WETH, USDC } = stage.tokens
      const amount = ether('2') + 7n
      const first = (amount * 300_000n) / 1_000_000n
      const second = (amount * 500_000n) / 1_000_000n
      const shares = [first, second, amount - first - second]
      const hops = [byV2, byV3, through(balanced)]
      const quotes = [
        await stage.quoteV2(WETH, USDC, shares[0]!),
        await stage.quoteV3(WETH, USDC, 500, shares[1]!),
        await stage.queryVault(balanced, WETH, USDC, shares[2]!),
      ]
      const quoted = sum(quotes.filter((_, index) => index !== failing))
      const spent = amount - shares[failing]!
      const branches = hops.map((hop, index) => ({
        weight: [300_000, 500_000, 0][index]!,
        hops: [index === failing ? byPaused : hop],
      }))
      // Largest with returned · amount ≥ least · spent.
      const least = (quoted * amount) / spent
      const ask = { tokens: [WETH, USDC], branches, amount, flags }
      const refusal = await stage.refusal({ ...ask, least: least + 1n })
      expect(refusal).toEqual(['FillTooLow', quoted, spent, amount, least + 1n])
      const done = await stage.swap({ ...ask, least })
      expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent, paid: spent })
      expect(failures(done)).toEqual([BigInt(failing)])
    },
  )

  it('sells the part that a drained pool still takes', async () => {
    const { LINK, DAI } = stage.tokens
    const pool = await stage.openNarrowPool(LINK, DAI)
    const hops = [{ kind: v3, from: 0, to: 1, pool }]
    const ask = { tokens: [LINK, DAI], hops, amount: ether('500'), flags }
    const { returned, spent } = await stage.simulate(ask)
    const least = (returned * ask.amount) / spent
    expect(await stage.refusal({ ...ask, least: least + 1n })).toEqual([
      ...['FillTooLow', returned, spent, ask.amount, least + 1n],
    ])
    expect((await stage.refusal({ ...ask, least, flags: 0n }))[0]).toBe('ReturnTooLow')
    expect(await stage.swap({ ...ask, least })).toMatchObject({ arrived: returned, paid: spent })
    const pair = await stage.openPair(LINK, ether('10000'), DAI, ether('150000'))
    const other = [{ kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 }]
    const branches = [{ weight: 250_000, hops }, { hops: other }]
    const done = await stage.swap({ tokens: [LINK, DAI], branches, amount: 1_000n, flags })
    expect(done).toMatchObject({ paid: 750n, spent: 750n })
    expect(failures(done)).toEqual([0n])
  })

  it('reverts when every branch fails', async () => {
    const branches = [{ weight: 300_000, hops: [byPaused] }, { hops: [byPaused] }]
    const ask = { ...wethForUsdc(branches), least: 0n, flags }
    expect(await stage.refusal(ask)).toEqual(['FillTooLow', 0n, 0n, ether('1'), 0n])
  })

  it("reverts with the branch's own reason when it is the only one", async () => {
    const ask = { ...wethForUsdc([{ hops: [byPaused] }]), flags }
    expect(await stage.refusal(ask)).toEqual(['NothingBought', 0n, stage.tokens.USDC])
  })

  it('rolls back all hops of a failed branch', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const branches = [
      { weight: 500_000, hops: [byV2, { ...byPaused, from: 1, to: 2 }] },
      { hops: [{ kind: v2, from: 0, to: 2, pool: await stage.pair(WETH, DAI), fee: 3_000 }] },
    ]
    const quoted = await stage.quoteV2(WETH, DAI, ether('0.5'))
    const untouched = await stage.quoteV2(WETH, USDC, ether('1'))
    const done = await stage.swap({ tokens: [WETH, USDC, DAI], branches, amount: ether('1'), flags })
    expect(done).toMatchObject({ returned: quoted, spent: ether('0.5'), paid: ether('0.5') })
    expect(await stage.quoteV2(WETH, USDC, ether('1'))).toBe(untouched)
  })

  it('rolls back a branch that leaves an intermediate token unsold', async () => {
    const { WETH, LINK, DAI } = stage.tokens
    const narrow = await stage.openNarrowPool(LINK, DAI)
    const branches = [
      {
        weight: 500_000,
        hops: [
          { kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, LINK), fee: 3_000 },
          { kind: v3, from: 1, to: 2, pool: narrow },
        ],
      },
      { hops: [{ kind: v2, from: 0, to: 2, pool: await stage.pair(WETH, DAI), fee: 3_000 }] },
    ]
    const done = await stage.swap({ tokens: [WETH, LINK, DAI], branches, amount: ether('6') / 2n, flags })
    expect(done).toMatchObject({ spent: ether('1.5'), paid: ether('1.5') })
  })

  it('sells native tokens and refunds the share of a failed branch', async () => {
    const { WETH, USDC } = stage.tokens
    const quoted = await stage.quoteV2(WETH, USDC, ether('0.75'))
    const branches = [byPaused, byV2].map((hop, index) => ({
      weight: index === 0 ? 250_000 : 0,
      hops: [
        { kind: wrap, from: 0, to: 1 },
        { ...hop, from: 1, to: 2 },
      ],
    }))
    const done = await stage.swap({ tokens: [native, WETH, USDC], branches, amount: ether('1'), flags })
    expect(done).toMatchObject({ returned: quoted, spent: ether('0.75'), paid: ether('0.75') })
  })

  it('buys native tokens when one branch fails', async () => {
    const { WETH, USDC } = stage.tokens
    const amount = 4_000_000_000n
    const quoted = await stage.quoteV3(USDC, WETH, 500, amount / 2n)
    const branches = [byV3, byPaused].map((hop, index) => ({
      weight: index === 0 ? 500_000 : 0,
      hops: [hop, { kind: unwrap, from: 1, to: 2 }],
    }))
    const done = await stage.swap({ tokens: [USDC, WETH, native], branches, amount, flags })
    expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: amount / 2n, paid: amount / 2n })
  })

  it('charges the referrer fee only on the amount spent', async () => {
    const { WETH, USDC } = stage.tokens
    const { referrer } = stage
    const amount = ether('1') + 33n
    const reserved = (amount * 12_345n) / 1_000_000n
    const share = ((amount - reserved) * 600_000n) / 1_000_000n
    const sold = amount - reserved - share
    const fee = (sold * 12_345n) / (1_000_000n - 12_345n)
    const quoted = await stage.quoteV2(WETH, USDC, sold)
    const branches = [{ weight: 600_000, hops: [byPaused] }, { hops: [byV2] }]
    const ask = { tokens: [WETH, USDC], branches, amount, flags, feePpm: 12_345, referrer }
    const done = await stage.swap(ask)
    expect(done).toMatchObject({ returned: quoted, spent: sold + fee, paid: sold + fee })
    expect(await stage.balance(WETH, referrer)).toBe(fee)
    expect(fee * 1_000_000n).toBeLessThanOrEqual((sold + fee) * 12_345n)
  })

  it('charges the referrer fee in native tokens only on the amount spent', async () => {
    const { WETH } = stage.tokens
    const { referrer } = stage
    const branches = [
      { weight: 500_000, hops: [{ ...byPaused, kind: v2 }] },
      { hops: [{ kind: wrap, from: 0, to: 1 }] },
    ]
    const ask = { tokens: [native, WETH], branches, amount: ether('1'), flags, feePpm: 30_000, referrer }
    const done = await stage.swap(ask)
    expect(done).toMatchObject({ returned: ether('0.485'), spent: ether('0.5'), paid: ether('0.5') })
    expect(await stage.balance(native, referrer)).toBe(ether('0.015'))
  })

  it('compares prices when the products exceed 256 bits', async () => {
    const evil = await stage.deploy('PuppetToken')
    const amount = 2n ** 254n
    await stage.write(evil, 'mint', [stage.seller, amount], stage.stranger)
    await stage.write(evil, 'approve', [stage.router, amount], stage.seller)
    const bought = await stage.deploy('PuppetToken')
    const pool = await stage.deploy('Puppet')
    const hops = [{ kind: v3, from: 0, to: 1, pool }]
    const ask: Ask = { tokens: [evil, bought], hops, amount, least: maxUint256 - 1n, flags }
    // Half is taken, so half of minReturn is due.
    for (const [paid, suffices] of [
      [2n ** 255n - 1n, true],
      [2n ** 255n - 2n, false],
    ] as const) {
      await stage.teach(pool, cues.v3Swap, [
        {
          target: stage.router,
          data: stage.encode('uniswapV3SwapCallback', [amount / 2n, 0n, '0x']),
        },
        { target: bought, data: stage.encode('mint', [stage.seller, paid]) },
      ])
      if (suffices) expect(await stage.simulate(ask)).toEqual({ returned: paid, spent: amount / 2n })
      else {
        const refusal = await stage.refusal(ask)
        expect(refusal).toEqual(['FillTooLow', paid, amount / 2n, amount, maxUint256 - 1n])
      }
    }
  })

  it('reverts instead of skipping a branch that may have run out of gas', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const pair = await stage.pair(WETH, DAI)
    const branches = [
      { weight: 300_000, hops: [byV2, { kind: v3, from: 1, to: 2, pool: await stage.pool(USDC, DAI, 500) }] },
      {
        weight: 300_000,
        hops: [
          through(balanced),
          { kind: v2, from: 1, to: 2, pool: await stage.pair(USDC, DAI), fee: 3_000 },
        ],
      },
      { hops: [{ kind: v2, from: 0, to: 2, pool: pair, fee: 3_000 }] },
    ]
    const ask = { tokens: [WETH, USDC, DAI], branches, amount: ether('0.01'), flags }
    const outcomes = await outcomesWithin(ask, { from: 60_000n, to: 900_000n, times: 150n })
    expect(outcomes).toEqual(expect.arrayContaining(['whole', 'TooLittleGas']))
    expect(outcomes).not.toContain('part')
  })

  it('reverts instead of skipping a branch that needs more gas than the rest of the swap', async () => {
    const { WETH, USDC } = stage.tokens
    await stage.client.setCode({ address: burner, bytecode: burningThreeMillion })
    await stage.write(USDC, 'transfer', [paused, 10n], stage.seller)
    const taken = stage.encode('uniswapV3SwapCallback', [ether('0.3'), 0n, '0x'])
    const moves = [
      { target: burner },
      { target: stage.router, data: taken },
      { target: USDC, data: stage.encode('transfer', [stage.seller, 10n]) },
    ]
    await stage.teach(paused, cues.v3Swap, moves, true)
    const branches = [{ weight: 300_000, hops: [byPaused] }, { hops: [byV2] }]
    const ask = { tokens: [WETH, USDC], branches, amount: ether('1'), flags }
    const outcomes = await outcomesWithin(ask, { from: 3_000_000n, to: 4_500_000n, times: 100n })
    expect(outcomes).toEqual(expect.arrayContaining(['whole', 'TooLittleGas']))
    expect(outcomes).not.toContain('part')
  })

  it('reverts with TooLittleGas when a pool burns all its gas', async () => {
    await stage.client.setCode({ address: paused, bytecode: '0xfe' })
    const branches = [
      { weight: 300_000, hops: [byV2] },
      { weight: 300_000, hops: [byPaused] },
      { hops: [byV3] },
    ]
    expect(await stage.refusal({ ...wethForUsdc(branches), flags })).toEqual(['TooLittleGas', 1n])
  })
})

const burner: Address = '0x0000000000000000000000000000000000b14e41'
/**
 * Counts down from 120,000 at 26 gas each: PUSH3, JUMPDEST, PUSH1 1, SWAP1, SUB, DUP1, PUSH1 4, JUMPI, STOP.
 */
const burningThreeMillion = '0x6201d4c05b60019003806004570000'

async function outcomesWithin(
  ask: Ask,
  { from, to, times }: { from: bigint; to: bigint; times: bigint },
): Promise<string[]> {
  const { from: account, ...call } = stage.toCall(ask)
  const limits = Array.from(
    { length: Number(times) },
    (_, index) => from + ((to - from) * BigInt(index)) / times,
  )
  return Promise.all(
    limits.map(async (gas) => {
      const [block] = await stage.client.simulateBlocks({ blocks: [{ calls: [{ account, ...call, gas }] }] })
      const { status, data } = block!.calls[0]!
      if (status === 'failure') return data === '0x' ? 'out of gas' : decodeRefusal(data)[0]
      return stage.decodeSwap(data).spent === ask.amount ? 'whole' : 'part'
    }),
  )
}

function wethForUsdc(branches: Branch[]): Ask {
  const { WETH, USDC } = stage.tokens
  return { tokens: [WETH, USDC], branches, amount: ether('1') }
}

function failures({ logs }: Awaited<ReturnType<Stage['swap']>>): bigint[] {
  const events = parseEventLogs({ abi: readArtifact('SwapRouter').abi, logs, eventName: 'BranchFailed' })
  return events.map(({ args }) => (args as unknown as { branch: bigint }).branch)
}

/** DTT burns 1%. */
function afterTax(amount: bigint): bigint {
  return amount - amount / 100n
}

function sum(amounts: bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}
