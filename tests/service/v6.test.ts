import { maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address } from '../../service/config.ts'
import { nativeTokenAddress } from '../../service/tokens/registry.ts'
import { type Query, type Running, startRunning } from '../helpers/service/runService.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let running: Running
let ask: Running['ask']
let tokens: Running['localnet']['tokens']
let owner: Address

beforeAll(async () => {
  running = await startRunning()
  ask = running.ask
  tokens = running.localnet.tokens
  owner = running.localnet.accounts[0]!.address
})
afterAll(() => running.stop())

const nobody = `0x${'99'.repeat(20)}` as const
const trade = (): Query => ({ src: tokens.USDC, dst: tokens.WETH, amount: '1000000000' })

describe('quote', () => {
  it('returns only the amount by default', async () => {
    const { status, body } = await ask('quote', trade())
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['dstAmount'])
    // At 3,000 dollars per WETH.
    expect(Number(body.dstAmount)).toBeGreaterThan(0.33e18)
    expect(Number(body.dstAmount)).toBeLessThan(0.3334e18)
  })

  it('adds tokens, protocols and gas on request', async () => {
    const includes = { includeTokensInfo: 'true', includeProtocols: 'true', includeGas: 'true' }
    const { body } = await ask('quote', { ...trade(), ...includes })
    expect(body.srcToken).toEqual({
      address: tokens.USDC,
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      logoURI: `http://service/v6.1/31337/tokens/${tokens.USDC}.svg`,
      eip2612: true,
      domainVersion: '2',
      tags: ['stablecoin'],
    })
    expect(body.dstToken).toMatchObject({ address: tokens.WETH, symbol: 'WETH', decimals: 18 })
    expect(body.gas).toBeGreaterThan(50_000)
    expect(body.protocols[0].token).toBe(tokens.USDC)
    for (const { hops } of body.protocols) {
      expect(sum(hops)).toBe(100)
      for (const hop of hops) expect(sum(hop.protocols)).toBe(hop.part)
    }
  })

  it('adds nothing when the include flags are false', async () => {
    const includes = { includeTokensInfo: 'false', includeProtocols: 'false', includeGas: 'false' }
    const { body } = await ask('quote', { ...trade(), ...includes })
    expect(Object.keys(body)).toEqual(['dstAmount'])
  })

  it('accepts addresses in any letter case and returns lower case', async () => {
    const upper = (address: Address) => `0x${address.slice(2).toUpperCase()}`
    const query = { ...trade(), includeTokensInfo: 'true' }
    const { body } = await ask('quote', { ...query, src: upper(tokens.USDC), dst: upper(nativeTokenAddress) })
    expect(body.srcToken.address).toBe(tokens.USDC)
    expect(body.dstToken.address).toBe(nativeTokenAddress)
  })

  it('returns the same bytes for the same request at the same block', async () => {
    const query = { ...trade(), includeProtocols: 'true', includeGas: 'true', includeTokensInfo: 'true' }
    // Ignored, but not served from the cache.
    const answers = await Promise.all(['1', '2', '3'].map((turn) => ask('quote', { ...query, turn })))
    expect(JSON.stringify(answers[1]!.body)).toBe(JSON.stringify(answers[0]!.body))
    expect(JSON.stringify(answers[2]!.body)).toBe(JSON.stringify(answers[0]!.body))
  })

  it('sends the upper bound of the return in x-route-bound, also on a repeated request', async () => {
    for (const _turn of [1, 2]) {
      const { headers, body } = await ask('quote', trade())
      const [, upper, gap] = /^upper="(\d+)", gap-bps=(\d+\.\d\d), over=market$/.exec(
        headers.get('x-route-bound') ?? '',
      )!
      expect(BigInt(upper!)).toBeGreaterThanOrEqual(BigInt(body.dstAmount))
      expect(Number(gap)).toBeLessThan(1)
    }
  })

  it('returns a lower amount after a swap in the same direction', async () => {
    const query = { src: tokens.BROOK, dst: tokens.DAI, amount: '100000000000000000000' }
    const before = await ask('quote', query)
    await running.chain.approve(tokens.BROOK, owner)
    const { body } = await ask('swap', { ...query, from: owner, origin: owner, slippage: '1' })
    await running.chain.execute(body.tx)
    const after = await ask('quote', query)
    expect(BigInt(after.body.dstAmount)).toBeLessThan(BigInt(before.body.dstAmount))
  })

  it('deducts the fee from the sold amount before routing', async () => {
    const fee = await ask('quote', { ...trade(), fee: '2.5' })
    const without = await ask('quote', { ...trade(), amount: '975000000' })
    expect(fee.body).toEqual(without.body)
  })

  it('uses only the sources in protocols and none of those in excludedProtocols', async () => {
    const used = async (query: Query) => {
      const { body } = await ask('quote', { ...trade(), includeProtocols: 'true', ...query })
      return names(body.protocols)
    }
    expect(await used({ protocols: 'UNISWAP_V2' })).toEqual(['UNISWAP_V2'])
    expect(await used({})).toContain('UNISWAP_V3')
    expect(await used({ excludedProtocols: 'UNISWAP_V3' })).not.toContain('UNISWAP_V3')
    expect(await used({ protocols: 'UNISWAP_V2,UNISWAP_V3', excludedProtocols: 'UNISWAP_V2' })).toEqual([
      'UNISWAP_V3',
    ])
  })

  it('wraps the native token even when protocols lists only pools', async () => {
    const query = {
      src: nativeTokenAddress,
      dst: tokens.USDC,
      amount: '1000000000000000000',
      includeProtocols: 'true',
    }
    const { body } = await ask('quote', { ...query, protocols: 'UNISWAP_V2' })
    expect(names(body.protocols)).toEqual(['UNISWAP_V2', 'WETH'])
  })

  it('does not wrap the native token when WETH is excluded, alone or beside other sources', async () => {
    const ether = '1000000000000000000'
    const pairs = [
      { src: nativeTokenAddress, dst: tokens.USDC, amount: ether },
      { src: tokens.USDC, dst: nativeTokenAddress, amount: '1000000000' },
      { src: nativeTokenAddress, dst: tokens.WETH, amount: ether },
      { src: tokens.WETH, dst: nativeTokenAddress, amount: ether },
    ]
    const sources = [{}, { protocols: 'UNISWAP_V2' }, { protocols: 'UNISWAP_V2,WETH' }]
    for (const pair of pairs) {
      for (const named of sources) {
        // Pools of Uniswap v4 hold the native token itself.
        const query = { ...pair, ...named, excludedProtocols: 'WETH,UNISWAP_V4' }
        const refusal = { status: 400, body: { code: 'INSUFFICIENT_LIQUIDITY' } }
        expect(await ask('quote', query)).toMatchObject(refusal)
        const terms = { from: owner, origin: owner, slippage: '1', disableEstimate: 'true' }
        expect(await ask('swap', { ...query, ...terms })).toMatchObject(refusal)
      }
    }
    const wethItself = { src: tokens.WETH, dst: tokens.USDC, amount: ether, excludedProtocols: 'WETH' }
    expect(await ask('quote', wethItself)).toMatchObject({ status: 200 })
  })

  it('excludes each of the listed sources', async () => {
    const { body } = await ask('liquidity-sources')
    for (const { id } of body.protocols) {
      for (const src of [nativeTokenAddress, tokens.WETH, tokens.DAI]) {
        const query = { src, dst: tokens.USDC, amount: '50000000000000000000', includeProtocols: 'true' }
        const answer = await ask('quote', { ...query, excludedProtocols: id })
        if (answer.status === 200) expect(names(answer.body.protocols)).not.toContain(id)
        else expect(answer.body.code).toBe('INSUFFICIENT_LIQUIDITY')
      }
    }
  })

  it('limits connector tokens, parts and gas', async () => {
    const brook = { src: tokens.BROOK, dst: tokens.USDC, amount: '1000000000000000000' }
    const refusal = { status: 400, body: { code: 'INSUFFICIENT_LIQUIDITY' } }
    expect(await ask('quote', { ...brook, complexityLevel: '0' })).toMatchObject(refusal)
    expect(await ask('quote', { ...brook, complexityLevel: '1' })).toMatchObject({ status: 200 })
    expect(await ask('quote', { ...brook, connectorTokens: '0' })).toMatchObject(refusal)
    expect(await ask('quote', { ...brook, connectorTokens: '1' })).toMatchObject({ status: 200 })
    expect(await ask('quote', { ...brook, connectorTokens: tokens.DAI })).toMatchObject({ status: 200 })
    const both = `${tokens.LINK},${tokens.DAI}`
    expect(await ask('quote', { ...brook, connectorTokens: both })).toMatchObject({ status: 200 })
    expect(await ask('quote', { ...brook, connectorTokens: tokens.LINK })).toMatchObject(refusal)
    expect(await ask('quote', { ...brook, gasLimit: '100000' })).toMatchObject(refusal)

    const large = { ...trade(), amount: '5000000000000', gasPrice: '0', includeProtocols: 'true' }
    const { body: one } = await ask('quote', { ...large, mainRouteParts: '1' })
    expect(one.protocols[0].hops.flatMap((hop: { protocols: unknown[] }) => hop.protocols)).toHaveLength(1)
    const { body: many } = await ask('quote', large)
    expect(BigInt(many.dstAmount)).toBeGreaterThan(BigInt(one.dstAmount))
    expect((await ask('quote', { ...large, parts: '0', mainRouteParts: '0' })).body).toEqual(many)
  })

  it('returns no gas estimate above gasLimit', async () => {
    for (const src of [tokens.USDC, tokens.BROOK, nativeTokenAddress]) {
      for (const gasLimit of [150_000, 180_000, 200_000, 250_000, 300_000, 400_000, 600_000]) {
        for (const fee of [undefined, '1']) {
          const query = { src, dst: tokens.DAI, amount: '5000000000000000000', gasPrice: '0', fee }
          const { status, body } = await ask('quote', {
            ...query,
            gasLimit: String(gasLimit),
            includeGas: 'true',
          })
          if (status === 200) expect(body.gas).toBeLessThanOrEqual(gasLimit)
          else expect(body.code).toBe('INSUFFICIENT_LIQUIDITY')
        }
      }
    }
  })

  it('weighs gas by the given gas price', async () => {
    const large = { ...trade(), amount: '5000000000000', includeGas: 'true' }
    const { body: free } = await ask('quote', { ...large, gasPrice: '0' })
    const { body: dear } = await ask('quote', { ...large, gasPrice: '10000000000000' })
    expect(free.gas).toBeGreaterThan(dear.gas)
    expect(BigInt(free.dstAmount)).toBeGreaterThan(BigInt(dear.dstAmount))
  })

  it.each([
    [{ dst: nobody }, 'UNKNOWN_TOKEN', `unknown token ${nobody}`],
    [{ src: nobody }, 'UNKNOWN_TOKEN', `unknown token ${nobody}`],
    [{ gasPrice: '10000000000001' }, 'GAS_PRICE_NOT_ALLOWED', /^gas price not allowed/],
    [{ protocols: 'uniswap_v2' }, 'VALIDATION_FAILED', 'unknown protocol uniswap_v2'],
    [{ excludedProtocols: 'NOPE' }, 'VALIDATION_FAILED', 'unknown protocol NOPE'],
    [
      { protocols: 'UNISWAP_V2', excludedProtocols: 'UNISWAP_V2' },
      'INSUFFICIENT_LIQUIDITY',
      'insufficient liquidity',
    ],
  ])('rejects a quote with %j', async (fault, code, description) => {
    const { status, body } = await ask('quote', { ...trade(), ...fault })
    expect(status).toBe(400)
    expect(body.code).toBe(code)
    expect(body.description).toMatch(description)
  })

  it('rejects equal src and dst, in any letter case', async () => {
    const dst = `0x${tokens.USDC.slice(2).toUpperCase()}`
    const { body } = await ask('quote', { ...trade(), dst })
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', description: 'src and dst should be different' })
  })

  it('reports a missing route with the legacy description and meta', async () => {
    const { body } = await ask('quote', { ...trade(), dst: running.localnet.contracts.multicall })
    expect(body).toMatchObject({
      code: 'INSUFFICIENT_LIQUIDITY',
      description: 'insufficient liquidity',
      meta: [{ type: 'toTokenAmount', value: '0' }],
    })
  })
})

