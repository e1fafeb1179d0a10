import { erc20Abi, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { toWalletError } from '../../../src/errors.ts'
import { compileFile } from '../../evm/contracts/compiled.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
} from '../../helpers/background/worker.ts'
import { readWord, startTap } from '../../helpers/service/lyingService.ts'

// Short entry points name no bought token, so the pool may pay anything. Only the user's RPC contradicts a
// router and pool that the user trusts.

const moods = [
  'honest',
  'other token',
  'nothing',
  'too little',
  'takes more',
  'honest when tried',
  'pays another',
  'reverts',
] as const
type Mood = (typeof moods)[number]

const stage = useStage()
let tap: Awaited<ReturnType<typeof startTap>>
let router: Address
const pools = {} as Record<Mood, Address>
let browser: Browser
let pool: Address
let entry: keyof typeof entries

const word = (value: bigint) => value.toString(16).padStart(64, '0')
const entries = {
  unoswap: { sells: 'WETH', selector: '0x83800a8e', words: ['sell', 'amount', 'floor'] },
  unoswapTo: { sells: 'WETH', selector: '0xe2c95c82', words: ['receiver', 'sell', 'amount', 'floor'] },
  ethUnoswap: { sells: 'ETH', selector: '0xa76dfc3b', words: ['floor'] },
} as const

beforeAll(async () => {
  const { client, tokens } = stage.localnet
  const { ShortRouter, Pool } = await compileFile('ShortRouter.sol', ['ShortRouter', 'Pool'])
  const deploy = async ({ abi, bytecode }: typeof Pool, args: unknown[]) => {
    const hash = await client.deployContract({ abi, bytecode, args } as never)
    return (await client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
  }
  router = await deploy(ShortRouter, [])
  for (const [mood, name] of moods.entries()) {
    const held = await deploy(Pool, [mood, tokens.DAI, tokens.USDC])
    pools[name] = held
    for (const [token, amount] of [
      [tokens.DAI, parseEther('50000')],
      [tokens.USDC, 50_000_000_000n],
    ] as const)
      await client.writeContractSync({
        address: token,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [held, amount],
      })
  }
  tap = await startTap(stage.localnet.rpcUrl)
})
afterAll(() => tap?.stop())

// Reuses a browser that signed nothing.
beforeEach(async () => {
  if (browser && tap.sent.length === 0) return
  const network = { ...stage.network, rpcUrl: tap.url, router }
  browser = await createBrowser({ ...stage, network }, { strictCalldata: false })
  // Allowance of an earlier swap.
  const { client, tokens } = stage.localnet
  await client.impersonateAccount({ address: browser.account })
  await client.writeContractSync({
    account: browser.account,
    address: tokens.USDC,
    abi: erc20Abi,
    functionName: 'approve',
    args: [router, 1_000n],
  })
  await client.stopImpersonatingAccount({ address: browser.account })
  tap.sent.length = 0
})

function viaPool(api: SwapApi): SwapApi {
  return {
    ...api,
    permitKinds: [],
    spender: async () => router,
    async swap(trade, options) {
      const honest = await api.swap(trade, options)
      const { selector, words } = entries[entry]
      const named = words.map((name) => word(readWord(honest.data, name)))
      return {
        ...honest,
        to: router,
        data: `${selector}${named.join('')}${word(BigInt(pool))}` as Hex,
        gas: 300_000n,
      }
    },
  }
}

function tradeNow(): Trade {
  const { WETH, DAI } = stage.localnet.tokens
  const sell = entries[entry].sells === 'ETH' ? nativeTokenAddress : WETH
  return { chainId: 31337, sell, buy: DAI, amount: parseEther('0.1') }
}

async function confirm(trade: Trade, review: Parameters<typeof accept>[2]): Promise<string> {
  const worker = createWorker(browser, { api: viaPool })
  const intent = accept(browser.account, trade, review)
  await worker.swap(intent)
  const { outcome } = await worker.over(intent.id)
  return outcome.status === 'failed' ? outcome.code : outcome.status
}

const ends: Record<Exclude<Mood, 'honest'>, [verdict: string, confirm: string]> = {
  'other token': ['below-floor', 'below-floor'],
  nothing: ['below-floor', 'below-floor'],
  'too little': ['below-floor', 'below-floor'],
  'takes more': ['unexpected', 'unexpected-change'],
  'honest when tried': ['below-floor', 'below-floor'],
  'pays another': ['below-floor', 'below-floor'],
  reverts: ['reverts', 'would-fail'],
}

describe.each(Object.keys(entries) as (keyof typeof entries)[])('%s', (name) => {
  it('signs and executes a swap through an honest pool', async () => {
    entry = name
    pool = pools.honest
    const trade = tradeNow()
    const review = await createWorker(browser, { api: viaPool }).review(trade)
    expect(review.verdict.status).toBe('matches')
    expect(await confirm(trade, review)).toBe('done')
    expect(new Set(tap.sent).size).toBe(trade.sell === nativeTokenAddress ? 1 : 2)
  })

  const all = Object.entries(ends) as [Exclude<Mood, 'honest'>, [string, string]][]
  // Entry points are verified alike, so one runs everything.
  const some = all.filter(([mood]) => ['other token', 'nothing', 'honest when tried'].includes(mood))

  it.each(name === 'unoswap' ? all : some)(
    'blocks a hostile pool (%s) at the review and after an honest one, and signs nothing',
    async (mood, [verdict, said]) => {
      entry = name
      const trade = tradeNow()
      pool = pools.honest
      const honest = await createWorker(browser, { api: viaPool }).review(trade)
      pool = pools[mood]
      const review = await createWorker(browser, { api: viaPool }).review(trade).catch(toWalletError)
      expect('verdict' in review ? review.verdict.status : review.code).toBe(verdict)
      if ('verdict' in review) expect(await confirm(trade, review)).toBe(said)
      expect(await confirm(trade, honest)).toBe(said)
      const { journal } = createWorker(browser)
      expect((await journal.list()).flatMap(({ steps }) => steps).filter(isSigned)).toEqual([])
      expect(tap.sent).toEqual([])
    },
  )
})
