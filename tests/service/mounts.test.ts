import { getAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Address } from '../../service/config.ts'
import { nativeTokenAddress } from '../../service/tokens/registry.ts'
import { withoutDeadline } from '../helpers/service/deadline.ts'
import { type Query, type Running, startRunning } from '../helpers/service/runService.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let running: Running
let tokens: Running['localnet']['tokens']
let owner: Address

beforeAll(async () => {
  running = await startRunning()
  tokens = running.localnet.tokens
  owner = running.localnet.accounts[0]!.address
})
afterAll(() => running.stop())

const publicMounts = ['swap/v6.1', 'swap/v6.0', 'v6.0']
const nestedMounts = ['swap/v6.0', 'v6.0']
const nobody: Address = `0x${'99'.repeat(20)}`

function ask(label: string, operation: string, query: Query = {}) {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return running.request(`/${label}/31337/${operation}?${new URLSearchParams(given)}`)
}

const trade = (): Query => ({ src: nativeTokenAddress, dst: tokens.USDC, amount: String(10n ** 18n) })
const swap = (): Query => ({ ...trade(), from: owner, slippage: '1', includeProtocols: 'true' })

describe('origin', () => {
  it('is required on the documented mount, also when empty', async () => {
    for (const origin of [undefined, '']) {
      const { status, body } = await ask('v6.1', 'swap', { ...swap(), origin })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'REQUIRED_FIELD_MISSING', description: 'origin is not set' })
    }
  })

  it.each(publicMounts)('is from when absent or empty on %s', async (label) => {
    const given = await ask(label, 'swap', { ...swap(), origin: owner })
    expect(given.status).toBe(200)
    for (const origin of [undefined, '']) {
      const { body } = await ask(label, 'swap', { ...swap(), origin })
      expect(withoutDeadline(body)).toEqual(withoutDeadline(given.body))
    }
  })

  it.each(publicMounts)('is read where %s is given one', async (label) => {
    const { body } = await ask(label, 'swap', { ...swap(), origin: 'x' })
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', description: 'origin is not an address' })
  })
})

describe('the mounts of version 6', () => {
  it.each(publicMounts)('answer the same on %s as on v6.1, but for the form of the route', async (label) => {
    const own = { protocols: undefined }
    for (const operation of ['quote', 'swap']) {
      const query = { ...swap(), origin: owner, includeGas: 'true', amount: '9000000000000000000' }
      const { body } = await ask(label, operation, query)
      const documented = await ask('v6.1', operation, query)
      expect(withoutDeadline({ ...body, ...own })).toEqual(withoutDeadline({ ...documented.body, ...own }))
      if (label === 'swap/v6.1') expect(body.protocols).toEqual(documented.body.protocols)
    }
    const approval = { tokenAddress: tokens.USDC, amount: '5' }
    const wallet = { tokenAddress: tokens.USDC, walletAddress: nobody }
    for (const [operation, query] of [
      ['approve/spender', {}],
      ['approve/transaction', approval],
      ['approve/allowance', wallet],
      ['liquidity-sources', {}],
    ] as const) {
      expect(await ask(label, operation, query)).toMatchObject({
        status: 200,
        body: (await ask('v6.1', operation, query)).body,
      })
    }
  })

  it.each(publicMounts)('link logos that %s serves', async (label) => {
    const { body } = await ask(label, 'tokens')
    const { logoURI } = body.tokens[tokens.USDC]
    expect(logoURI).toBe(`http://service/${label}/31337/tokens/${tokens.USDC}.svg`)
    const logo = await running.handler(new Request(logoURI))
    expect(logo.status).toBe(200)
    expect(await logo.text()).toContain('>USDC<')
  })

  it.each(publicMounts)('send the bound of the return with quotes of %s', async (label) => {
    const { headers } = await ask(label, 'quote', trade())
    expect(headers.get('x-route-bound')).toMatch(/^upper="\d+", gap-bps=\d+\.\d\d, over=market$/)
  })
})

