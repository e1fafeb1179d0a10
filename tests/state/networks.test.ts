import { expect, it } from 'vitest'
import { createNetworks } from '../../src/state/networks.ts'
import { local, standInWallet } from './standIns.ts'

it('adds a network that is not known, and sends one that is away', async () => {
  const saved: unknown[] = []
  const networks = createNetworks(
    standInWallet({
      chainAt: async () => 777,
      async saveSettings(changes) {
        saved.push(changes)
      },
    }),
  )
  const added = { ...local, chainId: 777 }
  await networks.add(added, [local])
  await networks.remove(777)
  expect(saved).toEqual([{ networks: [added] }, { removed: [777] }])
  await expect(networks.add(local, [local])).rejects.toMatchObject({
    code: 'network-needed',
    facts: { why: 'known' },
  })
  await expect(networks.add({ ...added, chainId: 778 }, [local])).rejects.toMatchObject({
    code: 'wrong-chain',
    facts: { expected: '778', found: '777' },
  })
  expect(saved).toHaveLength(2)
})

it('asks the worker for a chain, and how a network is', async () => {
  const health = { nodes: [], service: undefined }
  const networks = createNetworks(standInWallet({ chainAt: async () => 5, health: async () => health }))
  expect(await networks.chainAt('https://node.example')).toBe(5)
  expect(await networks.health(1)).toEqual(health)
})
