import { describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { createLiquiditySources } from '../../../src/background/quotes/liquiditySources.ts'
import { local } from '../../state/standIns.ts'

const listed = { id: 'LOCAL_V2', title: 'Local V2' }

type World = {
  now: number
  serviceUrl: string
  serviceVersion: '6.1' | '3.0'
  asked: number
  isDown: boolean
}

function opened() {
  const world: World = {
    now: 0,
    serviceUrl: 'https://a.example',
    serviceVersion: '6.1',
    asked: 0,
    isDown: false,
  }
  const api = {
    async sources() {
      world.asked += 1
      if (world.isDown) throw new Error('No answer.')
      return [{ ...listed, id: `${listed.id}_${world.asked}` }]
    },
  } as unknown as SwapApi
  const networks = {
    network: async () => ({ ...local, serviceUrl: world.serviceUrl, serviceVersion: world.serviceVersion }),
    api: async () => api,
  }
  return { world, sources: createLiquiditySources(networks, () => world.now) }
}

describe('liquidity sources', () => {
  it('are remembered for ten minutes', async () => {
    const { world, sources } = opened()
    expect(await sources(31337)).toEqual([{ id: 'LOCAL_V2_1', title: 'Local V2' }])
    world.now = 599_999
    expect(await sources(31337)).toEqual([{ id: 'LOCAL_V2_1', title: 'Local V2' }])
    world.now = 600_000
    expect(await sources(31337)).toEqual([{ id: 'LOCAL_V2_2', title: 'Local V2' }])
  })

  it('are asked for anew of another service or version, and after a failure', async () => {
    const { world, sources } = opened()
    await sources(31337)
    world.serviceUrl = 'https://b.example'
    world.isDown = true
    await expect(sources(31337)).rejects.toThrow('No answer.')
    world.isDown = false
    expect(await sources(31337)).toMatchObject([{ id: 'LOCAL_V2_3' }])
    world.serviceVersion = '3.0'
    expect(await sources(31337)).toMatchObject([{ id: 'LOCAL_V2_4' }])
  })
})
