import {
  type Address,
  encodeAbiParameters,
  parseEther as ether,
  type Hex,
  parseAbiParameters,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readArtifact } from '../../contracts/artifact.ts'
import { through, type VaultPool, vaultCues } from './balancer.ts'
import { type Ask, encodeHops, native, partialFill, unwrap, v2, v3, wrap } from './fuzz/ask.ts'
import type { Refusal } from './fuzz/calls.ts'
import { cues, type Move } from './fuzz/puppets.ts'
import { openStage, patience, routers, type Stage } from './stage.ts'

let stage: Stage
let before: Hex
let puppet: Address
let evil: Address

describe.each(routers)('%s', (contract) => {
  beforeAll(async () => {
    stage = await openStage(contract)
    puppet = await stage.deploy('Puppet')
    evil = await stage.deploy('PuppetToken')
    await stage.teachAnswer(puppet, cues.getReserves, reserves(1n, 1n))
    for (const owner of [stage.seller, stage.bystander, stage.client.account.address]) {
      await stage.write(evil, 'mint', [owner, ether('1000000')], stage.stranger)
      await stage.write(evil, 'approve', [stage.router, 2n ** 255n], owner)
    }
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

  describe('malicious pools', () => {
    it('reverts when the pool takes the input and pays nothing', async () => {
      await stage.teach(puppet, cues.v3Swap, [demand(ether('1'))])
      expect(await stage.refusal(throughPuppet())).toEqual(['NothingBought', 0n, stage.tokens.USDC])
    })

    it('pays a pool exactly what the hop sells', async () => {
      await payingPuppet([demand(ether('1'))])
      const done = await stage.swap(throughPuppet())
      expect(done).toMatchObject({ paid: ether('1'), arrived: 10n })
      expect(await stage.outcomes(puppet)).toEqual([undefined, undefined])
    })

    it('rejects a callback that demands one unit more than the hop sells', async () => {
      await payingPuppet([demand(ether('1') + 1n)])
      const done = await stage.swap(throughPuppet())
      expect(done).toMatchObject({ paid: 0n, spent: 0n })
      expect(await stage.outcomes(puppet)).toEqual([['WrongDemand', ether('1') + 1n, ether('1')], undefined])
    })

    it('rejects a callback that demands nothing or a negative amount', async () => {
      const least = -(2n ** 255n)
      await payingPuppet([demand(0n), demand(least, least)])
      expect(await stage.swap(throughPuppet())).toMatchObject({ paid: 0n })
      expect(await stage.outcomes(puppet)).toEqual([
        ['WrongDemand', 0n, ether('1')],
        ['WrongDemand', least, ether('1')],
        undefined,
      ])
    })

    it('pays only the sold token when the callback demands both tokens', async () => {
      await payingPuppet([demand(1_000n, 1_000n)])
      expect(await stage.swap(throughPuppet())).toMatchObject({ paid: 1_000n })
    })

    it('pays only the first of two callbacks', async () => {
      await payingPuppet([demand(600n), demand(400n)])
      expect(await stage.swap(throughPuppet())).toMatchObject({ paid: 600n, spent: 600n })
      expect(await stage.outcomes(puppet)).toEqual([undefined, ['NotArmed', puppet], undefined])
    })

    it("accepts PancakeSwap's callback and pays once across both kinds of callback", async () => {
      const pancake = (amount: bigint) => demand(amount, 0n, 'pancakeV3SwapCallback')
      await payingPuppet([pancake(ether('1') + 1n), pancake(600n), demand(400n), pancake(400n)])
      expect(await stage.swap(throughPuppet())).toMatchObject({ paid: 600n, spent: 600n })
      expect(await stage.outcomes(puppet)).toEqual([
        ['WrongDemand', ether('1') + 1n, ether('1')],
        undefined,
        ['NotArmed', puppet],
        ['NotArmed', puppet],
        undefined,
      ])
    })

    it('rejects a callback of a pool whose branch failed, during the next branch', async () => {
      const { USDC } = stage.tokens
      const next = await stage.deploy('Puppet')
      await stage.write(USDC, 'transfer', [next, 10n], stage.seller)
      // The first fails in its hop; the second makes it request input.
      await stage.teach(puppet, cues.v3Swap, [{ target: stage.router, value: 1n }], true)
      await stage.teach(puppet, cues.coin, [demand(1n)])
      await stage.teach(next, cues.v3Swap, [{ target: puppet }, payment()])
      const [hop] = throughPuppet().hops!
      const branches = [{ weight: 500_000, hops: [hop!] }, { hops: [{ ...hop!, pool: next }] }]
      const ask = { ...throughPuppet(), branches, flags: partialFill }
      expect(await stage.swap(ask)).toMatchObject({ arrived: 10n, paid: 0n })
      expect(await stage.outcomes(puppet)).toEqual([['NotArmed', puppet]])
    })

    it('exposes no function that the router itself calls on other contracts', () => {
      const called = [
        'IERC20',
        'IPermitToken',
        'IPermit2',
        'IWrapped',
        'IV2Pool',
        'ISolidlyPool',
        'IV3Pool',
        'IVault',
        'ICurvePool',
        'ICurveReceiverPool',
        'ICurveUnsignedPool',
        'IERC4626',
        'IWrappedShares',
        'IPegModule',
        'IUnlocked',
        'IPoolManager',
        'IVaultV3',
      ].flatMap(selectors)
      const answered = selectors('SwapRouter')
      expect(new Set(called).size).toBe(35)
      expect(answered.length).toBe(11)
      expect(called.filter((selector) => answered.includes(selector))).toEqual([])
    })

    it('rejects a callback after the hop of the pool is over', async () => {
      const { USDC } = stage.tokens
      const later = await stage.deploy('Puppet')
      await stage.teachAnswer(later, cues.getReserves, reserves(1n, 1n))
      await stage.write(USDC, 'transfer', [later, 10n], stage.seller)
      // The second, a v2 pool, makes the first request input after its hop.
      await payingPuppet([])
      await stage.teach(puppet, cues.coin, [demand(1n)])
      await stage.teach(later, cues.v2Swap, [{ target: puppet }, payment()])
      const [hop] = throughPuppet().hops!
      const hops = [
        { ...hop!, weight: 500_000 },
        { ...hop!, kind: v2, pool: later },
      ]
      expect(await stage.swap({ ...throughPuppet(), hops })).toMatchObject({ paid: ether('1'), arrived: 20n })
      expect(await stage.outcomes(puppet)).toEqual([undefined, ['NotArmed', puppet]])
    })

    it('rejects a callback of another contract on behalf of the pool', async () => {
      const other = await stage.deploy('Puppet')
      await stage.teach(other, cues.coin, [demand(1n)])
      await payingPuppet([{ target: other }])
      expect(await stage.swap(throughPuppet())).toMatchObject({ paid: 0n })
      expect(await stage.outcomes(other)).toEqual([['NotArmed', other]])
    })

    it('rejects reentry by a pool during a swap', async () => {
      await payingPuppet(entries())
      await stage.swap(throughPuppet())
      expect(await stage.outcomes(puppet)).toEqual([...refusals(puppet), undefined])
    })

    it('does not pay out the claimed reserves of a fake v2 pool', async () => {
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

    it('rejects the v3 callback from a v2 pool', async () => {
      const { WETH, USDC } = stage.tokens
      await payingPuppet([demand(1n)], cues.v2Swap)
      const hops = [{ kind: v2, from: 0, to: 1, pool: puppet, fee: 0 }]
      await stage.swap({ tokens: [WETH, USDC], hops, amount: 10n })
      expect(await stage.outcomes(puppet)).toEqual([['NotArmed', puppet], undefined])
    })

    it('forwards the revert of the pool', async () => {
      await stage.teach(puppet, cues.v3Swap, [demand(ether('2'))], true)
      expect(await stage.refusal(throughPuppet())).toEqual(['WrongDemand', ether('2'), ether('1')])
    })
  })

  describe('malicious pools of the Balancer vault', () => {
    let crooked: VaultPool
    let pool: Address
    beforeAll(async () => {
      const { WETH, USDC } = stage.tokens
      pool = await stage.deploy('Puppet')
      const amounts = new Map([
        [WETH, ether('1')],
        [USDC, 3_000_000_000n],
      ])
      crooked = await stage.register(pool, amounts, async (target, data) => {
        await stage.teach(pool, cues.coin, [{ target, data }], true)
        await stage.send({ from: stage.stranger, to: pool })
      })
      const joined = encodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), [
        [...amounts.keys()].sort().map((token) => amounts.get(token)!),
        [0n, 0n],
      ])
      await stage.teachAnswer(pool, vaultCues.onJoinPool, joined)
      await stage.join(crooked.aux, amounts)
      await stage.teachAnswer(pool, vaultCues.onSwap, word(12_345n))
    })
    const ask = (): Ask => ({ ...throughPuppet(), hops: [through(crooked)] })

    it('buys what the pool quotes, limited to its own balance', async () => {
      expect(await stage.swap(ask())).toMatchObject({ paid: ether('1'), arrived: 12_345n })
      await stage.teachAnswer(pool, vaultCues.onSwap, word(3_000_000_001n))
      expect((await stage.refusal(ask())).slice(0, 2)).toEqual(['PoolFailed', stage.contracts.vault])
      await stage.teachAnswer(pool, vaultCues.onSwap, word(0n))
      expect(await stage.refusal(ask())).toEqual(['NothingBought', 0n, stage.tokens.USDC])
    })

    it('rejects reentry and use of the vault allowance while the pool is called', async () => {
      const { router, contracts, tokens } = stage
      const { vault } = contracts
      const selling = stage.vaultSwap(crooked, tokens.WETH, tokens.USDC, 5n, router)
      const moves = [
        ...entries(),
        demand(1n),
        { target: vault, data: selling },
        { target: tokens.WETH, data: stage.encode('transferFrom', [router, pool, 1n]) },
      ]
      await stage.teach(pool, vaultCues.onSwap, moves)
      expect(await stage.swap(ask())).toMatchObject({ paid: ether('1'), arrived: 12_345n })
      const outcomes = (await stage.outcomes(pool)).slice(-5)
      const [sold, taken] = outcomes.slice(-2)
      expect(outcomes.slice(0, 3)).toEqual([...refusals(pool), ['NotArmed', pool]])
      expect(sold?.[1]).toBe('BAL#400') // vault reentrancy guard
      expect(taken?.[0]).toBe('Error') // another spender's allowance
    })
  })

  describe('malicious tokens', () => {
    it('rejects reentry from any transfer of a token during a swap', async () => {
      const pair = await stage.openPair(evil, ether('1000'), stage.tokens.WETH, ether('10'))
      for (const [cue, tokens] of [
        [cues.transferFrom, [evil, stage.tokens.WETH]],
        [cues.transfer, [evil, stage.tokens.WETH]],
        [cues.transfer, [stage.tokens.WETH, evil]],
      ] as const) {
        await stage.teach(evil, cue, entries())
        const hops = [{ kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 }]
        const quoted = await stage.quoteV2(tokens[0], tokens[1], ether('1'))
        expect(await stage.swap({ tokens, hops, amount: ether('1') })).toMatchObject({ arrived: quoted })
        expect((await stage.outcomes(evil)).slice(-2)).toEqual(refusals(evil))
      }
    })

    it('rejects a callback of a token while its pool is armed', async () => {
      const { DAI } = stage.tokens
      const owner = stage.client.account.address
      await stage.write(evil, 'approve', [stage.contracts.positions, 2n ** 255n], owner)
      const pool = await stage.openNarrowPool(evil, DAI)
      await stage.teach(evil, cues.transfer, [{ target: stage.router, data: demand(1n).data! }])
      await stage.swap({
        tokens: [DAI, evil],
        hops: [{ kind: v3, from: 0, to: 1, pool }],
        amount: ether('1'),
      })
      expect(await stage.outcomes(evil)).toEqual([['NotArmed', evil]])
    })

    it('reverts when the token returns false', async () => {
      const pair = await stage.openPair(evil, ether('1000'), stage.tokens.WETH, ether('10'))
      await stage.write(evil, 'setRefuses', [cues.transferFrom, true], stage.stranger)
      const hops = [{ kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 }]
      const refusal = await stage.refusal({ tokens: [evil, stage.tokens.WETH], hops, amount: 5n })
      expect(refusal).toEqual(['TransferFailed', evil, stage.seller, pair, 5n, word(0n)])
    })

    it('reverts when a transfer surcharge takes tokens that do not belong to the swap', async () => {
      await stage.write(evil, 'mint', [stage.router, 500n], stage.stranger)
      await stage.write(evil, 'setSurcharge', [3n], stage.stranger)
      const { ask, buyer } = await throughEvil(1_000n)
      expect(await stage.refusal(ask)).toEqual(['IdleTouched', evil, 497n, 500n])
      await stage.write(evil, 'setSurcharge', [0n], stage.stranger)
      expect(await stage.swap(ask)).toMatchObject({ arrived: 10n })
      expect(await stage.balance(evil, buyer)).toBe(1_000n)
      expect(await stage.balance(evil, stage.router)).toBe(500n)
    })

    it('rejects a connector token of which the pool takes less than the router holds', async () => {
      const { ask } = await throughEvil(991n)
      expect(await stage.refusal(ask)).toEqual(['Unsold', evil, 9n])
    })

    it('does not pay a pool more of a connector token than the router bought', async () => {
      await stage.write(evil, 'mint', [stage.router, 500n], stage.stranger)
      const { ask } = await throughEvil(1_001n)
      expect(await stage.refusal(ask)).toEqual(['WrongDemand', 1_001n, 1_000n])
    })

    it('does not touch the balance of the router when the source token takes a surcharge', async () => {
      const pair = await stage.openPair(evil, ether('1000'), stage.tokens.WETH, ether('10'))
      await stage.write(evil, 'mint', [stage.router, 500n], stage.stranger)
      await stage.write(evil, 'setSurcharge', [3n], stage.stranger)
      const hops = [{ kind: v2, from: 0, to: 1, pool: pair, fee: 3_000 }]
      const quoted = await stage.quoteV2(evil, stage.tokens.WETH, ether('1'))
      const done = await stage.swap({ tokens: [evil, stage.tokens.WETH], hops, amount: ether('1') })
      expect(done).toMatchObject({ arrived: quoted, paid: ether('1') })
      expect(await stage.balance(evil, stage.router)).toBe(500n)
    })

    it('requires minReturn of what the recipient holds more, whoever paid it', async () => {
      const { WETH } = stage.tokens
      const bought = { target: evil, data: stage.encode('mint', [stage.seller, 10n]) }
      await stage.teach(puppet, cues.v3Swap, [bought])
      const ask = { ...throughPuppet(), tokens: [WETH, evil] }
      expect(await stage.refusal({ ...ask, least: 11n })).toEqual(['ReturnTooLow', 10n, 11n])
      expect(await stage.swap({ ...ask, least: 10n })).toMatchObject({ arrived: 10n, returned: 10n })
    })

    it('rejects an amount larger than a v3 pool accepts', async () => {
      const amount = 2n ** 255n
      await stage.write(evil, 'mint', [stage.stranger, amount], stage.stranger)
      await stage.write(evil, 'approve', [stage.router, amount], stage.stranger)
      const ask = { ...throughPuppet(), tokens: [evil, stage.tokens.USDC], amount, from: stage.stranger }
      expect(await stage.refusal(ask)).toEqual(['AmountTooLarge', amount])
    })
  })

  describe('malicious recipients', () => {
    it('reverts with the reason when the recipient rejects native tokens', async () => {
      const refusing = { target: stage.router, value: 0n }
      await stage.teach(puppet, cues.coin, [refusing], true)
      const [name, to, amount, reason] = await stage.refusal({ ...unwrapping(), to: puppet })
      expect([name, to, amount]).toEqual(['NativeTransferFailed', puppet, ether('1')])
      expect(reason).not.toBe('0x')
    })

    it('rejects reentry by the recipient during a swap', async () => {
      await stage.teach(puppet, cues.coin, entries())
      const done = await stage.swap({ ...unwrapping(), to: puppet })
      expect(done).toMatchObject({ arrived: ether('1') })
      expect(await stage.outcomes(puppet)).toEqual(refusals(puppet))
    })

    it('reverts when the recipient passes tokens on and holds less than minReturn', async () => {
      await stage.teach(puppet, cues.coin, [{ target: stage.stranger, value: 1n }])
      const ask = { ...unwrapping(), to: puppet, least: ether('1') }
      expect(await stage.refusal(ask)).toEqual(['ReturnTooLow', ether('1') - 1n, ether('1')])
    })
  })

  describe('malicious referrers', () => {
    it('reverts when the referrer rejects native tokens', async () => {
      const ask = { ...wrapping(), feePpm: 10_000, referrer: stage.tokens.USDC }
      const refusal = await stage.refusal(ask)
      expect(refusal.slice(0, 3)).toEqual(['NativeTransferFailed', stage.tokens.USDC, ether('0.01')])
    })

    it('rejects reentry by the referrer and pays no more than the fee', async () => {
      await stage.teach(puppet, cues.coin, [...entries(), demand(1n), { target: stage.router, value: 1n }])
      const done = await stage.swap({ ...wrapping(), feePpm: 10_000, referrer: puppet })
      expect(done).toMatchObject({ arrived: ether('0.99'), paid: ether('1') })
      expect(await stage.outcomes(puppet)).toEqual([
        ...refusals(puppet),
        ['NotArmed', puppet],
        ['NotWrapped', puppet],
      ])
      expect(await stage.balance(native, puppet)).toBe(ether('0.01'))
    })

    it('rejects the router as the referrer', async () => {
      const ask = { ...throughPuppet(), feePpm: 30_000, referrer: stage.router }
      expect(await stage.refusal(ask)).toEqual(['NoReferrer', 30_000n])
    })
  })

  describe('malicious callers', () => {
    it('rejects direct calls of sellBranch', async () => {
      const [, branch] = entries()
      for (const from of [stage.stranger, stage.seller, zeroAddress]) {
        expect(await stage.refusalOf({ from, to: stage.router, data: branch!.data! })).toEqual([
          'NotRouter',
          from,
        ])
      }
    })

    it("does not sell another account's tokens, whatever it allowed the router", async () => {
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
      expect((await stage.refusal(ask)).slice(0, 4)).toEqual(['TransferFailed', WETH, thief, pool])
    })

    it('leaves foreign allowances and idle balances untouched when tokens are given as pools', async () => {
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
})

const reserves = (one: bigint, other: bigint) =>
  encodeAbiParameters(parseAbiParameters('uint112, uint112, uint32'), [one, other, 0])
const word = (value: bigint) => encodeAbiParameters(parseAbiParameters('uint256'), [value])

function throughPuppet(): Ask {
  const { WETH, USDC } = stage.tokens
  return { tokens: [WETH, USDC], hops: [{ kind: v3, from: 0, to: 1, pool: puppet }], amount: ether('1') }
}

/** Sells through a pool that mints 1,000 `evil` to the router, and `buyer`, which demands `taken` of them. */
async function throughEvil(taken: bigint): Promise<{ ask: Ask; buyer: Address }> {
  const { WETH, USDC } = stage.tokens
  const buyer = await stage.deploy('Puppet')
  const minted = { target: evil, data: stage.encode('mint', [stage.router, 1_000n]) }
  await stage.teach(puppet, cues.v3Swap, [demand(ether('1')), minted], true)
  await stage.write(USDC, 'transfer', [buyer, 10n], stage.seller)
  await stage.teach(buyer, cues.v3Swap, [demand(taken), payment()], true)
  const hops = [
    { kind: v3, from: 0, to: 1, pool: puppet },
    { kind: v3, from: 1, to: 2, pool: buyer },
  ]
  return { ask: { tokens: [WETH, evil, USDC], hops, amount: ether('1') }, buyer }
}

function wrapping(): Ask {
  return { tokens: [native, stage.tokens.WETH], hops: [{ kind: wrap, from: 0, to: 1 }], amount: ether('1') }
}

function unwrapping(): Ask {
  return { tokens: [stage.tokens.WETH, native], hops: [{ kind: unwrap, from: 0, to: 1 }], amount: ether('1') }
}

function entries(): Move[] {
  const { router, tokens } = stage
  const swap = stage.toCall(throughPuppet()).data!
  const hops = encodeHops([{ kind: v3, from: 0, to: 1, pool: puppet }])
  const path = [tokens.WETH, tokens.USDC]
  const branch = stage.encode('sellBranch', [0n, puppet, 0n, path, hops, 9n, 0n])
  return [swap, branch].map((data) => ({ target: router, data }))
}

function refusals(who: Address): Refusal[] {
  return [['Reentered'], ['NotRouter', who]]
}

function demand(amount0: bigint, amount1 = 0n, callback = 'uniswapV3SwapCallback'): Move {
  return { target: stage.router, data: stage.encode(callback, [amount0, amount1, '0x']) }
}

function selectors(name: string): Hex[] {
  const functions = readArtifact(name).abi.filter((item) => item.type === 'function')
  return functions.map((item) => toFunctionSelector(item))
}

/** Makes the moves on `cue`, then pays 10 base units of USDC. */
async function payingPuppet(moves: Move[], cue: Hex = cues.v3Swap): Promise<void> {
  const { USDC } = stage.tokens
  await stage.write(USDC, 'transfer', [puppet, 10n], stage.seller)
  await stage.teach(puppet, cue, [...moves, payment()])
}

function payment(): Move {
  return { target: stage.tokens.USDC, data: stage.encode('transfer', [stage.seller, 10n]) }
}
