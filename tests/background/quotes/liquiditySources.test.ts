import { describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { createLiquiditySources } from '../../../src/background/quotes/liquiditySources.ts'
import { local } from '../../helpers/state/fakes.ts'

const listed = { id: 'LOCAL_V2', title: 'Local V2' }

type FakeService = {
  now: number
  serviceUrl: string
  serviceVersion: '6.1' | '3.0'
  asked: number
  isDown: boolean
}

function opened() {
  const service: FakeService = {
    now: 0,
    serviceUrl: 'https://a.example',
    serviceVersion: '6.1',
    asked: 0,
    isDown: false,
  }
  const api = {
    async sources() {
      service.asked += 1
      if (service.isDown) throw new Error('No answer.')
      return [{ ...listed, id: `${listed.id}_${service.asked}` }]
    },
  } as unknown as SwapApi
  const networks = {
    network: async () => ({
      ...local,
      serviceUrl: service.serviceUrl,
      serviceVersion: service.serviceVersion,
    }),
    api: async () => api,
  }
  return { service, sources: createLiquiditySources(networks, () => service.now) }
}

describe('createLiquiditySources', () => {
  it('caches the sources for ten minutes', async () => {
    const { service, sources } = opened()
    expect(await sources(31337)).toEqual([{ id: 'LOCAL_V2_1', title: 'Local V2' }])
    service.now = 599_999
    expect(await sources(31337)).toEqual([{ id: 'LOCAL_V2_1', title: 'Local V2' }])
    service.now = 600_000
    expect(await sources(31337)).toEqual([{ id: 'LOCAL_V2_2', title: 'Local V2' }])
  })

  it('requests the sources again for another service or version, and after a failure', async () => {
    const { service, sources } = opened()
    await sources(31337)
    service.serviceUrl = 'https://b.example'
    service.isDown = true
    await expect(sources(31337)).rejects.toThrow('No answer.')
    service.isDown = false
    expect(await sources(31337)).toMatchObject([{ id: 'LOCAL_V2_3' }])
    service.serviceVersion = '3.0'
    expect(await sources(31337)).toMatchObject([{ id: 'LOCAL_V2_4' }])
  })
})
