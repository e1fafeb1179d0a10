import { type Address, parseEther as ether, type Hex, maxUint256, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStage, patience, type Stage } from '../stage.ts'
import {
  type Ask,
  balancer,
  converter,
  curve,
  encodeRoute,
  type Hop,
  native,
  partialFill,
  unwrap,
  v2,
  v3,
  wrap,
} from './ask.ts'

let stage: Stage
let before: Hex
/** Each test breaks one field. */
let honest: Ask
let hop: Hop
let elsewhere: Address

beforeAll(async () => {
  stage = await openStage()
  const { WETH, USDC } = stage.tokens
  hop = { kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, USDC), fee: 3_000 }
  honest = { tokens: [WETH, USDC], hops: [hop], amount: ether('1') }
  elsewhere = stage.stranger
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

describe('swap', () => {
  it('accepts a valid request', async () => {
    const { returned } = await stage.simulate(honest)
    expect(returned).toBe(await stage.quoteV2(stage.tokens.WETH, stage.tokens.USDC, ether('1')))
  })

  describe('validation of the description', () => {
    it('rejects an executor that is not the router', async () => {
      expect(await stage.refusal({ ...honest, executor: elsewhere })).toEqual(['WrongExecutor', elsewhere])
      expect(await stage.refusal({ ...honest, executor: zeroAddress })).toEqual([
        'WrongExecutor',
        zeroAddress,
      ])
    })

    it('rejects a srcReceiver that is not the router', async () => {
      expect(await stage.refusal({ ...honest, srcReceiver: elsewhere })).toEqual([
        'WrongSrcReceiver',
        elsewhere,
      ])
    })

    it('rejects the router as the recipient', async () => {
      const { router } = stage
      expect(await stage.refusal({ ...honest, to: router })).toEqual(['WrongDstReceiver', router])
    })

    it('rejects any flag except partial fill and Permit2', async () => {
      for (const flags of [2n, 3n, 8n, 1n << 255n]) {
        expect(await stage.refusal({ ...honest, flags })).toEqual(['UnknownFlags', flags])
      }
    })

    it('rejects native value in a swap of another token', async () => {
      expect(await stage.refusal({ ...honest, value: 1n })).toEqual(['WrongValue', 1n, 0n])
    })

    it('rejects a native value that differs from the amount', async () => {
      const ask = {
        tokens: [native, stage.tokens.WETH],
        hops: [{ kind: wrap, from: 0, to: 1 }],
        amount: 100n,
      }
      expect(await stage.refusal({ ...ask, value: 99n })).toEqual(['WrongValue', 99n, 100n])
      expect(await stage.refusal({ ...ask, value: 101n })).toEqual(['WrongValue', 101n, 100n])
      expect(await stage.refusal({ ...ask, value: 0n })).toEqual(['WrongValue', 0n, 100n])
    })

    it('rejects an amount above the balance or the allowance of the sender', async () => {
      const { WETH } = stage.tokens
      const amount = ether('6')
      const refusal = await stage.refusal({ ...honest, amount })
      expect(refusal.slice(0, 5)).toEqual(['TransferFailed', WETH, stage.seller, hop.pool, amount])
      await stage.write(WETH, 'approve', [stage.router, ether('0.5')], stage.seller)
      expect((await stage.refusal(honest))[0]).toBe('TransferFailed')
    })

    it('rejects an amount of zero', async () => {
      expect(await stage.refusal({ ...honest, amount: 0n })).toEqual(['NothingToSell', 0n, stage.tokens.WETH])
    })

    it('rejects a token without code', async () => {
      const { USDC } = stage.tokens
      const ask = { ...honest, tokens: [stage.referrer, USDC] }
      const [name, token] = await stage.refusal(ask)
      expect([name, token]).toEqual(['TransferFailed', stage.referrer])
    })
  })

  describe('validation of the route data', () => {
    it('rejects data that is not a route', async () => {
      expect(await stage.refusal({ ...honest, data: '0x' })).toEqual([''])
      expect(await stage.refusal({ ...honest, data: '0xdeadbeef' })).toEqual([''])
      expect(await stage.refusal({ ...honest, data: `0x${'00'.repeat(64)}` })).toEqual(['Expired', 0n])
      expect(await stage.refusal({ ...honest, data: `0x${'ff'.repeat(640)}` })).toEqual([''])
    })

    it('rejects a route truncated at any word or byte', async () => {
      const { WETH, USDC, DAI } = stage.tokens
      const permit: Hex = `0x${'00'.repeat(7 * 32)}`
      const branches = [{ weight: 1_000, hops: [{ ...hop, to: 2 }] }, { hops: [{ ...hop, to: 2 }] }]
      const longer = { tokens: [WETH, DAI, USDC], branches, permit }
      for (const [ask, words] of [
        [honest, 2],
        [longer, 1 + 1 + 1 + 7 + 2],
      ] as const) {
        const whole = encodeRoute(ask)
        expect((whole.length - 2) / 64).toBe(words)
        for (let kept = 0; kept < words; kept++) {
          const data = whole.slice(0, 2 + 64 * kept) as Hex
          const [name] = await stage.refusal({ ...honest, data })
          expect(['', 'EmptyBranch', 'WrongPermit'], `${kept} words`).toContain(name)
        }
        for (const bytes of [-31, -1, 1, 31]) {
          const data: Hex = bytes < 0 ? (whole.slice(0, 2 * bytes) as Hex) : `${whole}${'00'.repeat(bytes)}`
          const length = BigInt(32 * words + bytes)
          expect(await stage.refusal({ ...honest, data })).toEqual(['WrongDataLength', length])
        }
      }
    })

    it('rejects a header that counts more words than there are', async () => {
      const whole = encodeRoute(honest)
      for (const [at, most] of [
        [29, 255],
        [30, 255],
        [31, 2],
      ] as const) {
        const data: Hex =
          `${whole.slice(0, 2 + 2 * at)}${most.toString(16).padStart(2, '0')}${whole.slice(4 + 2 * at)}` as Hex
        expect(await stage.refusal({ ...honest, data }), `byte ${at}`).toEqual([''])
      }
    })

    it('rejects a branch of more hops than there are', async () => {
      const whole = encodeRoute({ ...honest, branches: [{ weight: 1, hops: [hop] }, { hops: [hop] }] })
      const count = (hex: string) => `${whole.slice(0, 66)}${hex}${whole.slice(66 + 58)}` as Hex
      expect(await stage.refusal({ ...honest, data: count('3'.padStart(58, '0')) })).toEqual([''])
      const panic = await stage.refusal({ ...honest, data: count('f'.repeat(58)) })
      expect(panic).toEqual([''])
      expect(await stage.refusal({ ...honest, data: count('0'.repeat(58)) })).toEqual(['EmptyBranch', 0n])
    })
  })

  describe('validation of the route', () => {
    it('rejects an expired deadline and executes in its last second', async () => {
      const last = (await stage.client.getBlock()).timestamp + 100n
      expect(await stage.refusal({ ...honest, deadline: 0n })).toEqual(['Expired', 0n])
      const minedAt = async (timestamp: bigint) => {
        await stage.client.setNextBlockTimestamp({ timestamp })
        return stage.send(stage.toCall({ ...honest, deadline: last }))
      }
      expect((await minedAt(last)).status).toBe('success')
      const held = await stage.balance(stage.tokens.WETH, stage.seller)
      expect((await minedAt(last + 1n)).status).toBe('reverted')
      expect(await stage.balance(stage.tokens.WETH, stage.seller)).toBe(held)
    })

    it('rejects a branch without hops', async () => {
      expect(await stage.refusal({ ...honest, hops: [] })).toEqual(['EmptyBranch', 0n])
      const branches = [{ weight: 500_000, hops: [hop] }, { hops: [] }]
      for (const flags of [0n, partialFill]) {
        expect(await stage.refusal({ ...honest, branches, flags })).toEqual(['EmptyBranch', 1n])
      }
    })

    it("rejects a missing branch weight, and one that leaves the last branch's share empty", async () => {
      const ask = (...weights: number[]) => {
        const branches = weights.map((weight) => ({ weight, hops: [hop] }))
        return stage.refusal({ ...honest, branches, flags: partialFill })
      }
      expect(await ask(0, 0)).toEqual(['WrongBranchWeight', 0n, 0n, 0n])
      expect(await ask(1_000_000, 0)).toEqual(['WrongBranchWeight', 0n, 1_000_000n, 0n])
      expect(await ask(600_000, 400_000, 0)).toEqual(['WrongBranchWeight', 1n, 400_000n, 600_000n])
      expect(await ask(16_777_215, 0)).toEqual(['WrongBranchWeight', 0n, 16_777_215n, 0n])
    })

    it('rejects a token that occurs twice in the route', async () => {
      const { WETH, USDC, DAI } = stage.tokens
      const tokens = [WETH, DAI, USDC]
      expect(await stage.refusal({ ...honest, tokens: [WETH, DAI, DAI, USDC] })).toEqual([
        'RepeatedToken',
        DAI,
      ])
      expect(await stage.refusal({ ...honest, tokens: [...tokens, WETH, USDC] })).toEqual([
        'RepeatedToken',
        WETH,
      ])
    })

    it('reports a hop of a later branch by its index across all branches', async () => {
      const { WETH } = stage.tokens
      const branches = [
        { weight: 500_000, hops: [{ ...hop, weight: 1_000 }, hop] },
        { hops: [{ ...hop, to: 7 }] },
      ]
      expect(await stage.refusal({ ...honest, branches })).toEqual(['WrongTarget', 2n, 0n, 7n, 2n])
      const small = [{ weight: 1, hops: [hop] }, { hops: [hop] }]
      const refusal = await stage.refusal({ ...honest, branches: small, amount: 999_999n })
      expect(refusal).toEqual(['NothingToSell', 0n, WETH])
    })

    it('rejects a circular route', async () => {
      const { WETH, USDC } = stage.tokens
      const hops = [hop, { ...hop, from: 1, to: 2 }]
      const refusal = await stage.refusal({ ...honest, tokens: [WETH, USDC, WETH], hops })
      expect(refusal).toEqual(['RepeatedToken', WETH])
      expect(await stage.refusal({ ...honest, dstToken: WETH })).toEqual(['RepeatedToken', WETH])
    })

    it('rejects a hop to itself, backwards or out of bounds', async () => {
      const { WETH, USDC, DAI } = stage.tokens
      expect(await stage.refusal({ ...honest, hops: [{ ...hop, to: 0 }] })).toEqual([
        'WrongTarget',
        0n,
        0n,
        0n,
        2n,
      ])
      expect(await stage.refusal({ ...honest, hops: [{ ...hop, to: 2 }] })).toEqual([
        'WrongTarget',
        0n,
        0n,
        2n,
        2n,
      ])
      const back = [
        { ...hop, to: 1 },
        { ...hop, from: 1, to: 0 },
      ]
      const ask = { ...honest, tokens: [WETH, USDC, DAI], hops: back }
      expect(await stage.refusal(ask)).toEqual(['WrongTarget', 1n, 1n, 0n, 3n])
    })

    it('rejects a hop from the last token or out of bounds', async () => {
      const hops = (from: number) => [hop, { ...hop, from, to: 255 }]
      expect(await stage.refusal({ ...honest, hops: hops(1) })).toEqual(['WrongOrder', 1n, 1n])
      expect(await stage.refusal({ ...honest, hops: hops(200) })).toEqual(['WrongOrder', 1n, 200n])
    })

    it('rejects hops that are not grouped in the order of the tokens', async () => {
      const { WETH, USDC, DAI } = stage.tokens
      const next = { kind: v3, from: 1, to: 2, pool: await stage.pool(USDC, DAI, 500) }
      const ask = { ...honest, tokens: [WETH, USDC, DAI] }
      expect(await stage.refusal({ ...ask, hops: [hop, next, hop] })).toEqual(['WrongOrder', 2n, 0n])
      expect(await stage.refusal({ ...ask, hops: [next, hop] })).toEqual(['NothingToSell', 0n, USDC])
    })

    it('rejects a missing hop weight, one on the last hop, and one that leaves the last hop nothing', async () => {
      const two = (first: number, second: number) => [
        { ...hop, weight: first },
        { ...hop, weight: second },
      ]
      const ask = (...weights: [number, number]) => stage.refusal({ ...honest, hops: two(...weights) })
      expect(await ask(0, 0)).toEqual(['WrongWeight', 0n, 0n, 0n])
      expect(await ask(500_000, 500_000)).toEqual(['WrongWeight', 1n, 500_000n, 500_000n])
      expect(await ask(1_000_000, 0)).toEqual(['WrongWeight', 0n, 1_000_000n, 0n])
      expect(await ask(16_777_215, 0)).toEqual(['WrongWeight', 0n, 16_777_215n, 0n])
      const hops = [{ ...hop, weight: 600_000 }, { ...hop, weight: 400_000 }, hop]
      expect(await stage.refusal({ ...honest, hops })).toEqual(['WrongWeight', 1n, 400_000n, 600_000n])
    })

    it('rejects a share that rounds to zero', async () => {
      const hops = [{ ...hop, weight: 1 }, hop]
      const refusal = await stage.refusal({ ...honest, hops, amount: 999_999n })
      expect(refusal).toEqual(['NothingToSell', 0n, stage.tokens.WETH])
    })

    it('rejects an unknown kind of hop', async () => {
      for (const kind of [10, 255]) {
        const hops = [{ ...hop, kind }]
        expect(await stage.refusal({ ...honest, hops })).toEqual(['UnknownKind', 0n, BigInt(kind)])
      }
    })

    it('rejects an unknown form of a Curve pool or a converter', async () => {
      for (const [kind, detail] of [
        [curve, 3 << 16],
        [curve, 255 << 16],
        [converter, 6],
        [converter, 2 ** 40],
      ] as const) {
        const hops = [{ ...hop, kind, fee: detail }]
        expect(await stage.refusal({ ...honest, hops })).toEqual(['UnknownKind', 0n, BigInt(kind)])
      }
    })

    it('rejects tokens that the kind of hop does not trade', async () => {
      const { WETH, USDC } = stage.tokens
      const asked = (kind: number, tokens: Address[]) =>
        stage.refusal({ ...honest, tokens, hops: [{ ...hop, kind }], amount: 1_000n })
      expect(await asked(wrap, [native, USDC])).toEqual(['WrongTokens', 0n, native, USDC])
      expect(await asked(wrap, [WETH, USDC])).toEqual(['WrongTokens', 0n, WETH, USDC])
      expect(await asked(wrap, [WETH, native])).toEqual(['WrongTokens', 0n, WETH, native])
      expect(await asked(unwrap, [USDC, native])).toEqual(['WrongTokens', 0n, USDC, native])
      expect(await asked(unwrap, [native, WETH])).toEqual(['WrongTokens', 0n, native, WETH])
      for (const kind of [v2, v3, balancer]) {
        expect(await asked(kind, [native, USDC])).toEqual(['WrongTokens', 0n, native, USDC])
        expect(await asked(kind, [USDC, native])).toEqual(['WrongTokens', 0n, USDC, native])
      }
    })

    it('rejects a pool of other tokens', async () => {
      const { WETH, USDC, DAI } = stage.tokens
      const [otherPair, otherPool] = [await stage.pair(WETH, DAI), await stage.pool(WETH, DAI, 500)]
      expect(otherPool).toBe(zeroAddress)
      const bought = await stage.refusal({ ...honest, hops: [{ ...hop, pool: otherPair }] })
      expect(bought).toEqual(['NothingBought', 0n, USDC])
      const sold = {
        tokens: [DAI, USDC],
        hops: [{ ...hop, kind: v3, pool: await stage.pool(WETH, USDC, 500) }],
      }
      expect(await stage.refusal({ ...sold, amount: ether('1') })).toEqual(['Error', 'IIA'])
    })

    it('rejects a pool without code', async () => {
      for (const kind of [v2, v3]) {
        const hops = [{ ...hop, kind, pool: stage.referrer }]
        expect(await stage.refusal({ ...honest, hops })).toEqual([''])
      }
    })

    it('rejects a v2 fee of 100 % or more', async () => {
      const asked = (fee: number) => stage.refusal({ ...honest, hops: [{ ...hop, fee }] })
      expect(await asked(1_000_000)).toEqual(['WrongPoolFee', 0n, 1_000_000n])
      expect(await asked(16_777_215)).toEqual(['WrongPoolFee', 0n, 16_777_215n])
    })

    it("rejects a v2 fee below the pool's own", async () => {
      expect(await stage.refusal({ ...honest, hops: [{ ...hop, fee: 2_000 }] })).toEqual([
        'Error',
        'UniswapV2: K',
      ])
    })

    it('rejects an intermediate token that is not sold completely', async () => {
      const { WETH, LINK, DAI } = stage.tokens
      const narrow = await stage.openNarrowPool(LINK, DAI)
      const ask: Ask = {
        tokens: [WETH, LINK, DAI],
        hops: [
          { kind: v2, from: 0, to: 1, pool: await stage.pair(WETH, LINK), fee: 3_000 },
          { kind: v3, from: 1, to: 2, pool: narrow },
        ],
        amount: ether('3'),
      }
      const [name, token, amount] = await stage.refusal(ask)
      expect([name, token]).toEqual(['Unsold', LINK])
      expect(amount).toBeGreaterThan(ether('300'))
    })

    it('rejects an intermediate token that is not sold at all', async () => {
      const { WETH, USDC, DAI } = stage.tokens
      const bought = await stage.quoteV2(WETH, USDC, ether('1'))
      expect(await stage.refusal({ ...honest, tokens: [WETH, USDC, DAI] })).toEqual(['Unsold', USDC, bought])
    })
  })

  describe('validation of the fee', () => {
    it('rejects a fee above 3 %', async () => {
      const { referrer } = stage
      expect(await stage.refusal({ ...honest, feePpm: 30_001, referrer })).toEqual([
        'FeeTooHigh',
        30_001n,
        30_000n,
      ])
    })

    it('rejects a fee without a referrer', async () => {
      expect(await stage.refusal({ ...honest, feePpm: 1 })).toEqual(['NoReferrer', 1n])
    })
  })

  describe('validation of the outcome', () => {
    it('rejects a return one base unit below minReturn', async () => {
      const { WETH, USDC } = stage.tokens
      const returned = await stage.quoteV2(WETH, USDC, ether('1'))
      expect(await stage.refusal({ ...honest, least: returned + 1n })).toEqual([
        'ReturnTooLow',
        returned,
        returned + 1n,
      ])
      expect(await stage.refusal({ ...honest, least: maxUint256 })).toEqual([
        'ReturnTooLow',
        returned,
        maxUint256,
      ])
    })

    it('rejects a return below minReturn after the tax of the bought token', async () => {
      const { WETH, DTT } = stage.tokens
      const pool = await stage.pair(WETH, DTT)
      const quoted = await stage.quoteV2(WETH, DTT, ether('0.1'))
      const arrives = quoted - quoted / 100n
      const ask = { tokens: [WETH, DTT], hops: [{ ...hop, pool }], amount: ether('0.1') }
      expect(await stage.refusal({ ...ask, least: arrives + 1n })).toEqual([
        'ReturnTooLow',
        arrives,
        arrives + 1n,
      ])
    })
  })
})

describe.each(['uniswapV3SwapCallback', 'pancakeV3SwapCallback'])('%s', (callback) => {
  it('rejects any caller outside a swap, including pools', async () => {
    const { WETH, USDC } = stage.tokens
    const data = stage.encode(callback, [1n, 0n, '0x'])
    for (const from of [stage.stranger, await stage.pool(WETH, USDC, 500), stage.router]) {
      expect(await stage.refusalOf({ from, to: stage.router, data })).toEqual(['NotArmed', from])
    }
  })

  it('pays nothing to the zero address outside a swap', async () => {
    await stage.write(stage.tokens.WETH, 'transfer', [stage.router, 5n], stage.seller)
    const data = stage.encode(callback, [1n, 0n, '0x'])
    expect(await stage.refusalOf({ from: zeroAddress, to: stage.router, data })).toEqual([
      'WrongDemand',
      1n,
      0n,
    ])
  })
})

describe('receive', () => {
  it('rejects native tokens from an account other than WETH', async () => {
    const { router, stranger } = stage
    expect(await stage.refusalOf({ from: stranger, to: router, value: 1n })).toEqual(['NotWrapped', stranger])
    expect(await stage.refusalOf({ from: stranger, to: router })).toEqual(['NotWrapped', stranger])
  })

  it('rejects calls of unknown functions', async () => {
    const { router, stranger } = stage
    expect(await stage.refusalOf({ from: stranger, to: router, data: '0xdeadbeef' })).toEqual([''])
    const value = 1n
    expect(await stage.refusalOf({ from: stranger, to: router, value, data: '0xdeadbeef' })).toEqual([''])
  })
})
