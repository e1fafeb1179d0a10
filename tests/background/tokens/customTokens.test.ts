import { describe, expect, it } from 'vitest'
import { createCustomTokens } from '../../../src/background/tokens/customTokens.ts'
import type { Token } from '../../../src/domain/token/token.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'

const token = (number: number): Token => ({
  address: `0x${number.toString(16).padStart(40, '0')}`,
  symbol: `T${number}`,
  name: `Token ${number}`,
  decimals: 18,
  listed: false,
  eip2612: false,
  taxed: false,
  tags: [],
})

const origin = 'https://app.example'

describe('createCustomTokens', () => {
  it('stores tokens by chain', async () => {
    const area = memoryArea()
    await createCustomTokens(area).add(1, token(1), origin)
    await createCustomTokens(area).add(1, token(2), origin)
    await createCustomTokens(area).add(5, token(3), origin)
    expect(await createCustomTokens(area).list(1)).toEqual([token(1), token(2)])
    expect(await createCustomTokens(area).list(5)).toEqual([token(3)])
    expect(await createCustomTokens(area).list(7)).toEqual([])
  })

  it('keeps one entry per token, with the newest metadata', async () => {
    const assets = createCustomTokens(memoryArea())
    await assets.add(1, token(1), origin)
    await assets.add(1, { ...token(1), name: 'Renamed' }, origin)
    expect(await assets.list(1)).toEqual([{ ...token(1), name: 'Renamed' }])
  })

  it('keeps all tokens added concurrently', async () => {
    const assets = createCustomTokens(memoryArea())
    await Promise.all([1, 2, 3, 4].map((number) => assets.add(1, token(number), origin)))
    expect(await assets.list(1)).toHaveLength(4)
  })

  it('skips unreadable entries', async () => {
    const area = memoryArea()
    const { tags: _, ...torn } = token(2)
    const entries = [token(1), torn, { ...token(3), address: '0xABC' }, { ...token(4), decimals: 300 }, null]
    await area.set({ 'assets.1': entries, 'assets.2': 'text' })
    expect(await createCustomTokens(area).list(1)).toEqual([token(1)])
    expect(await createCustomTokens(area).list(2)).toEqual([])
    await createCustomTokens(area).add(2, token(5), origin)
    expect(await createCustomTokens(area).list(2)).toEqual([token(5)])
  })

  it('limits a chain to 500 tokens', async () => {
    const area = memoryArea()
    await area.set({ 'assets.1': Array.from({ length: 500 }, (_, number) => token(number)) })
    const assets = createCustomTokens(area)
    await expect(assets.add(1, token(500), origin)).rejects.toMatchObject({ code: 'invalid-input' })
    await assets.add(1, token(499), origin)
    await assets.add(2, token(500), origin)
    expect(await assets.list(1)).toHaveLength(500)
  })
  it('records the sites that suggested a token', async () => {
    const area = memoryArea()
    await createCustomTokens(area).add(1, token(1), origin)
    await createCustomTokens(area).add(1, token(1), 'https://other.example')
    const assets = createCustomTokens(area)
    expect(await assets.isOf(origin, 1, token(1).address)).toBe(true)
    expect(await assets.isOf('https://other.example', 1, token(1).address)).toBe(true)
    expect(await assets.isOf('https://third.example', 1, token(1).address)).toBe(false)
    expect(await assets.isOf(origin, 5, token(1).address)).toBe(false)
    await area.set({ 'assets.1': [token(2)] })
    expect(await assets.isOf(origin, 1, token(2).address)).toBe(false)
  })

  it('removes one token, also one that a site suggested, and no other', async () => {
    const assets = createCustomTokens(memoryArea())
    await assets.add(1, token(1), origin)
    await assets.add(1, token(2), '')
    expect(await assets.isOf(origin, 1, token(1).address)).toBe(true)
    expect(await assets.isOf(origin, 1, token(2).address)).toBe(false)
    await assets.forget(1, token(1).address)
    await assets.forget(5, token(2).address)
    expect(await assets.list(1)).toEqual([token(2)])
    expect(await assets.isOf(origin, 1, token(1).address)).toBe(false)
  })
})
