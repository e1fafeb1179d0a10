import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { createQuotes, readNetworkFees } from '../../../src/background/quotes/quotes.ts'
import type { FetchQuote } from '../../../src/background/quotes/rateLimitedQuotes.ts'
import type { Quote, QuoteRequest } from '../../../src/domain/swap/quote.ts'
import { createChain } from '../../../src/evm/client.ts'
import { local } from '../../helpers/state/fakes.ts'

const priceAsk = (amount: bigint): QuoteRequest => ({
  trade: {
    chainId: 31337,
    sell: '0x6b175474e89094c44da98b954eedeac495271d0f',
    buy: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    amount,
  },
})

function service() {
  const asked: { ask: QuoteRequest; signal: AbortSignal; answer: (returns: bigint) => void }[] = []
  const price: FetchQuote = (ask, signal) =>
    new Promise<Quote>((resolve, reject) => {
      signal!.addEventListener('abort', () => reject(new Error('aborted')))
      const answer = (returns: bigint) => resolve({ trade: ask.trade, returns, gas: 2n, route: [] })
      asked.push({ ask, signal: signal!, answer })
    })
  return { asked, price }
}

const costsOf = async () => ({ perGas: 3n, mostPerGas: 5n, l1Fee: 0n })

describe('createQuotes', () => {
  it('shares one request among equal quotes in flight and within one second', async () => {
    let now = 0
    const { asked, price } = service()
    const quote = createQuotes({ price, costsOf, now: () => now })
    const both = [quote(priceAsk(1n)), quote(priceAsk(1n))]
    await Promise.resolve()
    asked[0]!.answer(5n)
    expect((await Promise.all(both)).map(({ returns }) => returns)).toEqual([5n, 5n])
    now = 999
    expect((await quote(priceAsk(1n))).returns).toBe(5n)
    expect(asked).toHaveLength(1)
    now = 1_000
    const fresh = quote(priceAsk(1n))
    await Promise.resolve()
    asked[1]!.answer(6n)
    expect((await fresh).returns).toBe(6n)
  })

  it('aborts the quote of a view that drops it, not one that others wait for', async () => {
    const { asked, price } = service()
    const quote = createQuotes({ price, costsOf })
    const old = quote({ ...priceAsk(1n), isComparison: true }, 'comparison')
    // The same trade as a quote is another request.
    quote(priceAsk(1n), 'form')
    quote(priceAsk(2n), 'comparison')
    await expect(old).rejects.toThrow('aborted')
    quote(priceAsk(2n), 'form')
    quote.drop('comparison')
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true, false])
    const last = quote({ ...priceAsk(3n), isComparison: true }, 'comparison')
    quote.drop('comparison')
    await expect(last).rejects.toThrow('aborted')
    expect(asked[2]!.signal.aborted).toBe(false)
  })

  it('aborts the quote of a view when the view requests another trade', async () => {
    const { asked, price } = service()
    const quote = createQuotes({ price, costsOf })
    const old = quote(priceAsk(1n), 'form')
    await Promise.resolve()
    const fresh = quote(priceAsk(2n), 'form')
    await expect(old).rejects.toThrow('aborted')
    asked[1]!.answer(7n)
    expect((await fresh).returns).toBe(7n)
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })

  it('serves concurrent quotes of several views and of no view', async () => {
    const { asked, price } = service()
    const quote = createQuotes({ price, costsOf })
    const all: Promise<Quote>[] = []
    for (const view of ['form', 'other', undefined, undefined]) {
      all.push(quote(priceAsk(BigInt(all.length)), view))
      await Promise.resolve()
    }
    for (const [at, one] of asked.entries()) one.answer(BigInt(at))
    expect((await Promise.all(all)).map(({ returns }) => returns)).toEqual([0n, 1n, 2n, 3n])
  })

  it('continues a quote while another caller waits for it', async () => {
    const { asked, price } = service()
    const quote = createQuotes({ price, costsOf })
    const shared = quote(priceAsk(1n), 'other')
    quote(priceAsk(1n), 'form')
    const kept = quote(priceAsk(2n), 'form')
    quote(priceAsk(2n))
    quote(priceAsk(3n), 'form')
    await Promise.resolve()
    asked[0]!.answer(5n)
    asked[1]!.answer(6n)
    expect((await shared).returns).toBe(5n)
    expect((await kept).returns).toBe(6n)
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false, false])
  })

  it('separates quotes with different options, and shares quotes with equal options', async () => {
    const { asked, price } = service()
    const quote = createQuotes({ price, costsOf })
    const ask = (options: QuoteRequest['options']) => quote({ ...priceAsk(1n), ...(options && { options }) })
    const all = [
      ask(undefined),
      ask({}),
      ask({ parts: 5, gasPrice: 7n }),
      ask({ gasPrice: 7n, parts: 5 }),
      ask({ parts: 6, gasPrice: 7n }),
    ]
    for (const [at, one] of asked.entries()) one.answer(BigInt(at))
    expect((await Promise.all(all)).map(({ returns }) => returns)).toEqual([0n, 0n, 1n, 1n, 2n])
  })

  it('passes only the request to the service, without an address', () => {
    const { asked, price } = service()
    const ask = { ...priceAsk(1n), options: { parts: 5 } }
    createQuotes({ price, costsOf })(ask, 'form')
    expect(asked[0]!.ask).toEqual(ask)
  })

  it('adds the network fee once the RPC has answered, and never waits for a silent RPC', async () => {
    const { asked, price } = service()
    type Costs = Awaited<ReturnType<typeof costsOf>>
    let say = (_costs: Costs): void => {}
    const slow = () => new Promise<Costs>((resolve) => (say = resolve))
    const quote = createQuotes({ price, costsOf: slow })
    const first = quote(priceAsk(1n))
    asked[0]!.answer(5n)
    expect((await first).networkFee).toBeUndefined()

    say({ perGas: 7n, mostPerGas: 12n, l1Fee: 100n })
    const second = quote(priceAsk(2n))
    asked[1]!.answer(5n)
    expect(await second).toMatchObject({ networkFee: 94n, mostNetworkFee: 124n })
  })

  it('reads network fees once for successive quotes, and drops fees that cannot be renewed', async () => {
    let now = 0
    let isDown = false
    let reads = 0
    const { asked, price } = service()
    const quote = createQuotes({
      price,
      async costsOf() {
        reads += 1
        if (isDown) throw new Error('The node is down.')
        return { perGas: 1n, mostPerGas: 2n, l1Fee: 0n }
      },
      now: () => now,
    })
    const feeOf = async (amount: bigint) => {
      const answer = quote(priceAsk(amount))
      // The RPC answers first.
      await Promise.resolve()
      asked.at(-1)!.answer(5n)
      return (await answer).networkFee
    }
    expect(await feeOf(1n)).toBe(2n)
    now = 2_000
    expect(await feeOf(2n)).toBe(2n)
    expect(reads).toBe(1)
    now = 2_001
    expect(await feeOf(3n)).toBe(2n)
    expect(reads).toBe(2)
    isDown = true
    now = 10_000
    expect(await feeOf(4n)).toBeUndefined()
  })

  it('requests a new quote at once after a failure', async () => {
    let fails = true
    const price: FetchQuote = async ({ trade }) => {
      if (fails) throw new Error('no route')
      return { trade, returns: 5n, gas: 1n, route: [] }
    }
    const quote = createQuotes({ price, costsOf, now: () => 0 })
    await expect(quote(priceAsk(1n))).rejects.toThrow('no route')
    fails = false
    expect((await quote(priceAsk(1n))).returns).toBe(5n)
  })
})

describe('readNetworkFees with a real RPC', () => {
  let localnet: Localnet
  beforeAll(async () => {
    localnet = await createLocalnet()
  })
  afterAll(() => localnet?.stop())

  it('returns the effective gas price of a transaction, below its maxFeePerGas', async () => {
    const chain = createChain({ ...local, rpcUrl: localnet.rpcUrl })
    const { maxFeePerGas, maxPriorityFeePerGas } = await chain.fees()
    const { perGas, mostPerGas, l1Fee } = await readNetworkFees(chain)
    expect([mostPerGas, l1Fee]).toEqual([maxFeePerGas, 0n])
    const [from, to] = localnet.accounts.map(({ address }) => address)
    if (from === undefined || to === undefined) throw new Error('The localnet has no two accounts.')
    const offer = { maxFeePerGas, maxPriorityFeePerGas }
    const hash = await localnet.client.sendTransaction({ account: from, to, value: 1n, ...offer })
    const { effectiveGasPrice } = await localnet.client.receiptOf(hash)
    expect(perGas).toBe(effectiveGasPrice)
    expect(perGas).toBeLessThan(mostPerGas)
  })
})
