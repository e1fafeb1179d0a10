import { describe, expect, it } from 'vitest'
import { createNetworks } from '../../src/background/networks.ts'
import { createSettings } from '../../src/background/settings.ts'
import { memoryArea } from './memory.ts'

describe('createNetworks', () => {
  const settings = createSettings(memoryArea())
  const networks = createNetworks(settings, {
    createChain: (network) => network as never,
    createApi: (network) => network as never,
  })

  it('hands out what the settings name', async () => {
    expect(await networks.chain(31337)).toMatchObject({ rpcUrl: 'http://127.0.0.1:8545' })
    expect(await networks.api(31337)).toMatchObject({ serviceUrl: 'http://127.0.0.1:8787' })
  })

  it('tells to set an address where there is none', async () => {
    const refusal = {
      code: 'invalid-input',
      message: expect.stringContaining('Set its address in Settings.'),
    }
    await expect(networks.chain(1)).rejects.toMatchObject({
      ...refusal,
      facts: { field: 'rpcUrl', chainId: '1' },
    })
    await expect(networks.api(1)).rejects.toMatchObject({
      ...refusal,
      facts: { field: 'serviceUrl', chainId: '1' },
    })
  })

  it('refuses a network that it does not know', async () => {
    await expect(networks.network(5)).rejects.toMatchObject({
      code: 'invalid-input',
      facts: { chainId: '5' },
    })
  })
})
