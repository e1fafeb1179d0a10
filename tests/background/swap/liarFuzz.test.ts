import fc from 'fast-check'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokens as localnetTokens } from '../../../dev/pools/tokens.ts'
import type { SwapApi, SwapOptions } from '../../../src/api/client.ts'
import { createHttp } from '../../../src/api/http.ts'
import { v6 } from '../../../src/api/v6.ts'
import { computeMinReturn, type SwapTransaction, type Trade } from '../../../src/domain/swap/quote.ts'
import type { SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, isNative, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { createSwapJudge, unlessRefused } from '../../helpers/background/swapJudge.ts'
import { useStage } from '../../helpers/background/worker.ts'
import { bendBytes } from '../../helpers/bendBytes.ts'
import { figure } from '../../helpers/figures.ts'
import { isTorture, runs } from '../../helpers/runs.ts'
import { startLiar } from '../../helpers/service/lyingService.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

/** Per sold token. */
const tampered = runs(60, 3_400)
const honestOnes = runs(100, 1_000)

const stage = useStage()
let liar: Awaited<ReturnType<typeof startLiar>>
let api: SwapApi
let chain: Chain
let judge: ReturnType<typeof createSwapJudge>
const account: Address = '0xa11ce00000000000000000000000000000000001'

beforeAll(async () => {
  liar = await startLiar(stage.service.url)
  api = v6(createHttp({ baseUrl: liar.url }), 31337)
  chain = createChain(stage.network)
  judge = createSwapJudge({ localnet: stage.localnet, chain })
  await stage.localnet.fund(account)
  await stage.service.engine.refresh()
})
afterAll(() => liar?.stop())

type Deal = { agreed: SwapExpectations; options: SwapOptions; honest: SwapTransaction }

async function deal(trade: Trade): Promise<Deal> {
  // Earlier swaps were reverted.
  await stage.service.engine.refresh()
  const usual = { from: account, origin: account, compatibility: true, forceApprove: !isNative(trade.sell) }
  const honest = await api.swap(trade, { ...usual, slippageBps: 50 })
  const floor = computeMinReturn(honest.returns, 50)
  const agreed: SwapExpectations = {
    account,
    trade,
    floor,
    router: stage.localnet.contracts.router,
    permission: { via: 'approve', amount: trade.amount },
  }
  return { agreed, options: { ...usual, leastReturn: floor }, honest }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are bent out of every shape
type Answer = any
type Bend = (answer: Answer) => Answer

const withData = (answer: Answer, change: (bytes: Buffer) => Buffer): Answer => {
  if (!/^0x([0-9a-f]{2}){36,}$/.test(answer.tx.data)) return answer
  const bytes = change(Buffer.from(answer.tx.data.slice(2), 'hex'))
  return { ...answer, tx: { ...answer.tx, data: `0x${bytes.toString('hex')}` } }
}
const fields = ['dstAmount', 'tx.from', 'tx.to', 'tx.data', 'tx.value', 'tx.gas', 'tx.gasPrice'] as const
type Field = (typeof fields)[number]

const readField = (answer: Answer, field: Field) => field.split('.').reduce((at, name) => at?.[name], answer)
const writeField = (answer: Answer, field: Field, value: unknown): Answer =>
  field === 'dstAmount'
    ? { ...answer, dstAmount: value }
    : { ...answer, tx: { ...answer.tx, [field.slice(3)]: value } }

const bends: fc.Arbitrary<Bend> = fc.oneof(
  {
    weight: 4,
    arbitrary: bendBytes.map(
      (bend): Bend =>
        (answer) =>
          withData(answer, bend),
    ),
  },
  fc.tuple(fc.constantFrom(...fields), fc.constantFrom(...fields)).map(
    ([one, other]): Bend =>
      (answer) =>
        writeField(writeField(answer, one, readField(answer, other)), other, readField(answer, one)),
  ),
  fc.tuple(fc.constantFrom(...fields), fc.constantFrom(-1n, 1n)).map(
    ([field, by]): Bend =>
      (answer) => {
        const before = readField(answer, field)
        if (typeof before === 'number') return writeField(answer, field, before + Number(by))
        if (!/^(\d+|0x[0-9a-f]{40})$/i.test(before)) return answer
        const after = BigInt(before) + by
        return writeField(answer, field, before.startsWith('0x') ? hexAddress(after) : String(after))
      },
  ),
)

function hexAddress(value: bigint): Hex {
  return `0x${value.toString(16).padStart(40, '0')}`
}

describe(`verification of ${3 * tampered} tampered answers`, () => {
  it.each(['ETH', 'WETH', 'USDT'] as const)(
    'signs no harmful swap (%s)',
    { timeout: 600_000 },
    async (symbol) => {
      const { tokens } = stage.localnet
      const sell = symbol === 'ETH' ? nativeTokenAddress : tokens[symbol]
      liar.tell(undefined)
      const amount = symbol === 'USDT' ? 700_000_000n : parseEther('0.3')
      const { agreed, options } = await deal({ chainId: 31337, sell, buy: tokens.DAI, amount })
      let original: Answer
      liar.tell({
        of: 'swap',
        tell(honest) {
          original = honest
          return honest
        },
      })
      expect((await judge.wouldSign(agreed, await api.swap(agreed.trade, options))).status).toBe('matches')

      const counts = { signed: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(fc.array(bends, { minLength: 1, maxLength: 2 }), async (all) => {
          const bent = all.reduce((answer, bend) => bend(answer), structuredClone(original))
          liar.tell({ of: 'swap', answer: bent })
          const transaction = await unlessRefused(async () => {
            const answered = await api.swap(agreed.trade, options)
            await judge.wouldSign(agreed, answered)
            return answered
          })
          if (transaction === undefined) counts.refused++
          else {
            counts.signed++
            await judge.expectHarmless(agreed, transaction)
          }
        }),
        { numRuns: tampered, endOnFailure: true },
      )
      // Unverified fields may change, and minReturn may rise.
      if (isTorture) expect(counts.signed).toBeGreaterThan(5)
      expect(counts.refused).toBeGreaterThan(tampered / 2)
      figure(
        '36–41',
        `${tampered} bent answers selling ${symbol}: ${counts.refused} refused, ${counts.signed} harmless ones signed, 0 harmful`,
      )
    },
  )
})

describe(`verification of ${honestOnes} honest answers`, () => {
  it('rejects no honest answer', { timeout: 900_000 }, async () => {
    liar.tell(undefined)
    const { tokens } = stage.localnet
    const balances = await chain.balances(account, [nativeTokenAddress, ...Object.values(tokens)])
    const all = [nativeTokenAddress, ...localnetTokens.map(({ symbol }) => tokens[symbol])] as Address[]
    const trades = fc.record({
      sell: fc.constantFrom(...all),
      buy: fc.constantFrom(...all),
      // From dust to a third, uniform over magnitudes.
      digits: fc.double({ min: 0.2, max: 1, noNaN: true }),
    })
    const counts = { honest: 0, noOffer: 0 }
    let seed = 1
    while (counts.honest < honestOnes) {
      const batch = fc.sample(trades, { numRuns: 4, seed: seed++ })
      await Promise.all(
        batch.map(async ({ sell, buy, digits }) => {
          if (sell === buy) return
          const most = (balances[sell] ?? 0n) / 3n
          const amount = BigInt(Math.floor(Number(most) ** digits))
          const found = await deal({ chainId: 31337, sell, buy, amount }).catch((error: unknown) => {
            if (error instanceof WalletError) return undefined
            throw error
          })
          if (found === undefined || found.agreed.floor === 0n) return void counts.noOffer++
          const verdict = await judge.wouldSign(found.agreed, found.honest).catch((error: unknown) => {
            throw new Error(`Refused: ${sell} ${buy} ${amount}`, { cause: error })
          })
          expect(verdict.status).toBe('matches')
          counts.honest++
        }),
      )
    }
    expect(counts.honest).toBeGreaterThanOrEqual(honestOnes)
    expect(counts.noOffer).toBeLessThan(honestOnes / 2)
    figure('36–41', `${counts.honest} honest answers: 0 refused`)
  })
})
