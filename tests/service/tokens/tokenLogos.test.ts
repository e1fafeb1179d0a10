import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandler } from '../../../service/app.ts'
import type { ChainConfig, TokenInfo } from '../../../service/config.ts'
import { ServiceError } from '../../../service/errors.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { withTime } from '../../helpers/service/unhurriedService.ts'

const png = 'data:image/png;base64,iVBORw0KGgo='
const listed: Partial<Record<string, string>> = {
  USDC: 'https://logos.example/usdc.png',
  WETH: png,
  USDT: 'ipfs://QmbGNTn9Vh7tNAvt7Vt4ux5GTHVhuUKuYJqWPCYxtX8t9j',
  DAI: 'logos/dai.png',
  LINK: 'javascript:alert(1)',
  DTT: 'data:text/html,<script>alert(1)</script>',
}

function withLogos(config: ChainConfig): ChainConfig {
  const tokens = config.tokens
    .filter(({ symbol }) => symbol !== 'WBTC' && symbol !== 'BROOK')
    .map((token) => ({ ...token, logoURI: listed[token.symbol] ?? '' }))
  return { ...config, tokens }
}

let running: Running
beforeAll(async () => {
  running = await startRunning(withLogos)
})
afterAll(() => running.stop())

const trade = { amount: '1000000000', slippage: '1', disableEstimate: 'true' }

async function readTokens(origin: string, handler = running.handler): Promise<TokenInfo[]> {
  const { WBTC, BROOK } = running.localnet.tokens
  const from = running.localnet.accounts[0]!.address
  const get = async (path: string, query: Record<string, string> = {}) => {
    const response = await handler(new Request(`${origin}${path}?${new URLSearchParams(query)}`))
    expect(response.status, path).toBe(200)
    return response.json()
  }
  const current = { src: WBTC, dst: BROOK, includeTokensInfo: 'true', ...trade }
  const legacy = { fromTokenAddress: WBTC, toTokenAddress: BROOK, ...trade }
  const { tokens } = await get('/v6.1/31337/tokens')
  const answers = [
    await get('/v6.1/31337/quote', current),
    await get('/v6.1/31337/swap', { ...current, from, origin: from }),
    await get('/v3.0/31337/quote', legacy),
    await get('/v3.0/31337/swap', { ...legacy, fromAddress: from }),
  ]
  const ofTrades = answers.flatMap(({ srcToken, dstToken, fromToken, toToken }) =>
    [srcToken, dstToken, fromToken, toToken].filter((token) => token !== undefined),
  )
  expect(ofTrades).toHaveLength(8)
  return [...Object.values(tokens as Record<string, TokenInfo>), ...ofTrades]
}

it('gives every token a logo that loads, from the list or generated', async () => {
  const tokens = await readTokens('https://swap.example')
  const kept = new Set([listed.USDC, listed.WETH])
  for (const { symbol, logoURI } of tokens) {
    if (kept.has(logoURI)) continue
    expect(logoURI, symbol).toMatch(
      /^https:\/\/swap\.example\/v(6\.1|3\.0)\/31337\/tokens\/0x[0-9a-f]{40}\.svg$/,
    )
    const response = await running.handler(new Request(logoURI))
    expect(response.status, logoURI).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
    expect(await response.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>$/s)
  }
  const bySymbol = Object.fromEntries(tokens.map(({ symbol, logoURI }) => [symbol, logoURI]))
  expect(bySymbol).toMatchObject({ USDC: listed.USDC, WETH: png })
  expect(bySymbol.ETH).toContain(`${nativeTokenAddress}.svg`)
})

it('uses the origin of each request in logo URLs, also for equal requests at the same block', async () => {
  for (const origin of ['https://one.example', 'http://two.example:8787', 'https://one.example']) {
    const own = (await readTokens(origin)).filter(({ logoURI }) => logoURI.endsWith('.svg'))
    expect(new Set(own.map(({ logoURI }) => new URL(logoURI).origin))).toEqual(new Set([origin]))
  }
})

it('uses the public URL in logo URLs if set, whatever the origin of the request', async () => {
  const { config, engine, tokens, node } = running
  const service = { config, node, tokens, engine: () => engine }
  const handler = createHandler(service, { ...withTime, publicUrl: 'https://public.example' })
  const own = (await readTokens('http://10.0.0.7:8787', handler)).filter(({ logoURI }) =>
    logoURI.endsWith('.svg'),
  )
  expect(new Set(own.map(({ logoURI }) => new URL(logoURI).origin))).toEqual(
    new Set(['https://public.example']),
  )
})

describe('token logos', () => {
  function serve(...symbols: string[]) {
    const { config, node } = running
    const tokens = symbols.map((symbol, i) => ({
      ...{ address: addressAt(i), symbol, name: symbol, decimals: 18, logoURI: '', tags: [] },
    }))
    const service = {
      config,
      node,
      tokens: {
        ...running.tokens,
        listed: new Map(tokens.map((token) => [token.address, token])),
      },
      engine() {
        throw new ServiceError('NOT_READY', 'the pools are still being read')
      },
    }
    const handler = createHandler(service, { keys: new Set(['key']) })
    return (path: string, init?: RequestInit) =>
      Promise.resolve(handler(new Request(`http://service/v6.1/31337/tokens/${path}`, init)))
  }

  const addressAt = (index: number) => `0x${String(index).padStart(40, 'a')}` as const

  it('serves a logo without a key and before the first snapshot', async () => {
    const get = serve('USDC')
    expect((await get(`${addressAt(0)}.svg`)).status).toBe(200)
    expect((await get(`${addressAt(0).toUpperCase().replace('X', 'x')}.svg`)).status).toBe(200)
    expect((await get(`${addressAt(0)}.svg`, { method: 'HEAD' })).status).toBe(200)
    expect((await get(`${addressAt(0)}.svg`, { method: 'POST' })).status).toBe(405)
  })

  it.each([
    '0x12.svg',
    `${'0x'}${'g'.repeat(40)}.svg`,
    `${nativeTokenAddress}.png`,
    nativeTokenAddress,
    `${nativeTokenAddress}.svg.svg`,
  ])('serves no logo at %s', async (path) => {
    expect((await serve()(path)).status).not.toBe(200)
  })

  it('shows the start of a listed symbol without markup', async () => {
    const symbols = ['USDC', '<svg onload=alert(1)>', '"&<>\'', '币安人生', '$MOG']
    const get = serve(...symbols)
    const texts = await Promise.all(
      symbols.map(async (_symbol, i) => {
        const [, text] =
          /<text [^>]*>([^<]*)<\/text>/.exec(await (await get(`${addressAt(i)}.svg`)).text()) ?? []
        return text
      }),
    )
    expect(texts).toEqual(['USDC', 'svgo', 'aaaa', '币安人生', 'MOG'])
  })

  it('differs between tokens, and sends a policy that blocks scripts and loading', async () => {
    const get = serve()
    const [one, other] = await Promise.all([get(`${addressAt(1)}.svg`), get(`${nativeTokenAddress}.svg`)])
    expect(await one.text()).not.toBe(await other.text())
    expect(one.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(one.headers.get('x-content-type-options')).toBe('nosniff')
  })
})
