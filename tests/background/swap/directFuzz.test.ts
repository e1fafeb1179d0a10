import fc from 'fast-check'
import { decodeFunctionData, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { tokens as localnetTokens } from '../../../dev/pools/tokens.ts'
import { computeMinReturn, type SwapTransaction, type Trade } from '../../../src/domain/swap/quote.ts'
import { requireMatch, type SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, isNative, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { createSwapJudge, unlessRefused } from '../../helpers/background/swapJudge.ts'
import { bendBytes, place } from '../../helpers/bendBytes.ts'
import { figure } from '../../helpers/figures.ts'
import { createDirectStage } from '../../helpers/node/directSwaps.ts'
import { isTorture, runs } from '../../helpers/runs.ts'
import { multicall, multicallAbi } from '../../helpers/samples/directCalls.ts'
import { slow } from '../../helpers/slow.ts'

slow('Carries out many swaps on a chain.')

/** Per trade. */
const tampered = runs(200, 5_000)
const honestOnes = runs(120, 1_000)

const account: Address = '0xa11ce00000000000000000000000000000000001'

let localnet: Localnet
let stage: ReturnType<typeof createDirectStage>
let judge: ReturnType<typeof createSwapJudge>

beforeAll(async () => {
  localnet = await createLocalnet()
  const { WETH, USDC, USDT, DAI } = localnet.tokens
  stage = createDirectStage(localnet, [WETH, USDC, USDT, DAI])
  judge = createSwapJudge({ localnet, chain: stage.chain, direct: stage.contracts })
  await localnet.fund(account)
})
afterAll(() => localnet?.stop())

type Deal = { agreed: SwapExpectations; honest: SwapTransaction }

async function deal(trade: Trade): Promise<Deal> {
  const honest = await stage.api.swap(trade, { from: account, origin: account, slippageBps: 50 })
  const agreed: SwapExpectations = {
    account,
    trade,
    floor: computeMinReturn(honest.returns, 50),
    router: stage.contracts.router,
    permission: { via: 'approve', amount: trade.amount },
  }
  return { agreed, honest }
}

type Bend = (honest: SwapTransaction) => SwapTransaction

const bendHex = (data: Hex, bend: (bytes: Buffer) => Buffer): Hex =>
  `0x${bend(Buffer.from(data.slice(2), 'hex')).toString('hex')}`

/** Changes the calls, and encodes them canonically again. */
const bendCalls =
  (change: (calls: Hex[]) => Hex[]): Bend =>
  (honest) => {
    try {
      const [deadline, calls] = decodeFunctionData({ abi: multicallAbi, data: honest.data }).args
      return { ...honest, data: multicall(change([...calls]), deadline) }
    } catch {
      return honest
    }
  }

const at = (calls: Hex[], share: number) => Math.floor(share * calls.length)
const step = fc.constantFrom(-1n, 1n)
const nudge = (address: Address, by: bigint): Address =>
  `0x${(BigInt(address) + by).toString(16).padStart(40, '0')}`

const bends: fc.Arbitrary<Bend> = fc.oneof(
  bendBytes.map(
    (bend): Bend =>
      (honest) => ({ ...honest, data: bendHex(honest.data, bend) }),
  ),
  {
    weight: 3,
    arbitrary: fc
      .tuple(place, bendBytes)
      .map(([share, bend]) =>
        bendCalls((calls) =>
          calls.map((call, index) => (index === at(calls, share) ? bendHex(call, bend) : call)),
        ),
      ),
  },
  place.map((share) => bendCalls((calls) => calls.filter((_, index) => index !== at(calls, share)))),
  fc.tuple(place, place).map(([from, to]) =>
    bendCalls((calls) => {
      const call = calls[at(calls, from)]
      return call ? calls.toSpliced(at(calls, to), 0, call) : calls
    }),
  ),
  fc.constant<Bend>((honest) => ({ ...honest, from: honest.to, to: honest.from })),
  fc.constant<Bend>((honest) => ({ ...honest, value: honest.gas, gas: honest.value })),
  step.map(
    (by): Bend =>
      (honest) => ({ ...honest, to: nudge(honest.to, by) }),
  ),
  step.map(
    (by): Bend =>
      (honest) => ({ ...honest, from: nudge(honest.from, by) }),
  ),
  step.map(
    (by): Bend =>
      (honest) => ({ ...honest, value: honest.value + by }),
  ),
  step.map(
    (by): Bend =>
      (honest) => ({ ...honest, gas: honest.gas + by }),
  ),
)

const trades: Record<string, () => Trade> = {
  'ETH for DAI': () => toTrade(nativeTokenAddress, localnet.tokens.DAI, parseEther('3')),
  'WETH for DAI': () => toTrade(localnet.tokens.WETH, localnet.tokens.DAI, parseEther('3')),
  'USDT for DAI': () => toTrade(localnet.tokens.USDT, localnet.tokens.DAI, 20_000_000_000n),
  'USDC for ETH': () => toTrade(localnet.tokens.USDC, nativeTokenAddress, 20_000_000_000n),
}

function toTrade(sell: Address, buy: Address, amount: bigint): Trade {
  return { chainId: localnet.chainId, sell, buy, amount }
}

const unseen = { status: 'unknown', reason: 'The RPC cannot simulate.' } as const

describe(`verification of ${4 * tampered} bent direct swaps`, () => {
  // Without a simulation, so that the calldata alone decides.
  it.each(Object.keys(trades))('signs no harmful swap without a simulation (%s)', async (name) => {
    const { agreed, honest } = await deal(trades[name]!())
    expect((await judge.wouldSign(agreed, honest)).status).toBe('matches')
    expect(await judge.expectHarmless(agreed, honest)).toBe('paid')
    const counts = { refused: 0, paid: 0, reverted: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(bends, { minLength: 1, maxLength: 2 }), async (all) => {
        const bent = all.reduce((transaction, bend) => bend(transaction), honest)
        const terms = await unlessRefused(async () => {
          const terms = await judge.verify(agreed, bent)
          requireMatch(unseen, terms, [])
          return terms
        })
        if (terms === undefined) counts.refused++
        else counts[await judge.expectHarmless(agreed, bent, true)]++
      }),
      { numRuns: tampered, endOnFailure: true },
    )
    // Gas and deadline may change, paths may lead elsewhere, and minimums may rise.
    expect(counts.paid).toBeGreaterThan(0)
    if (isTorture) expect(counts.reverted).toBeGreaterThan(0)
    expect(counts.refused).toBeGreaterThan(tampered / 2)
    figure(
      '36–41',
      `${tampered} bent direct swaps of ${name}: ${counts.refused} refused, ${counts.paid} harmless ones paid, ${counts.reverted} reverted, 0 harmful`,
    )
  })
})

describe(`verification of ${honestOnes} honest direct swaps`, () => {
  it('rejects no honest swap, and needs no simulation for a trusted token', {
    timeout: 900_000,
  }, async () => {
    const { tokens } = localnet
    // Taxed tokens arrive below the quotes of direct swaps.
    const tradable = localnetTokens.filter(({ isFoT }) => !isFoT).map(({ symbol }) => tokens[symbol])
    const all = [nativeTokenAddress, ...tradable]
    const balances = await stage.chain.balances(account, all)
    const random = fc.record({
      sell: fc.constantFrom(...all),
      buy: fc.constantFrom(...all),
      // From dust to a third, uniform over magnitudes.
      digits: fc.double({ min: 0.2, max: 1, noNaN: true }),
    })
    const toContract = (token: Address) => (isNative(token) ? tokens.WETH : token)
    const counts = { honest: 0, noOffer: 0, binding: 0 }
    for (let seed = 1; counts.honest < honestOnes; seed++) {
      const batch = fc.sample(random, { numRuns: 4, seed })
      await Promise.all(
        batch.map(async ({ sell, buy, digits }) => {
          if (toContract(sell) === toContract(buy)) return
          const amount = BigInt(Math.floor(Number((balances[sell] ?? 0n) / 3n) ** digits))
          const found = await deal(toTrade(sell, buy, amount)).catch((error: unknown) => {
            if (error instanceof WalletError) return undefined
            throw error
          })
          if (found === undefined || found.agreed.floor === 0n) return void counts.noOffer++
          const refused = (cause: unknown) => {
            throw new Error(`Refused: ${sell} ${buy} ${amount}`, { cause })
          }
          const verdict = await judge.wouldSign(found.agreed, found.honest).catch(refused)
          expect(verdict.status).toBe('matches')
          const { isBinding, floor } = await judge.verify(found.agreed, found.honest)
          expect(floor).toBe(found.agreed.floor)
          if (stage.contracts.connectors.includes(toContract(buy))) expect(isBinding).toBe(true)
          if (isBinding) counts.binding++
          counts.honest++
        }),
      )
    }
    expect(counts.noOffer).toBeLessThan(honestOnes / 2)
    figure('36–41', `${counts.honest} honest direct swaps: 0 refused, ${counts.binding} binding`)
  })
})
