import { erc20Abi, parseEther, parseTransaction } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import type { Settings } from '../../../src/domain/network/network.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { Review } from '../../../src/domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { toWalletError, type WalletError } from '../../../src/errors.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
  type Wanted,
  type Worker,
} from '../../helpers/background/worker.ts'
import { columnOf } from '../../helpers/runs.ts'
import {
  type Bend,
  type Lie,
  lies,
  routerOfEthereum,
  startLiar,
  startTap,
  thief,
} from '../../helpers/service/lyingService.ts'

const stage = useStage()
let liar: Awaited<ReturnType<typeof startLiar>>
let tap: Awaited<ReturnType<typeof startTap>>
let browser: Browser
let worker: Worker

beforeAll(async () => {
  liar = await startLiar(stage.service.url)
  tap = await startTap(stage.localnet.rpcUrl)
})
afterAll(async () => {
  await liar?.stop()
  await tap?.stop()
})
// Reuses a browser that signed nothing.
let unused: Browser | undefined
beforeEach(async () => {
  liar.tell(undefined)
  tap.sent.length = 0
  unused ??= await open()
  use(unused)
})
afterEach(() => {
  if (tap.sent.length > 0) unused = undefined
})

function open(settings: Partial<Settings> = {}): Promise<Browser> {
  const network = { ...stage.network, serviceUrl: liar.url, rpcUrl: tap.url }
  return createBrowser({ ...stage, network }, settings)
}

function use(one: Browser): void {
  browser = one
  worker = createWorker(browser)
}

type Symbol = TokenSymbol | 'ETH'

const tokenOf = (symbol: Symbol): Address =>
  symbol === 'ETH' ? nativeTokenAddress : stage.localnet.tokens[symbol]
const amounts: Partial<Record<Symbol, bigint>> = {
  ETH: parseEther('0.5'),
  WETH: parseEther('0.5'),
  USDC: 900_000_000n,
}

function tradeOf(sell: Symbol): Trade {
  return { chainId: 31337, sell: tokenOf(sell), buy: tokenOf('DAI'), amount: amounts[sell] ?? 1n }
}

function say({ code, facts }: Pick<WalletError, 'code' | 'facts'>): string {
  return facts.fact === undefined ? code : `${code}: ${facts.fact}`
}

async function expectNothingSigned(): Promise<void> {
  expect((await worker.journal.list()).flatMap(({ steps }) => steps).filter(isSigned)).toEqual([])
  expect(tap.sent).toEqual([])
  expect(await stage.localnet.client.getTransactionCount({ address: browser.account })).toBe(0)
}

async function confirm(trade: Trade, review: Review, wanted: Wanted = {}): Promise<string> {
  const intent = accept(browser.account, trade, review, wanted)
  await worker.swap(intent)
  const { outcome } = await worker.over(intent.id)
  return outcome.status === 'failed' ? say(outcome) : outcome.status
}

/** Includes what stops a confirmation despite the verdict. */
async function review(trade: Trade, ...told: Lie[]): Promise<string> {
  liar.tell(...told)
  try {
    const made = await worker.review(trade)
    return `${made.verdict.status}, then ${await confirm(trade, made)}`
  } catch (error) {
    return say(toWalletError(error))
  }
}

async function reviewThenConfirm(trade: Trade, lie: Lie): Promise<string> {
  const honest = await worker.review(trade)
  expect(honest.verdict.status).toBe('matches')
  liar.tell(lie)
  return confirm(trade, honest)
}

const unsafe = (fact: string) => [`unsafe-transaction: ${fact}`, `unsafe-transaction: ${fact}`] as const
const garbled = ['service-garbled', 'service-garbled'] as const

