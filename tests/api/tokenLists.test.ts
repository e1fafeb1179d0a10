import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createHttp } from '../../src/api/http.ts'
import { v3 } from '../../src/api/v3.ts'
import { v6 } from '../../src/api/v6.ts'
import { maxName, maxSymbol, type Token } from '../../src/domain/token/token.ts'
import { WalletError } from '../../src/errors.ts'
import { figure } from '../helpers/figures.ts'
import { runs } from '../helpers/runs.ts'
import { slow } from '../helpers/slow.ts'

slow('Many cases are drawn at random.')

const honest = { address: `0x${'ab'.repeat(20)}`, symbol: 'GOLD', name: 'Gold', decimals: 18 }

describe('random token lists', () => {
  it('returns only tokens with valid fields and distinct addresses, or throws service-garbled', async () => {
    let lists = 0
    let kept = 0
    let refused = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyBody, { weight: 3, arbitrary: someList }), async (body) => {
        const outcome = await tokens(body)
        lists++
        if (outcome instanceof WalletError) {
          expect(outcome.code).toBe('service-garbled')
          refused++
          return
        }
        for (const token of outcome) expectSound(token)
        expect(new Set(outcome.map(({ address }) => address)).size).toBe(outcome.length)
        kept += outcome.length
      }),
      { numRuns: runs(1_000, 10_000) },
    )
    figure(
      '33',
      `${lists} lists of tokens made up at random: ${kept} tokens kept, each of them sound; ${refused} refused`,
    )
    // Otherwise the test would prove nothing.
    expect(kept).toBeGreaterThan(lists / 2)
    expect(refused).toBeGreaterThan(lists / 20)
  })

  it('keeps an honest token among random entries and a second entry with its address', async () => {
    const liar = [`0x${'cd'.repeat(20)}`, { ...honest, symbol: 'LIAR', decimals: 6 }] as const
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 5 }), async (entries) => {
        const listed = [...entries, [honest.address, honest] as const, liar]
        const outcome = await tokens({ tokens: Object.fromEntries(listed) })
        expect(outcome).toContainEqual(expect.objectContaining({ ...honest, listed: true }))
      }),
      { numRuns: runs(500, 5_000) },
    )
    figure('33', `${runs(500, 5_000)} lists with an honest token and a liar of its address: it is in each`)
  })

  it('returns no tokens in version 3.0, without a request', async () => {
    const http = createHttp({
      baseUrl: 'http://service.test',
      fetch: () => Promise.reject(new Error('asked')),
    })
    expect(await v3(http, 31337).tokens()).toEqual([])
  })
})

function expectSound(token: Token): void {
  const { address, symbol, name, decimals, listed, eip2612, taxed, tags } = token
  expect(address).toMatch(/^0x[0-9a-f]{40}$/)
  expect(Number.isInteger(decimals) && decimals >= 0 && decimals <= 255, `decimals ${decimals}`).toBe(true)
  expectLabel(symbol, maxSymbol)
  expect(symbol).not.toBe('')
  expectLabel(name, maxName)
  for (const tag of tags) expectLabel(tag, 100)
  expect([listed, typeof eip2612, typeof taxed]).toEqual([true, 'boolean', 'boolean'])
  expect(Object.keys(token)).toHaveLength(8)
}

function expectLabel(text: string, most: number): void {
  expect([...text].length, JSON.stringify(text)).toBeLessThanOrEqual(most)
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u)
  expect(text).toBe(text.trim())
}

async function tokens(body: unknown): Promise<Token[] | WalletError> {
  const fetch = async () => new Response(typeof body === 'string' ? body : JSON.stringify(body))
  return v6(createHttp({ baseUrl: 'http://service.test', fetch }), 31337)
    .tokens()
    .catch((error: unknown) => {
      if (error instanceof WalletError) return error
      throw error
    })
}

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `0x${hexOf(bytes)}`)
const anyAddress = fc.oneof(
  { weight: 12, arbitrary: address },
  address.map((text) => `0x${text.slice(2).toUpperCase()}`),
  fc.constantFrom('', '0x', '__proto__', 'constructor', `0x${'0'.repeat(39)}`, `0x${'g'.repeat(40)}`),
  address.map((text) => ` ${text}\n`),
  fc.string(),
)
const nastyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({
    unit: fc.constantFrom('A', '\u202e', '\u200b', '\u0000', '\ufdfa', '\ufffd', '\n', '\u00ad', 'ﬃ', '🟡'),
    maxLength: 120,
  }),
  fc.constantFrom('', ' ', 'USDC', 'x'.repeat(100_000), '\ud800', '<img src=x onerror=alert(1)>'),
)
const anyDecimals = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: -3, max: 300 }) },
  fc.constantFrom<unknown>(-0, 18.5, 1e300, 256, '18', null, [18], { valueOf: 18 }, true),
)
const anything = fc.jsonValue({ maxDepth: 3 })
const rarely = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 29, arbitrary: value }, { weight: 1, arbitrary: anything })
const described = fc.record(
  {
    address: rarely(anyAddress),
    symbol: rarely(nastyText),
    name: rarely(nastyText),
    decimals: rarely(anyDecimals),
    eip2612: rarely(fc.boolean()),
    isFoT: rarely(fc.boolean()),
    tags: rarely(fc.array(nastyText, { maxLength: 3 })),
    logoURI: anything,
  },
  { requiredKeys: ['address', 'symbol', 'name', 'decimals'] },
)
const entry: fc.Arbitrary<readonly [string, unknown]> = fc.oneof(
  {
    weight: 4,
    arbitrary: described.map((token) => [toKey(token.address), token] as const),
  },
  fc.tuple(anyAddress, described),
  fc.tuple(anyAddress, anything),
)
const someList = fc
  .array(entry, { maxLength: 8 })
  .map((entries) => ({ tokens: Object.fromEntries(entries) as unknown }))
const anyBody = fc.oneof(
  anything,
  anything.map((tokens) => ({ tokens })),
  fc.string(),
)

/** `String` throws for an object with a `toString` of its own. */
function toKey(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