/** The published shapes of version 6.0, written anew. */
const published = (() => {
  const token = z.object({
    address: z.string(),
    symbol: z.string(),
    name: z.string(),
    decimals: z.number(),
    logoURI: z.string(),
    domainVersion: z.string().optional(),
    eip2612: z.boolean().optional(),
    isFoT: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
  })
  const piece = z.strictObject({
    name: z.string(),
    part: z.number(),
    fromTokenAddress: z.string(),
    toTokenAddress: z.string(),
  })
  const answer = {
    srcToken: token.optional(),
    dstToken: token.optional(),
    dstAmount: z.string(),
    protocols: z.array(z.array(z.array(piece))).optional(),
  }
  const [text, meta] = [z.string(), z.object({ type: z.string(), value: z.string() })]
  return {
    quote: z.object({ ...answer, gas: z.number().optional() }),
    swap: z.object({
      ...answer,
      tx: z.object({ from: text, to: text, data: text, value: text, gasPrice: text, gas: z.number() }),
    }),
    error: z.object({
      error: text,
      description: text,
      statusCode: z.union([z.literal(400), z.literal(500)]),
      requestId: text,
      meta: z.array(meta),
    }),
  }
})()

describe.each(nestedMounts)('version 6.0 at %s', (label) => {
  const everything = { includeTokensInfo: 'true', includeProtocols: 'true', includeGas: 'true' }

  it('answers quotes, swaps and errors in the published shapes', async () => {
    const quote = await ask(label, 'quote', { ...trade(), ...everything })
    expect(published.quote.safeParse(quote.body).error?.issues ?? []).toEqual([])
    expect(Object.keys(quote.body).sort()).toEqual(['dstAmount', 'dstToken', 'gas', 'protocols', 'srcToken'])
    const swapped = await ask(label, 'swap', { ...swap(), ...everything })
    expect(published.swap.safeParse(swapped.body).error?.issues ?? []).toEqual([])
    for (const fault of [{ amount: 'x' }, { slippage: undefined }, { from: nobody }, { dst: nobody }]) {
      const { status, body } = await ask(label, 'swap', { ...swap(), ...fault })
      expect(status).toBe(400)
      expect(published.error.safeParse(body).error?.issues ?? []).toEqual([])
    }
  })

  it('answers routes as main routes of steps, each from the token before to the next', async () => {
    // Pools of Uniswap v4 hold the native token itself.
    const named = { includeProtocols: 'true', excludedProtocols: 'UNISWAP_V4' }
    const query = { ...trade(), amount: String(300n * 10n ** 18n), ...named }
    const { body } = await ask(label, 'quote', query)
    expect(body.protocols.length).toBeGreaterThan(1)
    for (const steps of body.protocols) {
      expect(steps[0][0]).toMatchObject({ name: 'WETH', fromTokenAddress: nativeTokenAddress })
      expect(steps.at(-1)[0].toTokenAddress).toBe(tokens.USDC)
      steps.forEach((pieces: { part: number; fromTokenAddress: string }[], i: number) => {
        expect(pieces.reduce((sum, { part }) => sum + part, 0)).toBe(100)
        if (i > 0) expect(pieces[0]!.fromTokenAddress).toBe(steps[i - 1][0].toTokenAddress)
      })
    }
  })
})

/** Fields that a strict parser of a public client requires, a wallet framework’s. */
const strictToken = z.object({
  address: z.string(),
  symbol: z.string(),
  name: z.string(),
  decimals: z.number(),
  eip2612: z.boolean(),
  isFoT: z.boolean(),
  logoURI: z.string(),
  tags: z.array(z.string()),
})

