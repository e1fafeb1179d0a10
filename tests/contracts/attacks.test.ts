import fc from 'fast-check'
import { type Address, encodeAbiParameters, parseEther as ether, type Hex, parseAbiParameters } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Ask, native, unwrap, v2, v3, wrap } from './ask.ts'
import { cues, type Move } from './puppets.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let before: Hex
/** A puppet that poses as pool, referrer or receiver, and one that is a token. */
let puppet: Address
let evil: Address

beforeAll(async () => {
  stage = await openStage()
  puppet = await stage.deploy('Puppet')
  evil = await stage.deploy('PuppetToken')
  await stage.teachAnswer(puppet, cues.v3Swap, nothingMoved)
  await stage.teachAnswer(puppet, cues.getReserves, reserves(1n, 1n))
  for (const owner of [stage.seller, stage.bystander, stage.client.account.address]) {
    await stage.write(evil, 'mint', [owner, ether('1000000')], stage.stranger)
    await stage.write(evil, 'approve', [stage.router, 2n ** 255n], owner)
  }
  // Something to steal.
  const { WETH, USDC } = stage.tokens
  await stage.write(WETH, 'transfer', [stage.router, ether('0.9')], stage.bystander)
  await stage.write(USDC, 'transfer', [stage.router, 77_000_000n], stage.bystander)
  await stage.client.setBalance({ address: stage.router, value: ether('2') })
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

describe('a pool of malice', () => {
  it('that takes and pays nothing makes the swap revert', async () => {
    await stage.teach(puppet, cues.v3Swap, [demand(ether('1'))])
    expect(await stage.refusal(throughPuppet())).toEqual(['NothingBought', 0n, stage.tokens.USDC])
  })

  it('that pays takes what the hop sells, and no more', async () => {
    await payingPuppet([demand(ether('1'))])
    const done = await stage.swap(throughPuppet())
    expect(done).toMatchObject({ paid: ether('1'), arrived: 10n })
    expect(await stage.outcomes(puppet)).toEqual([undefined, undefined])
  })

  it('that asks for one more than the hop sells gets nothing', async () => {
    await payingPuppet([demand(ether('1') + 1n)])
    const done = await stage.swap(throughPuppet())
    expect(done).toMatchObject({ paid: 0n, spent: 0n })
    expect(await stage.outcomes(puppet)).toEqual([['WrongDemand', ether('1') + 1n, ether('1')], undefined])
  })

  it('that asks for nothing, or for less, gets nothing', async () => {
    const least = -(2n ** 255n)
    await payingPuppet([demand(0n), demand(least, least)])
    expect(await stage.swap(throughPuppet())).toMatchObject({ paid: 0n })
    expect(await stage.outcomes(puppet)).toEqual([
      ['WrongDemand', 0n, ether('1')],
      ['WrongDemand', least, ether('1')],
      undefined,
    ])
  })

  it('that asks for both tokens gets only the one that is sold', async () => {
    await payingPuppet([demand(1_000n, 1_000n)])
    expect(await stage.swap(throughPuppet())).toMatchObject({ paid: 1_000n })
  })

  it('that asks twice is heard once', async () => {
    await payingPuppet([demand(600n), demand(400n)])
    expect(await stage.swap(throughPuppet())).toMatchObject({ paid: 600n, spent: 600n })
    expect(await stage.outcomes(puppet)).toEqual([undefined, ['NotArmed', puppet], undefined])
  })

  it('that asks when its hop is over is not heard', async () => {
    const { USDC } = stage.tokens
    const later = await stage.deploy('Puppet')
    await stage.teachAnswer(later, cues.getReserves, reserves(1n, 1n))
    await stage.write(USDC, 'transfer', [later, 10n], stage.seller)
    // The first never asks in its own hop; the second, a v2 pool, makes it ask during the next.
    await payingPuppet([])
    await stage.teach(puppet, cues.coin, [demand(1n)])
    await stage.teach(later, cues.v2Swap, [{ target: puppet }, payment()])
    const [hop] = throughPuppet().hops
    const hops = [
      { ...hop!, weight: 500_000 },
      { ...hop!, kind: v2, pool: later },
    ]
    expect(await stage.swap({ ...throughPuppet(), hops })).toMatchObject({ paid: ether('1'), arrived: 20n })
    expect(await stage.outcomes(puppet)).toEqual([undefined, ['NotArmed', puppet]])
  })

  it('cannot have another ask in its place', async () => {
    const other = await stage.deploy('Puppet')
    await stage.teach(other, cues.coin, [demand(1n)])
    await payingPuppet([{ target: other }])
    expect(await stage.swap(throughPuppet())).toMatchObject({ paid: 0n })
    expect(await stage.outcomes(other)).toEqual([['NotArmed', other]])
  })

  it('cannot swap inside the swap', async () => {
    const inner = stage.toCall(throughPuppet())
    await payingPuppet([{ target: stage.router, data: inner.data! }])
    await stage.swap(throughPuppet())
    expect(await stage.outcomes(puppet)).toEqual([['Reentered'], undefined])
  })

  it('cannot claim reserves that make the router pay out', async () => {
    const { WETH, USDC } = stage.tokens
    const claim = [1n, 2n ** 112n - 1n] as const
    const [one, other] = WETH < USDC ? claim : claim.toReversed()
    await stage.teachAnswer(puppet, cues.getReserves, reserves(one!, other!))
    const hops = [{ kind: v2, from: 0, to: 1, pool: puppet, fee: 0 }]
    const ask = { tokens: [WETH, USDC], hops, amount: ether('1') }
    expect(await stage.refusal(ask)).toEqual(['NothingBought', 0n, USDC])
    await payingPuppet([], cues.v2Swap)
    expect(await stage.swap(ask)).toMatchObject({ paid: ether('1'), arrived: 10n })
  })

  it('of v2 cannot use the callback of v3', async () => {
    const { WETH, USDC } = stage.tokens
    await payingPuppet([demand(1n)], cues.v2Swap)
    const hops = [{ kind: v2, from: 0, to: 1, pool: puppet, fee: 0 }]
    await stage.swap({ tokens: [WETH, USDC], hops, amount: 10n })
    expect(await stage.outcomes(puppet)).toEqual([['NotArmed', puppet], undefined])
  })

  it('passes its revert on', async () => {
    await stage.teach(puppet, cues.v3Swap, [demand(ether('2'))], true)
    expect(await stage.refusal(throughPuppet())).toEqual(['WrongDemand', ether('2'), ether('1')])
  })
})

describe('a token of malice', () => {
  it('cannot swap inside the swap, wherever its transfer is', async () => {
    const pair = await stage.openPair(evil, ether('1000'), stage.tokens.WETH, ether('10'))
    const inner = { target: stage.router, data: stage.toCall(throughPuppet()).data! }
    for (const [cue, tokens] of [
      [cues.transferFrom, [evil, stage.tokens.WETH]],
      [cues.transfer, [evil, stage.tokens.WETH]],
      [cues.transfer, [stage.tokens.WETH, evil]],
    ] as const) {
      await stage.teach(evil, cue, [inner])
      const hops = [{ kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 }]
      const quoted = await stage.quoteV2(tokens[0], tokens[1], ether('1'))
      expect(await stage.swap({ tokens, hops, amount: ether('1') })).toMatchObject({ arrived: quoted })
      expect((await stage.outcomes(evil)).at(-1)).toEqual(['Reentered'])
    }
  })

  it('cannot ask for a payment while the pool it is traded in is armed', async () => {
    const { DAI } = stage.tokens
    const owner = stage.client.account.address
    await stage.write(evil, 'approve', [stage.contracts.positions, 2n ** 255n], owner)
    const pool = await stage.openNarrowPool(evil, DAI)
    await stage.teach(evil, cues.transfer, [{ target: stage.router, data: demand(1n).data! }])
    await stage.swap({ tokens: [DAI, evil], hops: [{ kind: v3, from: 0, to: 1, pool }], amount: ether('1') })
    expect(await stage.outcomes(evil)).toEqual([['NotArmed', evil]])
  })

  it('that answers false makes the swap revert', async () => {
    const pair = await stage.openPair(evil, ether('1000'), stage.tokens.WETH, ether('10'))
    await stage.write(evil, 'setRefuses', [true], stage.stranger)
    const hops = [{ kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 }]
    const refusal = await stage.refusal({ tokens: [evil, stage.tokens.WETH], hops, amount: 5n })
    expect(refusal).toEqual(['TransferFailed', evil, stage.seller, stage.router, 5n, word(0n)])
  })

  it('that takes more than was sent cannot take what is not of this swap', async () => {
    const pair = await stage.openPair(evil, ether('1000'), stage.tokens.WETH, ether('10'))
    await stage.write(evil, 'mint', [stage.router, 500n], stage.stranger)
    await stage.write(evil, 'setSurcharge', [3n], stage.stranger)
    const hops = [{ kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 }]
    const refusal = await stage.refusal({ tokens: [evil, stage.tokens.WETH], hops, amount: ether('1') })
    expect(refusal).toEqual(['IdleTouched', evil, 497n, 500n])
  })

  it('cannot make up at the receiver for what was not bought', async () => {
    const { WETH } = stage.tokens
    const bought = { target: evil, data: stage.encode('mint', [stage.router, 10n]) }
    const invented = { target: evil, data: stage.encode('mint', [stage.seller, 100n]) }
    await stage.teach(puppet, cues.v3Swap, [bought])
    await stage.teach(evil, cues.transfer, [invented])
    const ask = { ...throughPuppet(), tokens: [WETH, evil] }
    expect(await stage.refusal({ ...ask, least: 11n })).toEqual(['ReturnTooLow', 10n, 11n])
    expect(await stage.swap({ ...ask, least: 10n })).toMatchObject({ arrived: 110n, returned: 110n })
  })

  it('cannot be more than a v3 pool may be asked for', async () => {
    const amount = 2n ** 255n
    await stage.write(evil, 'mint', [stage.stranger, amount], stage.stranger)
    await stage.write(evil, 'approve', [stage.router, amount], stage.stranger)
    const ask = { ...throughPuppet(), tokens: [evil, stage.tokens.USDC], amount, from: stage.stranger }
    expect(await stage.refusal(ask)).toEqual(['AmountTooLarge', amount])
  })

  it('named twice in a route is sold once, and nothing of anybody else is', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const tokens = [WETH, USDC, WETH, DAI]
    const ask: Ask = {
      tokens,
      hops: [
        { kind: v2, from: 0, to: 1, weight: 500_000, pool: await stage.pair(WETH, USDC), fee: 3_000 },
        { kind: v2, from: 0, to: 3, pool: await stage.pair(WETH, DAI), fee: 3_000 },
        { kind: v3, from: 1, to: 2, pool: await stage.pool(WETH, USDC, 500) },
        { kind: v2, from: 2, to: 3, pool: await stage.pair(WETH, DAI), fee: 3_000 },
      ],
      amount: ether('1'),
    }
    const done = await stage.swap(ask)
    expect(done).toMatchObject({ paid: ether('1'), spent: ether('1'), arrived: done.returned })
  })
})

describe('a receiver of malice', () => {
  it('that refuses the native coin makes the swap revert with its reason', async () => {
    const refusing = { target: stage.router, value: 0n }
    await stage.teach(puppet, cues.coin, [refusing], true)
    const [name, to, amount, reason] = await stage.refusal({ ...unwrapping(), to: puppet })
    expect([name, to, amount]).toEqual(['NativeTransferFailed', puppet, ether('1')])
    expect(reason).not.toBe('0x')
  })

  it('cannot swap inside the swap', async () => {
    await stage.teach(puppet, cues.coin, [{ target: stage.router, data: stage.toCall(unwrapping()).data! }])
    const done = await stage.swap({ ...unwrapping(), to: puppet })
    expect(done).toMatchObject({ arrived: ether('1') })
    expect(await stage.outcomes(puppet)).toEqual([['Reentered']])
  })

  it('that does not keep the minimum makes the swap revert', async () => {
    await stage.teach(puppet, cues.coin, [{ target: stage.stranger, value: 1n }])
    const ask = { ...unwrapping(), to: puppet, least: ether('1') }
    expect(await stage.refusal(ask)).toEqual(['ReturnTooLow', ether('1') - 1n, ether('1')])
  })
})

describe('a referrer of malice', () => {
  it('that refuses the native coin makes the swap revert', async () => {
    const ask = { ...wrapping(), feePpm: 10_000, referrer: stage.tokens.USDC }
    const refusal = await stage.refusal(ask)
    expect(refusal.slice(0, 3)).toEqual(['NativeTransferFailed', stage.tokens.USDC, ether('0.01')])
  })

  it('cannot swap inside the swap, nor take more than the fee', async () => {
    await stage.teach(puppet, cues.coin, [
      { target: stage.router, data: stage.toCall(wrapping()).data! },
      demand(1n),
      { target: stage.router, value: 1n },
    ])
    const done = await stage.swap({ ...wrapping(), feePpm: 10_000, referrer: puppet })
    expect(done).toMatchObject({ arrived: ether('0.99'), paid: ether('1') })
    expect(await stage.outcomes(puppet)).toEqual([
      ['Reentered'],
      ['NotArmed', puppet],
      ['NotWrapped', puppet],
    ])
    expect(await stage.balance(native, puppet)).toBe(ether('0.01'))
  })

  it('that is the router itself takes nothing', async () => {
    const { WETH, USDC } = stage.tokens
    const pool = await stage.pool(WETH, USDC, 500)
    const ask = { tokens: [WETH, USDC], hops: [{ kind: v3, from: 0, to: 1, pool }], amount: ether('1') }
    const whole = await stage.simulate(ask)
    const done = await stage.swap({ ...ask, feePpm: 30_000, referrer: stage.router })
    expect(done).toMatchObject(whole)
  })
})

describe('a caller of malice', () => {
  it("cannot sell anybody else's tokens, however much they allowed the router", async () => {
    const { WETH, USDC } = stage.tokens
    const thief = '0x00000000000000000000000000000000000071ef'
    await stage.client.setBalance({ address: thief, value: ether('1') })
    const pool = await stage.pair(WETH, USDC)
    const ask: Ask = {
      tokens: [WETH, USDC],
      hops: [{ kind: v2, from: 0, to: 1, pool, fee: 3_000 }],
      amount: ether('1'),
      from: thief,
    }
    expect((await stage.refusal(ask)).slice(0, 4)).toEqual(['TransferFailed', WETH, thief, stage.router])
  })

  it('cannot make tokens into pools to move what others allowed or left', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    for (const pool of [WETH, USDC, DAI, stage.router, stage.contracts.permit2]) {
      for (const kind of [v2, v3]) {
        const ask = {
          tokens: [DAI, USDC],
          hops: [{ kind, from: 0, to: 1, pool, fee: 3_000 }],
          amount: 1_000n,
        }
        const kept = await stage.untouchable(ask)
        await stage.send(stage.toCall(ask))
        expect(await stage.untouchable(ask)).toEqual(kept)
      }
    }
  })
})