describe('approvals', () => {
  it('returns the router as spender', async () => {
    expect((await ask('approve/spender')).body).toEqual({ address: running.config.router })
  })

  it('builds an approval for an amount, or an unlimited one by default', async () => {
    const calldata = (amount: bigint) =>
      `0x095ea7b3${running.config.router.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`
    const { body } = await ask('approve/transaction', {
      tokenAddress: tokens.USDC.toUpperCase().replace('0X', '0x'),
      amount: '1000',
    })
    expect(body).toEqual({
      to: tokens.USDC,
      data: calldata(1000n),
      gasPrice: String(running.engine.gasPrice()),
      value: '0',
    })
    const { body: endless } = await ask('approve/transaction', { tokenAddress: tokens.USDC })
    expect(endless.data).toBe(calldata(maxUint256))
    const { body: none } = await ask('approve/transaction', { tokenAddress: tokens.USDC, amount: '0' })
    expect(none.data).toBe(calldata(0n))
  })

  it('reads the allowance from the chain', async () => {
    const [, , , walletAddress] = running.localnet.accounts.map(({ address }) => address)
    const query = { tokenAddress: tokens.DAI, walletAddress: walletAddress! }
    expect((await ask('approve/allowance', query)).body).toEqual({ allowance: '0' })
    await running.chain.approve(tokens.DAI, walletAddress!, 77n)
    expect((await ask('approve/allowance', query)).body).toEqual({ allowance: '77' })
  })

  it('reports an unlimited allowance of the native token, and builds no approval for it', async () => {
    const { body } = await ask('approve/allowance', {
      tokenAddress: nativeTokenAddress.toUpperCase().replace('0X', '0x'),
      walletAddress: owner,
    })
    expect(body).toEqual({ allowance: String(maxUint256) })
    const refused = await ask('approve/transaction', { tokenAddress: nativeTokenAddress })
    expect(refused.body).toMatchObject({
      code: 'VALIDATION_FAILED',
      description: 'the native coin needs no approval',
    })
  })

  it.each([
    ['approve/transaction', {}, 'REQUIRED_FIELD_MISSING'],
    ['approve/transaction', { tokenAddress: 'x' }, 'VALIDATION_FAILED'],
    ['approve/transaction', { tokenAddress: nobody }, 'UNKNOWN_TOKEN'],
    ['approve/transaction', { tokenAddress: nobody, amount: '-1' }, 'INVALID_NUMBER'],
    ['approve/transaction', { tokenAddress: nobody, amount: String(2n ** 256n) }, 'VALIDATION_FAILED'],
    ['approve/allowance', { tokenAddress: nobody }, 'REQUIRED_FIELD_MISSING'],
    ['approve/allowance', { walletAddress: nobody }, 'REQUIRED_FIELD_MISSING'],
    ['approve/allowance', { tokenAddress: nobody, walletAddress: 'x' }, 'VALIDATION_FAILED'],
    ['approve/allowance', { tokenAddress: nobody, walletAddress: nobody }, 'UNKNOWN_TOKEN'],
  ])('rejects a request to %s with %j', async (operation, query: Query, code) => {
    const { status, body } = await ask(operation, query)
    expect(status).toBe(400)
    expect(body.code).toBe(code)
  })

  it('answers UNKNOWN_TOKEN to a request for the allowance of a contract that is not a token', async () => {
    const tokenAddress = running.localnet.contracts.v2Factory
    const { body } = await ask('approve/allowance', { tokenAddress, walletAddress: owner })
    expect(body.code).toBe('UNKNOWN_TOKEN')
  })
})

