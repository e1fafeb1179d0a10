import { buildSDK } from '@balmy/sdk'
import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { Address } from '../../service/config.ts'
import type { RunningService } from '../../service/server.ts'
import { nativeTokenAddress } from '../../service/tokens/registry.ts'
import { startUnhurried } from '../helpers/service/unhurriedService.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

/** The client knows public chains alone. */
const chainId = 8453
const source = '1inch'
const oneEther = 10n ** 18n

let localnet: Localnet
let service: RunningService
beforeAll(async () => {
  localnet = await createLocalnet({ chainId })
  service = await startUnhurried({ config: localnet.config, rpcUrl: localnet.rpcUrl })
})
afterAll(async () => {
  await service.stop()
  await localnet.stop()
})

/** The client as published. Only its service's URL differs, and what would ask other hosts. */
function createClient(mount: string) {
  const none = async () => ({})
  const prices = { getCurrentPrices: none, getHistoricalPrices: none, getBulkHistoricalPrices: none }
  return buildSDK({
    provider: { source: { type: 'http', url: localnet.rpcUrl, supportedChains: [chainId] } },
    metadata: { source: { type: 'rpc-multicall' } },
    gas: { source: { type: 'rpc' } },
    price: {
      source: { type: 'custom', instance: { ...prices, getChart: none, supportedQueries: () => ({}) } },
    },
    quotes: {
      sourceList: { type: 'local' },
      defaultConfig: { custom: { [source]: { customUrl: `${service.url}${mount}` } } },
    },
  })
}

type Trade = { sell: Address; buy: Address; amount: bigint; recipient?: Address }

describe.each(['/swap/v6.1', '/swap/v6.0', '/v6.0'])('@balmy/sdk with its customUrl at %s', (mount) => {
  /** Owners differ, as mounts share the chain. */
  const owner = () => localnet.accounts[['/swap/v6.1', '/swap/v6.0', '/v6.0'].indexOf(mount)]!.address
  const recipient: Address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'

  function request({ sell, buy, amount, recipient }: Trade, disableValidation = false) {
    return {
      chainId,
      sellToken: sell,
      buyToken: buy,
      order: { type: 'sell' as const, sellAmount: amount },
      slippagePercentage: 0.3333,
      takerAddress: owner(),
      ...(recipient === undefined ? {} : { recipient }),
      filters: { includeSources: [source] },
      sourceConfig: { global: { disableValidation } },
    }
  }

  function balance(token: Address, of: Address): Promise<bigint> {
    const { client } = localnet
    if (token === nativeTokenAddress) return client.getBalance({ address: of })
    return client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [of] })
  }

  async function send(to: string, data: string, value = 0n): Promise<void> {
    await localnet.client.impersonateAccount({ address: owner() })
    const sent = { account: owner(), to: to as Address, data: data as `0x${string}`, value }
    await localnet.client.execute(sent)
    const block = Number(await localnet.client.getBlockNumber())
    const ready = async () => (await (await fetch(`${service.url}/ready`)).json()).block
    await expect.poll(ready).toBe(block)
  }

  async function swap(trade: Trade) {
    const { quoteService } = createClient(mount)
    const quote = await quoteService.getBestQuote({ request: request(trade) })
    const tx = await quoteService.buildTxs({ quotes: { [source]: quote } })[source]!
    const to = trade.recipient ?? owner()
    const before = await balance(trade.buy, to)
    await send(tx.to, tx.data, tx.value)
    return { quote, tx, received: (await balance(trade.buy, to)) - before }
  }

  it('approves, quotes and swaps a token for what it promised, to the wei', async () => {
    const { USDC, DAI } = localnet.tokens
    const { quoteService, allowanceService } = createClient(mount)
    const trade = { sell: USDC, buy: DAI, amount: 1_234_567_890n }

    const refused = quoteService.getQuotes({ request: request(trade) })[source]!
    await expect(refused).rejects.toThrow(
      'Not enough allowance. Amount: 1234567890. Allowance: 0. Spender: 0x',
    )
    const untried = await quoteService.getBestQuote({ request: request(trade, true) })
    const spender = untried.source.allowanceTarget
    expect(spender.toLowerCase()).toBe(localnet.config.router)
    const approval = { abi: erc20Abi, functionName: 'approve' } as const
    await send(USDC, encodeFunctionData({ ...approval, args: [spender as Address, maxUint256] }))
    const allowance = { chainId, token: USDC, owner: owner(), spender }
    expect(await allowanceService.getAllowanceInChain(allowance)).toBe(maxUint256)

    const { quote, tx, received } = await swap(trade)
    expect(received).toBe(quote.buyAmount.amount)
    expect(received).toBeGreaterThan(1_200n * oneEther)
    expect(quote.minBuyAmount.amount).toBeLessThan(received)
    expect(tx.from.toLowerCase()).toBe(owner())
    expect(quote.gas!.estimatedGas).toBeGreaterThan(80_000n)
  })

  it('sells the native coin to another recipient', async () => {
    const trade = { sell: nativeTokenAddress, buy: localnet.tokens.USDC, amount: oneEther, recipient }
    const { quote, tx, received } = await swap(trade)
    expect(tx.value).toBe(oneEther)
    expect(received).toBe(quote.buyAmount.amount)
    expect(received).toBeGreaterThan(2_900_000_000n)
  })

  it('buys the native coin for another recipient', async () => {
    const { USDC } = localnet.tokens
    const trade = { sell: USDC, buy: nativeTokenAddress, amount: 3_000_000_000n, recipient }
    const { quote, received } = await swap(trade)
    expect(received).toBe(quote.buyAmount.amount)
    expect(received).toBeGreaterThan((97n * oneEther) / 100n)
  })

  it('reads the error where there is no route', async () => {
    const trade = { sell: nativeTokenAddress, buy: localnet.config.multicall, amount: oneEther }
    const { quoteService } = createClient(mount)
    const failed = quoteService.getQuotes({ request: request(trade, true) })[source]!
    await expect(failed).rejects.toThrow('insufficient liquidity')
  })
})
