import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApi } from '../../src/api/createClient.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { type FaultServer, html, json, startFaultServer } from '../helpers/node/faultServer.ts'
import { router } from './answers.ts'

let server: FaultServer
let network: Network

beforeAll(async () => {
  server = await startFaultServer()
  network = {
    chainId: 56,
    name: '',
    coin: { symbol: '', name: '' },
    serviceUrl: `${server.url}/base/`,
    serviceKey: 'k-1',
    rpcUrl: '',
    confirmations: 1,
    quoteEveryMs: 1,
  }
})
afterAll(() => server.stop())

it('requests the serviceVersion of the network, 6.1 by default', async () => {
  server.script(json({ address: router }))
  const versions = [{}, { serviceVersion: '6.1' }, { serviceVersion: '3.0' }] as const
  for (const version of versions) {
    expect(await createApi({ ...network, ...version }).spender()).toBe(router)
  }
  expect(server.asked.map(({ path }) => path)).toEqual([
    '/base/v6.1/56/approve/spender',
    '/base/v6.1/56/approve/spender',
    '/base/v3.0/56/approve/spender',
  ])
  for (const { headers } of server.asked) expect(headers.authorization).toBe('Bearer k-1')
})

it('waits between retries with the sleep function that it is given', async () => {
  const naps: number[] = []
  server.script(html(502), json({ address: router }))
  const api = createApi(network, { sleep: async (ms) => void naps.push(ms) })
  expect(await api.spender()).toBe(router)
  expect(naps).toHaveLength(1)
})