const ends: Partial<Record<keyof typeof lies, readonly [review: string, confirm: string]>> = {
  'another router': unsafe('router'),
  'a router of another chain': unsafe('chain'),
  'the token as the target': unsafe('router'),
  'another sender': unsafe('sender'),
  'another receiver': unsafe('receiver'),
  'the router as the receiver': unsafe('receiver'),
  'a floor one unit lower': ['below-floor', 'below-floor'],
  'no floor': ['below-floor', 'below-floor'],
  'one wei more along': unsafe('value'),
  'another token sold': unsafe('sell'),
  'another token bought': unsafe('buy'),
  'a larger amount': unsafe('amount'),
  'a smaller amount': unsafe('amount'),
  'a partial fill': unsafe('flags'),
  'a pull through Permit2': unsafe('flags'),
  'an unknown flag': unsafe('flags'),
  'bytes above an address': unsafe('encoding'),
  'bytes behind the calldata': unsafe('encoding'),
  'calldata cut short': unsafe('encoding'),
  'no calldata': unsafe('selector'),
  permitAndCall: unsafe('selector'),
  unoswap: unsafe('selector'),
  'a short entry point': unsafe('selector'),
  'a function nobody knows': unsafe('selector'),
  'an approval instead of a swap': unsafe('router'),
  'more gas than a block has': unsafe('gas'),
  'a price ten percent better': ['below-floor, then below-floor', 'below-floor'],
  'the answer to the way back': ['service-garbled: pair', 'service-garbled: pair'],
  'the way back under the names of the way there': unsafe('sell'),
  'a fee for the thief': unsafe('fee'),
  'a fee that the slippage hides': unsafe('fee'),
  'no deadline': unsafe('deadline'),
  'a deadline of tomorrow': unsafe('deadline'),
  'a deadline that is over': unsafe('deadline'),
  'a route that counts more connectors than it has': unsafe('fee'),
  'a thief for an executor': ['reverts, then would-fail', 'would-fail'],
  'a pool that is none': ['reverts, then would-fail', 'would-fail'],
  'a page of HTML': garbled,
  'JSON that ends early': garbled,
  'nothing at all': garbled,
  'an empty object': garbled,
  'a list': garbled,
  'amounts below zero': garbled,
  'amounts with a point': garbled,
  'numbers where text should be': garbled,
  'half an address': garbled,
  'half a byte': garbled,
  'gas below zero': garbled,
  'no transaction': garbled,
  'a return of nothing': ['no-route', 'no-route'],
}
const swapLies = Object.entries(ends) as [keyof typeof lies, readonly [string, string]][]

// One transaction, an approval first, and a permit.
const sales = ['ETH', 'WETH', 'USDC'] as const
describe.each(sales)('false answers for a swap of %s', (sell) => {
  const tried = columnOf(swapLies, sales.indexOf(sell), sales.length)

  it.each(tried)('blocks %s in the review', async (name, [expected]) => {
    expect(await review(tradeOf(sell), lies[name])).toBe(expected)
    await expectNothingSigned()
  })

  it.each(tried)('blocks %s after an honest review, before any signature', async (name, [, expected]) => {
    expect(await reviewThenConfirm(tradeOf(sell), lies[name])).toBe(expected)
    await expectNothingSigned()
  })

  it('executes a swap with honest answers', async () => {
    expect(await confirm(tradeOf(sell), await worker.review(tradeOf(sell)))).toBe('done')
    expect(tap.sent.length).toBeGreaterThan(0)
  })
})

