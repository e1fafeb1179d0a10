import { describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { createCachedTokens, createListAge, createTokens } from '../../../src/background/tokens/tokens.ts'
import { getService } from '../../../src/domain/network/network.ts'
import type { SwapSource } from '../../../src/domain/swap/routeOptions.ts'
import type { Token } from '../../../src/domain/token/token.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { local } from '../../helpers/state/fakes.ts'

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
const one = { ...local, chainId: 1, serviceUrl: 'https://one.example' }
const served = (api: SwapApi) => ({ api: async () => api })
const hour = 60 * 60 * 1_000

/** Returns `lists` in order, then fails. */
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
  it('requests the list once in 12 hours, also across restarts', async () => {
    const area = memoryArea()
    const { api, asked } = service([dai], [])
    expect(await createTokens(area, served(api), () => 0)(one)).toEqual([dai])
    expect(await createTokens(area, served(api), () => 12 * hour - 1)(one)).toEqual([dai])
    expect(asked()).toBe(1)
    expect(await createTokens(area, served(api), () => 12 * hour)(one)).toEqual([])
  })

  it('returns the old list while the service is down', async () => {
    const area = memoryArea()
    const { api } = service([dai])
    await createTokens(area, served(api), () => 0)(one)
    expect(await createTokens(area, served(api), () => 1_000 * hour)(one)).toEqual([dai])
  })

  it('returns the list of direct swaps while the service never answered, and does not store it', async () => {
    const area = memoryArea()
    const { api, asked } = service()
    const direct = { tokens: async () => [dai] } as Partial<SwapApi> as SwapApi
    const networks = {
      api: async (_chainId: number, source?: SwapSource) => (source === 'direct' ? direct : api),
    }
    const tokens = createTokens(area, networks, () => 0)
    expect(await tokens(one)).toEqual([dai])
    expect(await createCachedTokens(area)(one)).toEqual([])
    expect(await createListAge(area)(one)).toBeUndefined()
    // The service is asked again.
    await tokens(one)
    expect(asked()).toBe(2)
    // No contracts of direct swaps are known there.
    await expect(tokens({ ...one, chainId: 2 })).rejects.toThrow('down')
  })

  it('reports the error of the service if the list of direct swaps fails, too', async () => {
    const { api } = service()
    const networks = {
      async api(_chainId: number, source?: SwapSource) {
        if (source === 'direct') throw new Error('no RPC')
        return api
      },
    }
    await expect(createTokens(memoryArea(), networks)(one)).rejects.toThrow('down')
  })

  it('returns no list of another network or service', async () => {
    const area = memoryArea()
    const { api } = service([dai])
    const tokens = createTokens(area, served(api), () => 0)
    await tokens(one)
    await expect(tokens({ ...one, chainId: 2 })).rejects.toThrow('down')
    await expect(tokens({ ...one, serviceUrl: 'https://two.example' })).rejects.toThrow('down')
    await expect(tokens({ ...one, serviceVersion: '3.0' })).rejects.toThrow('down')
    expect(await tokens({ ...one, serviceVersion: '6.1' })).toEqual([dai])
  })

  it('does not store an empty list', async () => {
    const area = memoryArea()
    const { api } = service([], [dai], [])
    expect(await createTokens(area, served(api), () => 0)(one)).toEqual([])
    expect(await createTokens(area, served(api), () => 1)(one)).toEqual([dai])
    expect(await createTokens(area, served(api), () => 12 * hour + 1)(one)).toEqual([])
    expect(await createCachedTokens(area)(one)).toEqual([dai])
  })

  it('requests again when the clock was set back or the stored list is damaged', async () => {
    const area = memoryArea()
    const { api, asked } = service([dai], [dai], [dai])
    await createTokens(area, served(api), () => 5 * hour)(one)
    await createTokens(area, served(api), () => 4 * hour)(one)
    expect(asked()).toBe(2)
    await area.set({
      'tokens.1': { service: getService(one), at: 4 * hour, tokens: [{ ...dai, address: 'javascript:' }] },
    })
    expect(await createTokens(area, served(api), () => 4 * hour)(one)).toEqual([dai])
    expect(asked()).toBe(3)
  })

  it('returns a list that cannot be stored', async () => {
    const full = { ...memoryArea(), set: () => Promise.reject(new Error('full')) }
    expect(await createTokens(full, served(service([dai]).api), () => 0)(one)).toEqual([dai])
  })

  it('reports the age of the stored list, for its service only', async () => {
    const area = memoryArea()
    const { api } = service([dai])
    const age = createListAge(area)
    expect(await age(one)).toBeUndefined()
    await createTokens(area, served(api), () => 5 * hour)(one)
    await createTokens(area, served(api), () => 50 * hour)(one)
    expect(await age(one)).toBe(5 * hour)
    expect(await age({ ...one, serviceUrl: 'https://two.example' })).toBeUndefined()
  })
})
