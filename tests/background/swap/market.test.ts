import { erc20Abi, parseAbi, parseEther, parseUnits } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import type { SwapApi } from '../../../src/api/client.ts'
import { createPriceImpact } from '../../../src/background/quotes/priceImpact.ts'
import { checkPrice } from '../../../src/domain/swap/market.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { Review } from '../../../src/domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'
import { readWord, writeWord } from '../../helpers/service/lyingService.ts'

// Wrong prices in both directions: the route is real and simulates, but the low minReturn leaves a third
// party the difference.

const stage = useStage()
let browser: Browser

beforeEach(async () => {
  const { v2Factory, v3Factory } = stage.localnet.contracts
  Object.assign(stage.network, { stable: stage.localnet.tokens.USDC, market: { v2Factory, v3Factory } })
  browser = await createBrowser(stage)
})

/** `num`/`den` of the honest price, inverted for the reverse trade if `isConsistent`. */
function lying(num: bigint, den: bigint, isConsistent = true) {
  const bent = (api: SwapApi): SwapApi => ({
    ...api,
    async quote(trade, ...rest) {
      const quote = await api.quote(trade, ...rest)
      // The reverse quote starts at the false return.
      const returns = isConsistent ? (quote.returns * den) / num : quote.returns
      return { ...quote, returns }
    },
    async swap(asked, options) {
      const honest = await api.swap(asked, options)
      // Honours the accepted minReturn; the first follows the lie.
      if (options.leastReturn !== undefined) return honest
      const data = writeWord(honest.data, 'floor', (readWord(honest.data, 'floor') * num) / den + 1n)
      return { ...honest, returns: (honest.returns * num) / den, data }
    },
  })
  const liar: Worker = createWorker(browser, {
    api: bent,
    impact: createPriceImpact({
      quote: async ({ trade, options }) => (await liar.networks.api(31337)).quote(trade, options),
    }),
  })
  return liar
}

const sale = (): Trade => ({
  chainId: 31337,
  sell: nativeTokenAddress,
  buy: stage.localnet.tokens.USDC,
  amount: parseEther('5'),
})

const nonce = () => stage.localnet.client.getTransactionCount({ address: browser.account })

const statusOf = ({ quote, floor, market }: Review) => checkPrice(quote.returns, floor, market).status

describe('price that is false in both directions', () => {
  it('matches in the simulation and the price impact, but rates the price as far below the market', async () => {
    const review = await lying(6n, 10n).review(sale())
    expect(review.verdict.status).toBe('matches')
    expect(review.impactBps).toBeLessThan(10)
    expect(review.quote.returns).toBeLessThan(parseUnits('9100', 6))
    expect(review.market?.returns).toBeGreaterThan(parseUnits('14900', 6))
    expect(statusOf(review)).toBe('far-below')
  })

  it('signs the swap only when the user accepted the loss', async () => {
    const liar = lying(6n, 10n)
    const review = await liar.review(sale())
    const before = await nonce()
    const intent = accept(browser.account, sale(), review)
    await liar.swap(intent)
    expect((await liar.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'below-market' })
    expect(await nonce()).toBe(before)

    const willing = { ...accept(browser.account, sale(), review), acceptedLossBps: 4_100 }
    await liar.swap(willing)
    expect((await liar.over(willing.id)).outcome).toMatchObject({ status: 'done' })
  })

  it('rejects a loss above the accepted one', async () => {
    const liar = lying(6n, 10n)
    const intent = { ...accept(browser.account, sale(), await liar.review(sale())), acceptedLossBps: 1_500 }
    await liar.swap(intent)
    expect((await liar.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'below-market' })
  })

  it('rejects the swap before the approval of a token is signed', async () => {
    const wanted = { ...sale(), sell: stage.localnet.tokens.WBTC, amount: parseUnits('0.1', 8) }
    const liar = lying(6n, 10n)
    const review = await liar.review(wanted)
    expect(review.steps[0]).toBe('approve')
    const before = await nonce()
    const intent = accept(browser.account, wanted, review)
    await liar.swap(intent)
    expect((await liar.over(intent.id)).outcome).toMatchObject({ code: 'below-market' })
    expect(await nonce()).toBe(before)
  })

  it('shows a price impact when only the forward price is false', async () => {
    const review = await lying(6n, 10n, false).review(sale())
    expect(review.impactBps).toBeGreaterThan(1_000)
    expect(statusOf(review)).toBe('far-below')
  })

  it('rates a loss of five percent as below the market, and signs the swap', async () => {
    const liar = lying(95n, 100n)
    const review = await liar.review(sale())
    expect(statusOf(review)).toBe('below')
    const intent = accept(browser.account, sale(), review)
    await liar.swap(intent)
    expect((await liar.over(intent.id)).outcome).toMatchObject({ status: 'done' })
  })

  it('ignores a new pool at the false price', async () => {
    const { LINK, USDC } = stage.localnet.tokens
    const wanted = { ...sale(), sell: LINK, amount: parseEther('100') }
    const honest = await createWorker(browser).review(wanted)
    await openV2(LINK, USDC, parseEther('2000'), parseUnits('18000', 6))
    const review = await lying(6n, 10n).review(wanted)
    expect(review.market?.returns).toBe(honest.market?.returns)
    expect(statusOf(review)).toBe('far-below')
  })
})

