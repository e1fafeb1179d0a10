import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SwapApi } from '../../src/api/client.ts'
import { createHttp, type Http } from '../../src/api/http.ts'
import { v3 } from '../../src/api/v3.ts'
import { v6 } from '../../src/api/v6.ts'
import { WalletError } from '../../src/errors.ts'
import { slow } from '../helpers/slow.ts'
import { account, quote, swap, trade } from './answers.ts'
import * as legacy from './legacyAnswers.ts'

slow('Many cases are drawn at random.')

// Responses bypass the socket for speed.

type Version = {
  create: (http: Http, chainId: number) => SwapApi
  quote: object
  swap: object
  returns: string
  /** Independent check against the documented schema. */
  fits: (body: unknown) => boolean
}

const described = { srcToken: { address: trade.sell }, dstToken: { address: trade.buy } }

const versions: Record<string, Version> = {
  '6.1': {
    create: v6,
    quote: { ...quote, ...described },
    swap: { ...swap, ...described },
    returns: 'dstAmount',
    fits(body) {
      const { dstAmount, gas, protocols, srcToken, dstToken } = record(body)
      return (
        isReturn(dstAmount) &&
        isWhole(gas) &&
        (srcToken === undefined || isToken(srcToken, trade.sell)) &&
        (dstToken === undefined || isToken(dstToken, trade.buy)) &&
        every(protocols, 0, (split) => isAddress(split.token) && every(split.hops, 1, fitsHop))
      )
    },
  },
  '3.0': {
    create: v3,
    quote: legacy.quote,
    swap: legacy.swap,
    returns: 'toTokenAmount',
    fits(body) {
      const { fromToken, toToken, fromTokenAmount, toTokenAmount, protocols, estimatedGas } = record(body)
      return (
        isToken(fromToken, trade.sell) &&
        isToken(toToken, trade.buy) &&
        fromTokenAmount === String(trade.amount) &&
        isReturn(toTokenAmount) &&
        isWhole(estimatedGas) &&
        isList(protocols, 0, (steps) => isList(steps, 0, fitsStep))
      )
    },
  },
}

describe.each(Object.entries(versions))('random answers in version %s', (_name, version) => {
  const nearlyQuote = nearly(version.quote)

  it('accepts a quote exactly when it fits the schema, else throws service-garbled or no-route', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, nearlyQuote), async (body) => expectFits(version, body)),
      { numRuns: 3_000, seed: 1 },
    )
  })

  it('generates a mix of valid and invalid quotes', async () => {
    const outcomes = await Promise.all(
      fc.sample(nearlyQuote, { numRuns: 500, seed: 2 }).map((body) => ask(version, body)),
    )
    const quotes = outcomes.filter((outcome) => !(outcome instanceof WalletError)).length
    expect(quotes).toBeGreaterThan(20)
    expect(quotes).toBeLessThan(480)
  })

  it('builds a swap or throws a known error code; a 3.0 swap returns at least the minimum', async () => {
    const floor = 4_950_000n
    const answers = fc.tuple(
      fc.oneof(anything, nearlyQuote),
      fc.array(nearly(version.swap), { minLength: 1 }),
    )
    let swaps = 0
    await fc.assert(
      fc.asyncProperty(answers, async ([quoted, built]) => {
        const left = [...built]
        const fetch = async (url: string) =>
          reply(url.includes('/quote?') ? quoted : left.length > 1 ? left.shift() : left[0])
        const outcome = await connect(version, fetch)
          .swap(trade, { from: account, origin: account, leastReturn: floor })
          .catch((error: unknown) => error as WalletError)
        if (outcome instanceof WalletError) {
          expect(['service-garbled', 'no-route', 'below-floor']).toContain(outcome.code)
          return
        }
        expect(outcome).toMatchObject({ trade, route: expect.any(Array), data: expect.stringMatching(/^0x/) })
        // 6.1 estimates; its calldata is verified later.
        if (version.create === v3) expect(outcome.returns).toBeGreaterThanOrEqual(floor)
        swaps++
      }),
      { numRuns: 2_000, seed: 3 },
    )
    expect(swaps).toBeGreaterThan(20)
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
function nearly(answer: object): fc.Arbitrary<unknown> {
  return fc.array(fc.tuple(fc.nat(200), replacement), { maxLength: 2 }).map((changes) => {
    const body: unknown = structuredClone(answer)
    for (const [place, value] of changes) replace(body, place, value)
    return body
  })
}

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

async function expectFits(version: Version, body: unknown): Promise<void> {
  const outcome = await ask(version, body)
  if (outcome instanceof WalletError) {
    expect(['service-garbled', 'no-route']).toContain(outcome.code)
    expect(version.fits(body)).toBe(false)
    return
  }
  expect(version.fits(body)).toBe(true)
  expect(outcome.returns).toBe(BigInt(String(record(body)[version.returns])))
}

async function ask(version: Version, body: unknown) {
  return connect(version, async () => reply(body))
    .quote(trade)
    .catch((error: unknown) => error as WalletError)
}

function connect({ create }: Version, fetch: (url: string) => Promise<Response>): SwapApi {
  const asked = (url: Parameters<typeof globalThis.fetch>[0]) => fetch(String(url))
  return create(createHttp({ baseUrl: 'http://service.test', fetch: asked }), 31337)
}

function reply(body: unknown): Response {
  return new Response(JSON.stringify(body))
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

function fitsStep(pieces: unknown): boolean {
  const pair = ({ fromTokenAddress, toTokenAddress }: Record<string, unknown>) =>
    `${fromTokenAddress} ${toTokenAddress}`.toLowerCase()
  const [first] = Array.isArray(pieces) ? pieces : []
  return every(
    pieces,
    1,
    (piece) =>
      typeof piece.name === 'string' &&
      isPercent(piece.part) &&
      isAddress(piece.fromTokenAddress) &&
      isAddress(piece.toTokenAddress) &&
      pair(piece) === pair(record(first)),
  )
}

function every(list: unknown, least: number, check: (item: Record<string, unknown>) => boolean): boolean {
  return isList(list, least, (item) => check(record(item)))
}

function isList(list: unknown, least: number, check: (item: unknown) => boolean): boolean {
  return Array.isArray(list) && list.length >= least && list.every(check)
}

function record(value: unknown): Record<string, unknown> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isRecord ? (value as Record<string, unknown>) : {}
}

const isWhole = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const isPercent = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 100
const isReturn = (value: unknown) =>
  typeof value === 'string' && /^[1-9][0-9]*$/.test(value) && BigInt(value) < 2n ** 256n
const isToken = (value: unknown, asked: string) =>
  isAddress(record(value).address) && String(record(value).address).toLowerCase() === asked
const isAddress = (value: unknown) => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