describe('a route made up at random', () => {
  it("moves nothing that is not its caller's", async () => {
    const { WETH, USDC, USDT, DAI } = stage.tokens
    const known = [WETH, USDC, USDT, DAI, native, evil]
    const pools = [
      ...[await stage.pair(WETH, USDC), await stage.pair(WETH, DAI), await stage.pool(WETH, USDC, 500)],
      ...[puppet, evil, USDC, stage.router],
    ]
    const hop = fc.record({
      kind: fc.nat(4),
      from: fc.nat(2),
      to: fc.nat(3),
      pool: fc.constantFrom(...pools),
      fee: fc.constantFrom(3_000, 0, 1_000_000),
      weight: fc.constantFrom(0, 0, 400_000, 1_000_000),
    })
    const route = fc.record({
      tokens: fc.array(fc.constantFrom(...known), { minLength: 2, maxLength: 4 }),
      hops: fc.array(hop, { minLength: 1, maxLength: 4 }),
      amount: fc.constantFrom(1n, 10n ** 6n, ether('1')),
      least: fc.constant(0n),
      feePpm: fc.constantFrom(0, 10_000),
      referrer: fc.constantFrom(stage.referrer, puppet, stage.router),
    })
    await stage.teach(puppet, cues.v3Swap, [demand(10n ** 6n), demand(1n), demand(ether('1'))])
    let done = 0
    await fc.assert(
      fc.asyncProperty(route, async (made) => {
        const ask: Ask = { ...made, hops: made.hops.toSorted((one, other) => one.from - other.from) }
        const [before, seller] = [await stage.untouchable(ask), stage.seller]
        await stage.rehearse(async () => {
          const { status } = await stage.send({ ...stage.toCall(ask), from: seller })
          if (status === 'success') done++
          expect(await stage.untouchable(ask)).toEqual(before)
        })
      }),
      { numRuns: 150, examples: [[{ ...plain(), tokens: [WETH, USDC] }]] },
    )
    expect(done).toBeGreaterThan(0)

    function plain() {
      const one = { kind: v2, from: 0, to: 1, pool: pools[0]!, fee: 3_000, weight: 0 }
      return { hops: [one], amount: ether('1'), least: 0n, feePpm: 0, referrer: puppet }
    }
  })
})

