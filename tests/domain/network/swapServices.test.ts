import { expect, it } from 'vitest'
import { publicChains } from '../../../src/domain/network/chains.ts'
import { getService } from '../../../src/domain/network/network.ts'
import { findSwapService } from '../../../src/domain/network/swapServices.ts'
import { isPublicRouter } from '../../../src/domain/swap/routers.ts'

const router = '0x111111125421ca6dc452d289314280a0f8842a65'

it.each(publicChains.map(({ name, chainId }) => [name, chainId] as const))(
  'offers the public service on %s, where its router is known',
  (_name, chainId) => {
    expect(findSwapService(chainId)?.name).toBe('1inch')
    expect(isPublicRouter(router, chainId)).toBe(true)
  },
)

it('offers no service on other networks', () => {
  expect(findSwapService(31337)).toBeUndefined()
  expect(findSwapService(777)).toBeUndefined()
})

it('names a URL below which the interface’s paths begin, and the page for a key', () => {
  const { url, keyUrl } = findSwapService(8453)!
  expect(getService({ chainId: 8453, serviceUrl: url })).toBe('8453 6.1 https://api.1inch.dev/swap')
  for (const each of [url, keyUrl]) expect(each).toMatch(/^https:\/\/[a-z0-9.]+(\/[a-z]+)?$/)
})
