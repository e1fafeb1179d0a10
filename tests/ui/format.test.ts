import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Route } from '../../src/domain/trade.ts'
import { type ErrorCode, WalletError } from '../../src/errors.ts'
import {
  formatError,
  formatRoute,
  formatSymbol,
  sayError,
  shortAddress,
  stepTitle,
} from '../../src/ui/format.ts'

const source = readFileSync(new URL('../../src/errors.ts', import.meta.url), 'utf8')
const codes = [...source.matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, code]) => code as ErrorCode)

describe('the sentence of an error', () => {
  it('exists for every code: what happened and what to do next', () => {
    expect(codes.length).toBeGreaterThan(30)
    for (const code of codes) {
      const { what, next } = formatError(new WalletError(code, 'Facts.'))
      for (const sentence of [what, next]) expect(sentence).toMatch(/^[A-Z].{5,90}\.$/s)
    }
  })

  it('is another one for each code', () => {
    const said = codes.map((code) => formatError(new WalletError(code, 'Facts.')).what)
    expect(new Set(said).size).toBe(codes.length)
  })

  it('says both in one line below a field', () => {
    expect(sayError(new WalletError('wrong-password', 'Facts.'))).toBe('That is not the password. Try again.')
  })

  it('keeps the facts for the details', () => {
    const error = new WalletError('service-failed', 'HTTP 500 from /quote.', { requestId: 'abc-1' })
    expect(formatError(error).details).toBe('service-failed: HTTP 500 from /quote.\nrequestId: abc-1')
  })
})

describe('names from outside', () => {
  const address = `0x${'ab'.repeat(20)}` as const

  it('lose what cannot be seen and what turns the writing around', () => {
    expect(formatSymbol({ symbol: 'US\u202eDC\u200b\n', address })).toBe('USDC')
  })

  it('are cut after 12 characters', () => {
    expect(formatSymbol({ symbol: 'ABCDEFGHIJKLMNOP', address })).toBe('ABCDEFGHIJK…')
  })

  it('give way to the address when nothing is left of them', () => {
    expect(formatSymbol({ symbol: '\u200b\u202e', address })).toBe('0xabab…abab')
    expect(shortAddress(address)).toBe('0xabab…abab')
  })
})

describe('a route in words', () => {
  const [eth, dai, usdc] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`] as const
  const symbolOf = (address: string) => ({ [eth]: 'ETH', [dai]: 'DAI', [usdc]: 'USDC' })[address] ?? '?'

  it('names shares, sources and tokens, one line for each hop', () => {
    const route: Route = [
      {
        token: eth,
        hops: [
          {
            buy: usdc,
            share: 60,
            sources: [
              { name: 'UNISWAP_V3', share: 40 },
              { name: 'UNISWAP_V2', share: 20 },
            ],
          },
          { buy: dai, share: 40, sources: [{ name: 'STABLE', share: 40 }] },
        ],
      },
      { token: dai, hops: [{ buy: usdc, share: 100, sources: [{ name: 'UNISWAP_V2', share: 100 }] }] },
    ]
    expect(formatRoute(route, symbolOf)).toEqual([
      '40% UNISWAP_V3, 20% UNISWAP_V2 → USDC',
      '40% STABLE → DAI',
      'DAI: 100% UNISWAP_V2 → USDC',
    ])
  })
})

describe('a step in words', () => {
  it('says what is allowed and what comes back', () => {
    const facts = { sell: 'USDC', amount: '100 USDC', least: '0.03 ETH' }
    expect(stepTitle('reset', facts)).toContain('USDC')
    expect(stepTitle('approve', facts)).toContain('exactly 100 USDC')
    expect(stepTitle('swap', facts)).toBe('Swap 100 USDC for at least 0.03 ETH')
  })
})
