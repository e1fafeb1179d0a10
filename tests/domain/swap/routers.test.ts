import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  isPublicRouter,
  isRouterCode,
  isRouterOnOtherChain,
  knownRouters,
  ownRouter,
} from '../../../src/domain/swap/routers.ts'
import { parseAddress } from '../../../src/domain/token/token.ts'

const v6 = '0x111111125421ca6dc452d289314280a0f8842a65'
const folder = resolve(import.meta.dirname, '../../../service/chains')
const chains = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { chainId: number; router: string })

describe('knownRouters', () => {
  it.each(chains)('lists the swap service’s router of chain $chainId first', ({ chainId, router }) => {
    expect(knownRouters(chainId)[0]).toBe(router.toLowerCase())
  })

  it('lists one router on localnet and none on chains without a deployment', () => {
    expect(chains.map(({ chainId }) => chainId).sort()).toEqual([1, 10, 137, 31337, 42161, 56, 8453])
    expect(knownRouters(31337)).toHaveLength(1)
    expect(knownRouters(324)).toEqual([])
    expect(knownRouters(5)).toEqual([])
  })

  it('lists the public router on the 13 chains with its address', () => {
    const named = Array.from({ length: 70_000 }, (_, chainId) => chainId).filter((chainId) =>
      knownRouters(chainId).includes(v6),
    )
    expect([...named, ...(knownRouters(1313161554).includes(v6) ? [1313161554] : [])]).toHaveLength(13)
    expect(named.every((chainId) => isPublicRouter(v6, chainId))).toBe(true)
  })

  it('lists addresses in normalised form', () => {
    for (const chainId of [1, 10, 56, 137, 8453, 42161, 31337]) {
      for (const router of knownRouters(chainId)) expect(parseAddress(router)).toBe(router)
    }
  })
})

describe('isRouterOnOtherChain', () => {
  it('distinguishes routers of other chains from those of the same chain and from unknown addresses', () => {
    expect(isRouterOnOtherChain(v6, 31337)).toBe(true)
    expect(isRouterOnOtherChain(v6, 1)).toBe(false)
    const { address } = ownRouter(8453)!
    expect(isRouterOnOtherChain(address, 1)).toBe(true)
    expect(isRouterOnOtherChain(address, 8453)).toBe(false)
    expect(isRouterOnOtherChain('0xbad0000000000000000000000000000000000002', 1)).toBe(false)
  })
})

describe('isPublicRouter', () => {
  it('recognises a router only on the chains of its deployment', () => {
    const v2 = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d'
    const universal = '0x6ff5693b99212da76ad316178a184ab56d299b43'
    expect([1, 56, 8453, 42161].filter((chainId) => isPublicRouter(v2, chainId))).toEqual([1])
    expect([1, 56, 8453, 42161].filter((chainId) => isPublicRouter(universal, chainId))).toEqual([8453])
    expect(isPublicRouter(v6, 324)).toBe(false)
  })
})

describe('isRouterCode', () => {
  const other = `0x${'07'.repeat(32)}` as const

  it('accepts any code at a public router address, but no account without code', () => {
    expect(isRouterCode(v6, 1, other)).toBe(true)
    expect(isRouterCode(v6, 1, undefined)).toBe(false)
  })

  it.each(chains)('accepts only the expected code for the own router of chain $chainId', ({ chainId }) => {
    const { address, codeHash } = ownRouter(chainId)!
    expect(isRouterCode(address, chainId, codeHash)).toBe(true)
    expect(isRouterCode(address, chainId, other)).toBe(false)
  })
})
