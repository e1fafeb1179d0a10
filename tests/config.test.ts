import { afterEach, expect, it, vi } from 'vitest'
import { builtInNetworks, defaultSettings } from '../src/config.ts'
import { serviceVersions } from '../src/domain/network/network.ts'
import { mainStablecoin } from '../src/domain/token/pegGroups.ts'

const [local, ...others] = builtInNetworks()

afterEach(() => vi.unstubAllEnvs())

it('defines ten networks besides the local one, with native token, confirmations and quote interval', () => {
  expect(others.map(({ chainId }) => chainId)).toEqual([8453, 1, 42161, 56, 137, 10, 43114, 130, 59144, 100])
  for (const network of others) {
    expect(network.wrapped, network.name).toMatch(/^0x[0-9a-f]{40}$/)
    expect(mainStablecoin(network), network.name).toMatch(/^0x[0-9a-f]{40}$/)
    expect(network.confirmations, network.name).toBeGreaterThanOrEqual(3)
  }
  const coins = others.filter(({ coin }) => coin.symbol !== 'ETH').map(({ coin }) => coin.symbol)
  expect(coins).toEqual(['BNB', 'POL', 'AVAX', 'xDAI'])
  const slow = others.filter(({ quoteEveryMs }) => quoteEveryMs === 12_000).map(({ chainId }) => chainId)
  expect(slow).toEqual([1, 56, 137, 43114, 100])
  expect(others.filter(({ rollup }) => rollup === 'op').map(({ chainId }) => chainId)).toEqual([
    8453, 10, 130,
  ])
  expect(others.filter(({ chainId }) => serviceVersions(chainId).includes('3.0'))).toHaveLength(2)
})

it('configures no remote URL by default', () => {
  for (const network of others) {
    const { serviceUrl, rpcUrl, spareRpcUrl, faucetUrl, explorerUrl } = network
    expect([serviceUrl, rpcUrl, spareRpcUrl, faucetUrl, explorerUrl]).toEqual([
      '',
      '',
      undefined,
      undefined,
      undefined,
    ])
  }
  for (const url of [local?.serviceUrl, local?.rpcUrl, local?.faucetUrl]) {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/)
  }
})

it('starts on the local network only in a build for it, and otherwise on Base without an RPC', () => {
  vi.stubEnv('WXT_RPC_URL', 'http://127.0.0.1:8546')
  expect(defaultSettings().chainId).toBe(31337)
  expect(builtInNetworks()[0]).toMatchObject({ name: 'Local', rpcUrl: 'http://127.0.0.1:8546' })
  vi.stubEnv('WXT_RPC_URL', undefined)
  const { chainId, networks } = defaultSettings()
  expect(chainId).toBe(8453)
  expect(networks).toEqual(others)
  expect(networks.filter(({ rpcUrl, serviceUrl }) => rpcUrl !== '' || serviceUrl !== '')).toEqual([])
})