const nothingMoved = encodeAbiParameters(parseAbiParameters('int256, int256'), [0n, 0n])
const reserves = (one: bigint, other: bigint) =>
  encodeAbiParameters(parseAbiParameters('uint112, uint112, uint32'), [one, other, 0])
const word = (value: bigint) => encodeAbiParameters(parseAbiParameters('uint256'), [value])

/** One WETH for USDC through a v3 pool that is the puppet. */
function throughPuppet(): Ask {
  const { WETH, USDC } = stage.tokens
  return { tokens: [WETH, USDC], hops: [{ kind: v3, from: 0, to: 1, pool: puppet }], amount: ether('1') }
}

function wrapping(): Ask {
  return { tokens: [native, stage.tokens.WETH], hops: [{ kind: wrap, from: 0, to: 1 }], amount: ether('1') }
}

function unwrapping(): Ask {
  return { tokens: [stage.tokens.WETH, native], hops: [{ kind: unwrap, from: 0, to: 1 }], amount: ether('1') }
}

/** What a v3 pool asks the router for. */
function demand(amount0: bigint, amount1 = 0n): Move {
  return { target: stage.router, data: stage.encode('uniswapV3SwapCallback', [amount0, amount1, '0x']) }
}

/** The puppet makes its moves when it is asked to swap, and then pays ten base units of USDC. */
async function payingPuppet(moves: Move[], cue: Hex = cues.v3Swap): Promise<void> {
  const { USDC } = stage.tokens
  await stage.write(USDC, 'transfer', [puppet, 10n], stage.seller)
  await stage.teach(puppet, cue, [...moves, payment()])
}

function payment(): Move {
  return { target: stage.tokens.USDC, data: stage.encode('transfer', [stage.router, 10n]) }
}
