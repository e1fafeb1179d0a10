import fc from 'fast-check'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tokens as localnetTokens } from '../../../dev/pools/tokens.ts'
import type { SwapApi, SwapOptions } from '../../../src/api/client.ts'
import { createHttp } from '../../../src/api/http.ts'
import { v6 } from '../../../src/api/v6.ts'
import { readDeadlines } from '../../../src/background/swap/deadlines.ts'
import { simulateAll } from '../../../src/background/swap/simulate.ts'
import { verifySwapCalldata } from '../../../src/background/swap/verifyCalldata.ts'
import { approval } from '../../../src/background/tokens/approvalCalls.ts'
import type { Call } from '../../../src/domain/activity/callBatch.ts'
import type { SimulationVerdict } from '../../../src/domain/activity/simulation.ts'
import { computeMinReturn, type SwapTransaction, type Trade } from '../../../src/domain/swap/quote.ts'
import { requireMatch, type SwapExpectations } from '../../../src/domain/swap/simulationCheck.ts'
import { type Address, type Hex, isNative, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { useStage } from '../../helpers/background/worker.ts'
import { figure } from '../../helpers/figures.ts'
import { isTorture, runs } from '../../helpers/runs.ts'
import { startLiar, thief } from '../../helpers/service/lyingService.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

/** Per sold token. */
const tampered = runs(60, 3_400)
const honestOnes = runs(100, 1_000)

const stage = useStage()
let liar: Awaited<ReturnType<typeof startLiar>>
let api: SwapApi
let chain: Chain
const account: Address = '0xa11ce00000000000000000000000000000000001'

beforeAll(async () => {
  liar = await startLiar(stage.service.url)
  api = v6(createHttp({ baseUrl: liar.url }), 31337)
  chain = createChain(stage.network)
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

function callsOf({ trade, router }: SwapExpectations, { to, data, value }: SwapTransaction): Call[] {
  const swap: Call = { to, data, value }
  return isNative(trade.sell) ? [swap] : [approval(trade.sell, router, trade.amount), swap]
}

/** Throws on refusal. */
async function wouldSign(agreed: SwapExpectations, transaction: SwapTransaction): Promise<SimulationVerdict> {
  const said = verifySwapCalldata(transaction, agreed, {
    strict: true,
    isBindingRouter: true,
    deadlines: await readDeadlines(chain, Date.now()),
  })
  const { verdict } = await simulateAll(chain, callsOf(agreed, transaction), agreed)
  requireMatch(verdict, said, [])
  return verdict
}

/** Reverts all it sends. */
async function expectHarmless(agreed: SwapExpectations, transaction: SwapTransaction): Promise<void> {
  const { client, tokens, contracts } = stage.localnet
  const all = [nativeTokenAddress, ...Object.values(tokens)]
  const before = await chain.balances(account, all)
  const snapshot = await client.snapshot()
  try {
    await client.impersonateAccount({ address: account })
    let fees = 0n
    for (const { to, data, value } of callsOf(agreed, transaction)) {
      const receipt = await client.execute({ account, to: to!, data, value, gas: 4_000_000n })
      fees += receipt.gasUsed * receipt.effectiveGasPrice
    }
    const after = await chain.balances(account, all)
    const change = (token: Address) =>
      (after[token] ?? 0n) - (before[token] ?? 0n) + (token === nativeTokenAddress ? fees : 0n)
    for (const token of all) {
      if (token === agreed.trade.sell) expect(-change(token)).toBeLessThanOrEqual(agreed.trade.amount)
      else expect(change(token)).toBeGreaterThanOrEqual(0n)
    }
    expect(change(agreed.trade.buy)).toBeGreaterThanOrEqual(agreed.floor)
    const spenders = [contracts.router, contracts.permit2, thief] as Address[]
    expect(await chain.allowances(account, Object.values(tokens), spenders)).toEqual([])
  } finally {
    await client.revert({ id: snapshot })
  }
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

const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
// Squared, to prefer the arguments at the start.
const wordAt = (share: number, length: number) => 4 + 32 * Math.floor(share * share * ((length - 4) / 32))
const bends: fc.Arbitrary<Bend> = fc.oneof(
  fc.tuple(position, fc.integer({ min: 1, max: 255 })).map(
    ([at, flip]): Bend =>
      (answer) =>
        withData(answer, (bytes) => {
          bytes[Math.floor(at * bytes.length)]! ^= flip
          return bytes
        }),
  ),
  fc.tuple(position, position).map(
    ([to, from]): Bend =>
      (answer) =>
        withData(answer, (bytes) => {
          const at = wordAt(from, bytes.length)
          Buffer.from(bytes.subarray(at, at + 32)).copy(bytes, wordAt(to, bytes.length))
          return bytes
        }),
  ),
  fc.tuple(position, fc.constantFrom(-1n, 1n)).map(
    ([at, by]): Bend =>
      (answer) =>
        withData(answer, (bytes) => {
          const start = wordAt(at, bytes.length)
          const before = BigInt(`0x${bytes.toString('hex', start, start + 32) || '0'}`)
          const after = BigInt.asUintN(256, before + by)
          bytes.write(after.toString(16).padStart(64, '0'), start, 'hex')
          return bytes
        }),
  ),
  fc.integer({ min: -64, max: 64 }).map(
    (by): Bend =>
      (answer) =>
        withData(answer, (bytes) => Buffer.concat([bytes, Buffer.alloc(64)]).subarray(0, bytes.length + by)),
  ),
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
      expect((await wouldSign(agreed, await api.swap(agreed.trade, options))).status).toBe('matches')

      const counts = { signed: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(fc.array(bends, { minLength: 1, maxLength: 2 }), async (all) => {
          const bent = all.reduce((answer, bend) => bend(answer), structuredClone(original))
          liar.tell({ of: 'swap', answer: bent })
          const transaction = await unlessRefused(async () => {
            const answered = await api.swap(agreed.trade, options)
            await wouldSign(agreed, answered)
            return answered
          })
          if (transaction === undefined) counts.refused++
          else {
            counts.signed++
            await expectHarmless(agreed, transaction)
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
          const verdict = await wouldSign(found.agreed, found.honest).catch((error: unknown) => {
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

/** Network errors are no refusal. */
async function unlessRefused<Answer>(act: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof WalletError) || /-(unreachable|timeout|busy)$/.test(error.code)) throw error
    return undefined
  }
}
