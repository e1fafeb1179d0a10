import { describe, expect, it } from 'vitest'
import { readRoute, readStep, type Step } from '../../src/api/v3Route.ts'
import type { Address } from '../../src/domain/token/token.ts'
import { dai, usdc, weth } from './answers.ts'

const usdt: Address = `0x${'0d'.repeat(20)}`
const step = (sell: Address, buy: Address, shares: Record<string, number>): Step =>
  readStep(Object.entries(shares).map(([name, part]) => ({ name, part, sell, buy })))

describe('readRoute: one main route', () => {
  it('reports the share of every hop and source', () => {
    expect(readRoute([[step(dai, weth, { A: 30, B: 70 }), step(weth, usdc, { A: 100 })]], dai)).toEqual([
      {
        token: dai,
        hops: [
          {
            buy: weth,
            share: 100,
            sources: [
              { name: 'A', share: 30 },
              { name: 'B', share: 70 },
            ],
          },
        ],
      },
      { token: weth, hops: [{ buy: usdc, share: 100, sources: [{ name: 'A', share: 100 }] }] },
    ])
  })

  it('sums the parts of one source in a step', () => {
    const pieces = [30, 60, 10].map((part, i) => ({ name: 'ABA'[i]!, part, sell: dai, buy: usdc }))
    expect(readRoute([[readStep(pieces)]], dai)).toEqual([
      {
        token: dai,
        hops: [
          {
            buy: usdc,
            share: 100,
            sources: [
              { name: 'A', share: 40 },
              { name: 'B', share: 60 },
            ],
          },
        ],
      },
    ])
  })
})

describe('readRoute: several main routes', () => {
  it('omits shares of a token sold for several others and keeps those of a token sold for one', () => {
    const route = readRoute(
      [
        [step(dai, weth, { A: 100 }), step(weth, usdc, { A: 25, B: 75 })],
        [step(dai, usdc, { C: 50, D: 50 })],
      ],
      dai,
    )
    expect(route).toEqual([
      {
        token: dai,
        hops: [
          { buy: weth, share: undefined, sources: [{ name: 'A', share: undefined }] },
          {
            buy: usdc,
            share: undefined,
            sources: [
              { name: 'C', share: undefined },
              { name: 'D', share: undefined },
            ],
          },
        ],
      },
      {
        token: weth,
        hops: [
          {
            buy: usdc,
            share: 100,
            sources: [
              { name: 'A', share: 25 },
              { name: 'B', share: 75 },
            ],
          },
        ],
      },
    ])
  })

  it('keeps a source’s share of a shared step when all main routes agree on it', () => {
    const [first] = readRoute([[step(dai, usdc, { A: 40, B: 60 })], [step(dai, usdc, { A: 40, C: 60 })]], dai)
    expect(first!.hops).toEqual([
      {
        buy: usdc,
        share: 100,
        sources: [
          { name: 'A', share: 40 },
          { name: 'B', share: undefined },
          { name: 'C', share: undefined },
        ],
      },
    ])
  })

  it('orders each token before the tokens it is sold for, in any order of main routes', () => {
    const long = [step(dai, weth, { A: 100 }), step(weth, usdt, { A: 100 }), step(usdt, usdc, { A: 100 })]
    const short = [step(dai, usdt, { A: 100 }), step(usdt, usdc, { A: 100 })]
    for (const routes of [
      [long, short],
      [short, long],
    ]) {
      expect(readRoute(routes, dai).map(({ token }) => token)).toEqual([dai, weth, usdt])
    }
  })

  it('lists each token once when one main route reverses another', () => {
    const there = [step(dai, weth, { A: 100 }), step(weth, usdt, { A: 100 }), step(usdt, usdc, { A: 100 })]
    const back = [step(dai, usdt, { A: 100 }), step(usdt, weth, { A: 100 }), step(weth, usdc, { A: 100 })]
    const tokens = readRoute([there, back], dai).map(({ token }) => token)
    expect(tokens[0]).toBe(dai)
    expect([...tokens].sort()).toEqual([dai, usdt, weth].sort())
  })
})

it('returns an empty route when no step sells the input token', () => {
  expect(readRoute([[step(weth, usdc, { A: 100 })]], dai)).toEqual([])
  expect(readRoute([], dai)).toEqual([])
})

it('reads a route of 2,000 steps to its end', () => {
  const token = (index: number): Address => `0x${index.toString(16).padStart(40, '0')}`
  const steps = Array.from({ length: 2_000 }, (_, i) => step(token(i), token(i + 1), { A: 100 }))
  const routes = Array.from({ length: 100 }, (_, i) => steps.slice(i * 20, i * 20 + 20))
  expect(readRoute(routes.reverse(), token(0)).map((split) => split.token)).toEqual(
    steps.map(({ sell }) => sell),
  )
})
