import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHttp } from '../../src/api/http.ts'
import { v6 } from '../../src/api/v6.ts'
import { WalletError } from '../../src/errors.ts'
import { quote, trade } from './answers.ts'

// The wire's text is handed in directly: a socket would add nothing but time to thousands of answers.

describe('an answer made up at random', () => {
  it('is a quote only when it fits the document, and an error of its own kind otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, nearlyQuote), async (body) => expectFits(body)),
      { numRuns: 3_000 },
    )
  })

  it('is a quote often enough for the last test to mean something', async () => {
    const outcomes = await Promise.all(fc.sample(nearlyQuote, 500).map(ask))
    const quotes = outcomes.filter((outcome) => !(outcome instanceof WalletError)).length
    expect(quotes).toBeGreaterThan(20)
    expect(quotes).toBeLessThan(480)
  })
})

const anything = fc.jsonValue({ maxDepth: 4 })

const replacement = fc.oneof(
  anything,
  fc.bigInt(-5n, 2n ** 258n).map(String),
  fc.integer(),
  fc.integer({ min: -10, max: 150 }),
  fc.double({ min: -1, max: 150, noNaN: true }),
)
/** A good quote with up to two places in it replaced. */
const nearlyQuote = fc.array(fc.tuple(fc.nat(200), replacement), { maxLength: 2 }).map((changes) => {
  const body: unknown = structuredClone(quote)
  for (const [place, value] of changes) replace(body, place, value)
  return body
})

function replace(body: unknown, place: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = []
  const walk = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key])
      walk((node as Record<string, unknown>)[key])
    }
  }
  walk(body)
  const found = places[place % Math.max(places.length, 1)]
  if (found) found[0][found[1]] = value
}

async function expectFits(body: unknown): Promise<void> {
  const outcome = await ask(body)
  if (outcome instanceof WalletError) {
    expect(['service-garbled', 'no-route']).toContain(outcome.code)
    expect(fits(body)).toBe(false)
    return
  }
  expect(fits(body)).toBe(true)
  expect(outcome.returns).toBe(BigInt((body as { dstAmount: string }).dstAmount))
}

async function ask(body: unknown) {
  const fetch = async () => new Response(JSON.stringify(body))
  return v6(createHttp({ baseUrl: 'http://service.test', fetch }), 31337)
    .quote(trade)
    .catch((error: unknown) => error as WalletError)
}

/** The document's QuoteResponse once more, in plain words and by another hand than the client's. */
function fits(body: unknown): boolean {
  const { dstAmount, gas, protocols } = record(body)
  return (
    typeof dstAmount === 'string' &&
    /^[1-9][0-9]*$/.test(dstAmount) &&
    BigInt(dstAmount) < 2n ** 256n &&
    isWhole(gas) &&
    every(protocols, 0, (split) => isAddress(split.token) && every(split.hops, 1, fitsHop))
  )
}

function fitsHop({ part, dst, fromTokenId, toTokenId, protocols }: Record<string, unknown>): boolean {
  return (
    isPercent(part) &&
    isAddress(dst) &&
    isWhole(fromTokenId) &&
    isWhole(toTokenId) &&
    every(protocols, 1, ({ name, part }) => typeof name === 'string' && isPercent(part))
  )
}

function every(list: unknown, least: number, check: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(list) && list.length >= least && list.every((item) => check(record(item)))
}

function record(value: unknown): Record<string, unknown> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Record<string, unknown>) : {}
}

const isWhole = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const isPercent = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 100
const isAddress = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
