import { describe, expect, it } from 'vitest'
import type { SwapApi } from '../../src/api/api.ts'
import { createQuotes } from '../../src/background/quotes.ts'
import type { Quote, Trade } from '../../src/domain/trade.ts'

const trade = (amount: bigint): Trade => ({
  chainId: 31337,
  sell: '0x6b175474e89094c44da98b954eedeac495271d0f',
  buy: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  amount,
})

/** A service whose answers are given by the test, in any order. */
function service() {
  const asked: { arguments: unknown[]; signal: AbortSignal; answer: (returns: bigint) => void }[] = []
  const api = {
    quote: (...[wanted, options, signal]: Parameters<SwapApi['quote']>) =>
      new Promise<Quote>((resolve, reject) => {
        signal!.addEventListener('abort', () => reject(new Error('aborted')))
        const answer = (returns: bigint) => resolve({ trade: wanted, returns, gas: 1n, route: [] })
        asked.push({ arguments: [wanted, options], signal: signal!, answer })
      }),
  } as SwapApi
  return { asked, apiOf: async () => api }
}

const feePerGasOf = async () => 3n

describe('createQuotes', () => {
  it('asks the service once for equal trades under way and within a second', async () => {
    let now = 0
    const { asked, apiOf } = service()
    const quote = createQuotes({ apiOf, feePerGasOf, now: () => now })
    const both = [quote(trade(1n)), quote(trade(1n))]
    await Promise.resolve()
    asked[0]!.answer(5n)
    expect((await Promise.all(both)).map(({ returns }) => returns)).toEqual([5n, 5n])
    now = 999
    expect((await quote(trade(1n))).returns).toBe(5n)
    expect(asked).toHaveLength(1)
    now = 1_000
    const fresh = quote(trade(1n))
    await Promise.resolve()
    asked[1]!.answer(6n)
    expect((await fresh).returns).toBe(6n)
  })

  it('aborts what a view asked for when it asks for another trade', async () => {
    const { asked, apiOf } = service()
    const quote = createQuotes({ apiOf, feePerGasOf })
    const old = quote(trade(1n), 'form')
    await Promise.resolve()
    const fresh = quote(trade(2n), 'form')
    await expect(old).rejects.toThrow('aborted')
    asked[1]!.answer(7n)
    expect((await fresh).returns).toBe(7n)
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false])
  })

  it('lets the questions of several views, and of nobody’s, stand side by side', async () => {
    const { asked, apiOf } = service()
    const quote = createQuotes({ apiOf, feePerGasOf })
    const all: Promise<Quote>[] = []
    for (const view of ['form', 'other', undefined, undefined]) {
      all.push(quote(trade(BigInt(all.length)), view))
      // Each reaches the service before the next is asked.
      await Promise.resolve()
    }
    for (const [at, one] of asked.entries()) one.answer(BigInt(at))
    expect((await Promise.all(all)).map(({ returns }) => returns)).toEqual([0n, 1n, 2n, 3n])
  })

  it('goes on with a question that somebody else waits for', async () => {
    const { asked, apiOf } = service()
    const quote = createQuotes({ apiOf, feePerGasOf })
    const shared = quote(trade(1n), 'other')
    quote(trade(1n), 'form')
    const kept = quote(trade(2n), 'form')
    quote(trade(2n))
    quote(trade(3n), 'form')
    await Promise.resolve()
    asked[0]!.answer(5n)
    asked[1]!.answer(6n)
    expect((await shared).returns).toBe(5n)
    expect((await kept).returns).toBe(6n)
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([false, false, false])
  })

  it('sends the trade and nothing else: no address', async () => {
    const { asked, apiOf } = service()
    createQuotes({ apiOf, feePerGasOf })(trade(1n))
    await Promise.resolve()
    expect(asked[0]!.arguments).toEqual([trade(1n), {}])
  })

  it('adds what the gas costs once the node said so, and never waits for a node that is silent', async () => {
    const { asked, apiOf } = service()
    let say = (_fee: bigint): void => {}
    const slow = () => new Promise<bigint>((resolve) => (say = resolve))
    const quote = createQuotes({ apiOf, feePerGasOf: slow })
    const first = quote(trade(1n))
    await Promise.resolve()
    asked[0]!.answer(5n)
    expect((await first).networkFee).toBeUndefined()

    say(7n)
    const second = quote(trade(2n))
    await Promise.resolve()
    asked[1]!.answer(5n)
    expect((await second).networkFee).toBe(7n)
  })

  it('asks anew after a failure, however soon', async () => {
    let fails = true
    const quoted: Quote = { trade: trade(1n), returns: 5n, gas: 1n, route: [] }
    const api = {
      quote: async () => {
        if (fails) throw new Error('no route')
        return quoted
      },
    } as unknown as SwapApi
    const quote = createQuotes({ apiOf: async () => api, feePerGasOf, now: () => 0 })
    await expect(quote(trade(1n))).rejects.toThrow('no route')
    fails = false
    expect((await quote(trade(1n))).returns).toBe(5n)
  })
})