describe('false answers of the swap service', () => {
  it('rejects a native token swap without value', async () => {
    const lie = lies['no coins along']
    expect(await review(tradeOf('ETH'), lie)).toBe('unsafe-transaction: value')
    await expectNothingSigned()
  })

  it.each([
    ['another spender', 'another router', 'unknown-router'],
    ['a spender of another chain', 'another router', 'unsafe-transaction: chain'],
    ['another spender', 'a router of another chain', 'unknown-router'],
    ['a spender of another chain', 'a router of another chain', 'unsafe-transaction: chain'],
  ] as const)('rejects %s together with %s in the review', async (spender, target, expected) => {
    const lie = [lies[spender], lies[target]]
    expect(await review(tradeOf('WETH'), ...lie)).toBe(expected)
    await expectNothingSigned()
  })

  it.each([
    'another spender',
    'a spender of another chain',
    'an unlimited approval',
    'an approval for somebody else',
    'an approval of another token',
    'an approval with coins',
  ] as const)('ignores %s in the review and after it', async (name) => {
    for (const end of [
      await review(tradeOf('WETH'), lies[name]),
      await reviewThenConfirm(tradeOf('WETH'), lies[name]),
    ]) {
      expect(end).toMatch(/done$/)
      for (const spender of [thief, routerOfEthereum, stage.localnet.contracts.router] as Address[]) {
        const args = [browser.account, spender] as const
        const read = { address: tokenOf('WETH'), abi: erc20Abi, functionName: 'allowance', args } as const
        expect(await stage.localnet.client.readContract(read)).toBe(0n)
      }
    }
  })

  it('rejects a changed partner fee in the review and after an honest one', async () => {
    const friend: Address = `0x${'f1'.repeat(20)}`
    const wanted = { options: { feeBps: 100, referrer: friend } }
    const trade = tradeOf('WETH')
    const honest = await worker.review(trade, wanted)
    for (const name of ['another referrer', 'a fee that the slippage hides'] as const) {
      liar.tell(lies[name])
      await expect(worker.review(trade, wanted)).rejects.toMatchObject({ facts: { fact: 'fee' } })
      expect(await confirm(trade, honest, wanted)).toBe('unsafe-transaction: fee')
      await expectNothingSigned()
    }
    liar.tell(undefined)
    expect(await confirm(trade, await worker.review(trade, wanted), wanted)).toBe('done')
    const args = [friend] as const
    const read = { address: tokenOf('WETH'), abi: erc20Abi, functionName: 'balanceOf', args } as const
    expect(await stage.localnet.client.readContract(read)).toBe(trade.amount / 100n)
  })

  it('rejects an answer that becomes false once the service has the permit', async () => {
    const { tell } = lies['another receiver']
    const later: Bend = {
      of: 'swap',
      tell: (honest, ask, asked) => (asked.has('permit') ? tell(honest, ask, asked) : honest),
    }
    expect(await reviewThenConfirm(tradeOf('USDC'), later)).toBe('unsafe-transaction: receiver')
    await expectNothingSigned()
  })

  it.each(['ETH', 'WETH', 'USDC'] as const)(
    'ignores a false gas value for the gas shown and the gas signed: %s',
    async (sell) => {
      const trade = tradeOf(sell)
      const honest = await worker.review(trade)
      for (const lie of [lies['ten times the gas'], lies['a hundredth of the gas']]) {
        liar.tell(lie)
        const { gas } = await worker.review(trade)
        expect([gas * 10n > honest.gas * 9n, gas * 10n < honest.gas * 11n]).toEqual([true, true])
      }
      expect(await reviewThenConfirm(trade, lies['ten times the gas'])).toBe('done')
      const signed = tap.sent.reduce((sum, raw) => sum + parseTransaction(raw).gas!, 0n)
      expect(signed).toBeLessThan((honest.gas * 5n) / 4n)
    },
  )

  it('ignores an access list that the wallet did not request', async () => {
    const accessList = [{ address: thief, storageKeys: [`0x${'ab'.repeat(32)}`] }]
    const lie: Lie = {
      of: 'swap',
      tell: (honest) => ({ ...honest, tx: { ...honest.tx, accessList, gasUsed: 1 } }),
    }
    expect(await reviewThenConfirm(tradeOf('ETH'), lie)).toBe('done')
    expect(parseTransaction(tap.sent[0]!).accessList ?? []).toEqual([])
  })

  it('simulates short entry points when strict calldata is off, and rejects permitAndCall', async () => {
    use(await open({ strictCalldata: false }))
    // Our router has none of them.
    expect(await review(tradeOf('WETH'), lies['a short entry point'])).toBe('reverts, then would-fail')
    expect(await review(tradeOf('WETH'), lies.permitAndCall)).toBe('unsafe-transaction: selector')
    await expectNothingSigned()
  })
})