describe('sources and tokens', () => {
  it('lists the liquidity sources with images as data URLs', async () => {
    const { body } = await ask('liquidity-sources')
    expect(Object.keys(body)).toEqual(['protocols'])
    const ids = running.config.factories.map(({ source }) => source)
    expect(body.protocols.map(({ id }: { id: string }) => id).sort()).toEqual(
      [...new Set([...ids, 'WETH'])].sort(),
    )
    const pictures = body.protocols.map((source: { img_color: string }) => source.img_color)
    expect(new Set(pictures).size).toBe(pictures.length)
    for (const source of body.protocols) {
      for (const picture of [source.img, source.img_color])
        expect(picture).toMatch(/^data:image\/svg\+xml,%3Csvg/)
    }
  })

  it('lists the tokens and the native token by lower-case address', async () => {
    const { body } = await ask('tokens')
    expect(Object.keys(body)).toEqual(['tokens'])
    expect(Object.keys(body.tokens).sort()).toEqual([nativeTokenAddress, ...Object.values(tokens)].sort())
    for (const [key, token] of Object.entries<{ address: string }>(body.tokens)) {
      expect(token.address).toBe(key)
      expect(token).toMatchObject({
        symbol: expect.any(String),
        name: expect.any(String),
        decimals: expect.any(Number),
      })
      expect(token).toMatchObject({ logoURI: expect.any(String), tags: expect.any(Array) })
    }
    expect(body.tokens[nativeTokenAddress]).toMatchObject({ symbol: 'ETH', name: 'Ether', decimals: 18 })
    expect(body.tokens[tokens.DTT]).toMatchObject({ isFoT: true })
  })
})

function sum(parts: { part: number }[]): number {
  // Two decimals: exact in hundredths.
  return parts.reduce((total, { part }) => total + Math.round(part * 100), 0) / 100
}

type Splits = { hops: { protocols: { name: string }[] }[] }[]

function names(protocols: Splits): string[] {
  const all = protocols.flatMap(({ hops }) => hops.flatMap((hop) => hop.protocols.map(({ name }) => name)))
  return [...new Set(all)].sort()
}