describe('market price in a review', () => {
  it('rates an honest quote as near, wherever a market is known', async () => {
    const { USDC, WBTC, LINK, WETH } = stage.localnet.tokens
    const worker = createWorker(browser)
    for (const [sell, buy, amount] of [
      [nativeTokenAddress, USDC, parseEther('1')],
      [USDC, WETH, parseUnits('3000', 6)],
      [WBTC, LINK, parseUnits('0.01', 8)],
    ] as const) {
      expect(statusOf(await worker.review({ chainId: 31337, sell, buy, amount }))).toBe('near')
    }
  })

  it('excludes the partner fee from the loss', async () => {
    const options = { feeBps: 300, referrer: deployer }
    expect(statusOf(await createWorker(browser).review(sale(), { options }))).toBe('near')
  })

  it('omits the market price without an independent market, and executes the swap', async () => {
    const { DAI, BROOK } = stage.localnet.tokens
    const wanted = { chainId: 31337, sell: DAI, buy: BROOK, amount: parseEther('10') }
    const worker = createWorker(browser)
    const review = await worker.review(wanted)
    expect(review.market).toBeUndefined()
    const intent = accept(browser.account, wanted, review)
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toMatchObject({ status: 'done' })
  })

  it('completes the review when the market price cannot be read', async () => {
    const worker = createWorker(browser, {
      chain: (chain) => ({ ...chain, marketReturns: () => Promise.reject(new Error('Silent.')) }),
    })
    expect((await worker.review(sale())).market).toBeUndefined()
  })

  it('reads the market price again at signing, and rejects a minimum below it', async () => {
    const { oracle } = stage.localnet.contracts
    Object.assign(stage.network, { market: { oracle } })
    browser = await createBrowser(stage)
    const worker = createWorker(browser)
    const review = await worker.review(sale())
    expect(review.market).toMatchObject({ returns: parseUnits('15000', 6), source: 'oracle' })
    await stage.localnet.setFeed('WETH', { answer: 3_500_00000000n })
    const intent = accept(browser.account, sale(), review)
    await worker.swap(intent)
    expect((await worker.over(intent.id)).outcome).toMatchObject({ status: 'failed', code: 'below-market' })
  })
})

async function openV2(one: Address, other: Address, ofOne: bigint, ofOther: bigint): Promise<void> {
  const { client, contracts } = stage.localnet
  const factory = {
    address: contracts.v2Factory,
    abi: parseAbi([
      'function createPair(address, address)',
      'function getPair(address, address) view returns (address)',
    ]),
  }
  await client.writeContractSync({ ...factory, functionName: 'createPair', args: [one, other] })
  const pair = await client.readContract({ ...factory, functionName: 'getPair', args: [one, other] })
  for (const [token, amount] of [
    [one, ofOne],
    [other, ofOther],
  ] as const) {
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [pair, amount] } as const
    await client.writeContractSync({ address: token, ...transfer })
  }
  const mint = {
    abi: parseAbi(['function mint(address to)']),
    functionName: 'mint',
    args: [deployer],
  } as const
  await client.writeContractSync({ address: pair, ...mint })
}
