import { maxUint256, parseAbi, parseEther } from 'viem'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import { isSigned } from '../../../src/background/transactions/journal.ts'
import type { Trade } from '../../../src/domain/swap/quote.ts'
import type { Review, Swap } from '../../../src/domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  accept,
  type Browser,
  createBrowser,
  createWorker,
  useStage,
  type Worker,
} from '../../helpers/background/worker.ts'

const stage = useStage()
let browser: Browser
let worker: Worker
/** Gas limits that the service was asked for. */
let limits: (number | undefined)[]
let keepsLimit = true

beforeEach(async () => {
  browser = await createBrowser(stage)
  limits = []
  keepsLimit = true
  worker = createWorker(browser, {
    api: (api) => ({
      ...api,
      swap(trade, { gasLimit, ...asked }) {
        limits.push(gasLimit)
        return api.swap(trade, { ...asked, ...(keepsLimit && gasLimit && { gasLimit }) })
      },
    }),
  })
})

/** The routes of least gas are then the best ones, by little. */
beforeAll(() => sellStable('DAI', 'USDC', 20_000n))
const makeWorse = () => sellStable('USDC', 'DAI', 400_000n)
afterEach(() => sellStable('DAI', 'USDC', 400_000n))

const poolAbi = parseAbi([
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96)) payable returns (uint256)',
])
const tokenAbi = parseAbi(['function approve(address, uint256)'])

/** Another trader uses the pool of the routes that need the least gas. */
async function sellStable(sell: TokenSymbol, buy: TokenSymbol, usd: bigint): Promise<void> {
  const { client, contracts, tokens } = stage.localnet
  const [tokenIn, tokenOut] = [tokens[sell], tokens[buy]]
  const approval = { address: tokenIn, abi: tokenAbi, functionName: 'approve' } as const
  await client.writeContractSync({ ...approval, args: [contracts.swapRouter, maxUint256] })
  const amountIn = usd * (sell === 'USDC' ? 10n ** 6n : 10n ** 18n)
  const pool = { tokenIn, tokenOut, fee: 500, recipient: deployer }
  const args = [{ ...pool, amountIn, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }] as const
  const swap = { address: contracts.swapRouter, abi: poolAbi, functionName: 'exactInputSingle' } as const
  await client.writeContractSync({ ...swap, args })
  await stage.service.engine.refresh()
}

const tokenOf = (symbol: TokenSymbol | 'ETH'): Address =>
  symbol === 'ETH' ? nativeTokenAddress : stage.localnet.tokens[symbol]

const tradeOf = (sell: TokenSymbol | 'ETH', amount: bigint): Trade => ({
  chainId: 31337,
  sell: tokenOf(sell),
  buy: tokenOf('DAI'),
  amount,
})

// The stable Solidly pool pays a little more, for more gas.
const wanted = { options: { protocols: ['UNISWAP_V3', 'AERODROME_V2', 'WETH'] } }

const sales = [
  ['ETH', parseEther('0.5')],
  // An approval first.
  ['WETH', parseEther('0.5')],
  // A permit.
  ['USDC', 900_000_000n],
] as const

/** Below the usual cap, which a Solidly pool exceeds only while it appends a price observation. */
const capOf = ({ networkFee }: Review) => (networkFee * 13n) / 10n

async function confirm(trade: Trade, review: Review): Promise<Swap['outcome']> {
  const intent = { ...accept(browser.account, trade, review, wanted), feeCap: capOf(review) }
  limits = []
  await worker.swap(intent)
  return (await worker.over(intent.id)).outcome
}

async function signedFee(): Promise<bigint> {
  const steps = (await worker.journal.list()).flatMap((record) => record.steps)
  return steps.filter(isSigned).reduce((sum, { fee }) => sum + fee, 0n)
}

describe('a swap whose best route needs more gas than was accepted', () => {
  it.each(sales)('takes a route of less gas: %s', async (sell, amount) => {
    const trade = tradeOf(sell, amount)
    const review = await worker.review(trade, wanted)
    await makeWorse()
    const dearer = await worker.review(trade, wanted)
    expect(dearer.networkFee).toBeGreaterThan(capOf(review))

    expect((await confirm(trade, review)).status).toBe('done')
    expect(await signedFee()).toBeLessThanOrEqual(capOf(review))
    const asked = limits.filter((limit) => limit !== undefined)
    expect(limits[0]).toBeUndefined()
    expect(asked.length).toBeGreaterThan(0)
    expect(BigInt(Math.max(...asked))).toBeLessThan(dearer.quote.gas)
  })

  it('is refused unsigned if the service ignores the limit', async () => {
    const trade = tradeOf('WETH', parseEther('0.5'))
    const review = await worker.review(trade, wanted)
    await makeWorse()
    keepsLimit = false
    expect(await confirm(trade, review)).toMatchObject({ status: 'failed', code: 'stale-review' })
    expect(limits).toEqual([undefined, expect.any(Number)])
    expect(await signedFee()).toBe(0n)
  })

  it('takes a route whose fee the native token that is left pays', async () => {
    const trade = tradeOf('ETH', parseEther('0.5'))
    const { networkFee } = await worker.review(trade, wanted)
    const left = (networkFee * 13n) / 10n
    await stage.localnet.client.setBalance({ address: browser.account, value: trade.amount + left })
    const review = await worker.review(trade, wanted)
    await makeWorse()
    expect((await confirm(trade, review)).status).toBe('done')
    expect(limits).toEqual([undefined, expect.any(Number)])
  })

  it('is requested once per transaction while the route stays', async () => {
    const trade = tradeOf('WETH', parseEther('0.5'))
    expect((await confirm(trade, await worker.review(trade, wanted))).status).toBe('done')
    expect(limits).toEqual([undefined, undefined])
  })
})