// Requests of two public clients, written from their sources.
describe('requests of public clients', () => {
  // KomodoPlatform/komodo-defi-framework, trading_api: flags as words, numbers as Rust prints them.
  it('answers the quote of a wallet framework, whose parser requires every field of a token', async () => {
    const route = { fee: '0.3', complexityLevel: '1', parts: '20', mainRouteParts: '4', gasLimit: '2000000' }
    const includes = { includeTokensInfo: 'true', includeProtocols: 'true', includeGas: 'true' }
    const { status, body } = await ask('swap/v6.0', 'quote', { ...trade(), ...route, ...includes })
    expect(status).toBe(200)
    for (const token of [body.srcToken, body.dstToken])
      expect(strictToken.safeParse(token).success).toBe(true)
    expect(body.dstToken).toMatchObject({ eip2612: true, isFoT: false })
    expect(published.quote.safeParse(body).error?.issues ?? []).toEqual([])
  })

  it('answers its swap, and tells the allowance and the amount in meta where they fall short', async () => {
    const from = running.localnet.accounts[3]!.address
    const asked = { src: tokens.DAI, dst: tokens.USDC, amount: '1000000000000000000', from, slippage: '1' }
    const { status, body } = await ask('swap/v6.0', 'swap', { ...asked, allowPartialFill: 'false' })
    expect(status).toBe(400)
    expect(body.meta).toEqual(
      expect.arrayContaining([
        { type: 'allowance', value: '0' },
        { type: 'amount', value: asked.amount },
      ]),
    )
    const untried = await ask('swap/v6.0', 'swap', { ...asked, disableEstimate: 'true' })
    expect(untried.status).toBe(200)
    expect(published.swap.safeParse(untried.body).error?.issues ?? []).toEqual([])
  })

  // 1inch/1inch-sdk-go: keys in alphabetical order, checksummed addresses, zero values left out.
  it('answers the swap of an SDK that gives origin and checksummed addresses', async () => {
    const query = {
      amount: '1000000',
      disableEstimate: 'true',
      dst: getAddress(tokens.WETH),
      fee: '1.5',
      from: getAddress(owner),
      includeTokensInfo: 'true',
      origin: getAddress(owner),
      receiver: getAddress(nobody),
      referrer: getAddress(running.config.multicall),
      slippage: '1',
      src: getAddress(tokens.USDC),
    }
    for (const label of ['swap/v6.0', 'swap/v6.1', 'v6.1']) {
      const { status, body } = await ask(label, 'swap', query)
      expect(status).toBe(200)
      expect(body.tx).toMatchObject({ from: owner, to: running.config.router, value: '0' })
      expect(body.srcToken.address).toBe(tokens.USDC)
    }
  })

  it('lists tokens whose every field the strict parser finds, on the documented mount as documented', async () => {
    const { body } = await ask('swap/v6.0', 'tokens')
    for (const token of Object.values(body.tokens)) expect(strictToken.safeParse(token).success).toBe(true)
    expect(body.tokens[tokens.DTT]).toMatchObject({ isFoT: true, eip2612: true })
    const documented = await ask('v6.1', 'tokens')
    expect(documented.body.tokens[tokens.WETH]).not.toHaveProperty('isFoT')
  })

  it('answers flags as digits, and empty values for all that is optional', async () => {
    const names = ['receiver', 'referrer', 'permit', 'protocols', 'excludedProtocols', 'connectorTokens']
    const others = ['gasPrice', 'minReturn', 'fee', 'parts', 'mainRouteParts', 'gasLimit', 'usePermit2']
    const empty = Object.fromEntries([...names, ...others].map((name) => [name, '']))
    const query = { ...swap(), ...empty, disableEstimate: '1', includeProtocols: '0' }
    const { status, body } = await ask('swap/v6.0', 'swap', query)
    expect(status).toBe(200)
    const plain = await ask('swap/v6.0', 'swap', { ...swap(), disableEstimate: 'true', includeProtocols: '' })
    expect(withoutDeadline(body)).toEqual(withoutDeadline(plain.body))
  })
})
