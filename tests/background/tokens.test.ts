import { describe, expect, it } from 'vitest'
import type { SwapApi } from '../../src/api/api.ts'
import { createTokens } from '../../src/background/tokens.ts'
import type { Token } from '../../src/domain/token.ts'
import { memoryArea } from './memory.ts'

const dai: Token = {
  address: '0x6b175474e89094c44da98b954eedeac495271d0f',
  symbol: 'DAI',
  name: 'Dai',
  decimals: 18,
  listed: true,
  eip2612: false,
  taxed: false,
  tags: ['stable'],
}
const hour = 60 * 60 * 1_000

/** A service that gives `lists` one after the other and is down after the last. */
function service(...lists: Token[][]) {
  let asked = 0
  const api = {
    async tokens() {
      const list = lists[asked++]
      if (list === undefined) throw new Error('down')
      return list
    },
  } as SwapApi
  return { api, asked: () => asked }
}

describe('createTokens', () => {
  it('asks once in 12 hours, also over restarts', async () => {
    const area = memoryArea()
    const { api, asked } = service([dai], [])
    expect(await createTokens(area, () => 0)(1, 'https://one.example', api)).toEqual([dai])
    expect(await createTokens(area, () => 12 * hour - 1)(1, 'https://one.example', api)).toEqual([dai])
    expect(asked()).toBe(1)
    expect(await createTokens(area, () => 12 * hour)(1, 'https://one.example', api)).toEqual([])
  })

  it('gives the old list while the service is down', async () => {
    const area = memoryArea()
    const { api } = service([dai])
    await createTokens(area, () => 0)(1, 'https://one.example', api)
    expect(await createTokens(area, () => 1_000 * hour)(1, 'https://one.example', api)).toEqual([dai])
  })

  it('gives no list of another network or service', async () => {
    const area = memoryArea()
    const { api } = service([dai])
    const tokens = createTokens(area, () => 0)
    await tokens(1, 'https://one.example', api)
    await expect(tokens(2, 'https://one.example', api)).rejects.toThrow('down')
    await expect(tokens(1, 'https://two.example', api)).rejects.toThrow('down')
  })

  it('asks again when the clock was set back or the stored list is damaged', async () => {
    const area = memoryArea()
    const { api, asked } = service([dai], [dai], [dai])
    await createTokens(area, () => 5 * hour)(1, 'https://one.example', api)
    await createTokens(area, () => 4 * hour)(1, 'https://one.example', api)
    expect(asked()).toBe(2)
    await area.set({ 'tokens.1': { at: 4 * hour, tokens: [{ ...dai, address: 'javascript:' }] } })
    expect(await createTokens(area, () => 4 * hour)(1, 'https://one.example', api)).toEqual([dai])
    expect(asked()).toBe(3)
  })

  it('gives a list that cannot be stored', async () => {
    const full = { ...memoryArea(), set: () => Promise.reject(new Error('full')) }
    expect(await createTokens(full, () => 0)(1, 'https://one.example', service([dai]).api)).toEqual([dai])
  })
})
