import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser } from 'wxt/testing'
import { createBundledTokens } from '../../../src/background/tokens/bundledTokens.ts'
import { publicNetworks } from '../../../src/domain/network/chains.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { type Address, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { dai, local, token, usdc } from '../../helpers/state/fakes.ts'

const networkOf = (chainId: number): Network =>
  publicNetworks().find((network) => network.chainId === chainId)!
const base = networkOf(8453)
const polygon = networkOf(137)

const weth = {
  address: '0x4200000000000000000000000000000000000006',
  symbol: 'WETH',
  name: 'Wrapped Ether',
  decimals: 18,
}
const baseUsdc = {
  address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  eip2612: true,
}

const listed = { listed: true, eip2612: false, taxed: false, tags: [] }

async function noChain(): Promise<never> {
  throw new Error('The test did not expect the RPC to be asked.')
}

/** Returns what comes after the native token. */
async function readTokens(text: string): Promise<Token[]> {
  const tokens = await createBundledTokens({ readFile: async () => text, chainOf: noChain })(base)
  return tokens.slice(1)
}

/** Chain of `tokens`. */
const chainWith = (...tokens: Token[]) => ({
  async token(address: Address): Promise<Token> {
    const found = tokens.find((one) => one.address === address)
    if (found === undefined) throw new WalletError('unknown-token', `There is no token at ${address}.`)
    return found
  },
})

afterEach(() => vi.unstubAllGlobals())

describe('createBundledTokens on a public chain', () => {
  it('returns the native token of the settings before the tokens of the file', async () => {
    const readFile = vi.fn(async () => JSON.stringify([weth, baseUsdc]))
    const tokens = createBundledTokens({ readFile, chainOf: noChain })
    const coin = { symbol: 'xETH', name: 'My ether' }
    expect(await tokens({ ...base, coin })).toEqual([
      { ...coin, ...listed, address: nativeTokenAddress, decimals: 18 },
      { ...weth, ...listed },
      { ...baseUsdc, ...listed, eip2612: true },
    ])
    expect(readFile).toHaveBeenCalledWith('/tokenLists/8453.json')
  })

  it('reads the file of a chain once, and only when it is needed', async () => {
    const readFile = vi.fn(async () => JSON.stringify([weth]))
    const tokens = createBundledTokens({ readFile, chainOf: noChain })
    expect(readFile).not.toHaveBeenCalled()
    await Promise.all([tokens(base), tokens(base)])
    await tokens({ ...base, rpcUrl: 'https://another.example' })
    expect(readFile).toHaveBeenCalledTimes(1)
    await tokens(polygon)
    expect(readFile.mock.calls).toEqual([['/tokenLists/8453.json'], ['/tokenLists/137.json']])
  })

  it.each([
    ['an address in capitals', { ...weth, address: baseUsdc.address.toUpperCase() }],
    ['an address that is too short', { ...weth, address: '0x42' }],
    ['a symbol with a Cyrillic letter', { ...weth, symbol: 'WЕTH' }],
    ['an empty symbol', { ...weth, symbol: '' }],
    ['a symbol of 33 characters', { ...weth, symbol: 'W'.repeat(33) }],
    ['a name of 65 characters', { ...weth, name: 'W'.repeat(65) }],
    ['a name with a right-to-left override', { ...weth, name: 'Wrapped \u202erehtE' }],
    ['256 decimals', { ...weth, decimals: 256 }],
    ['decimals that are text', { ...weth, decimals: '18' }],
    ['a permit that is text', { ...weth, eip2612: 'yes' }],
    ['no name', { ...weth, name: undefined }],
    ['nothing', null],
  ])('leaves out an entry with %s', async (_what, entry) => {
    expect(await readTokens(JSON.stringify([entry, baseUsdc]))).toEqual([
      { ...baseUsdc, ...listed, eip2612: true },
    ])
  })

  it('lists a repeated address once', async () => {
    expect(await readTokens(JSON.stringify([weth, baseUsdc, weth]))).toHaveLength(2)
  })

  it.each([
    ['is cut off', JSON.stringify([weth]).slice(0, -5)],
    ['is empty', ''],
    ['is another kind of JSON', JSON.stringify({ tokens: [weth] })],
    ['has no valid entry', JSON.stringify([{ ...weth, decimals: -1 }])],
  ])('throws a clear error for a file that %s', async (_what, text) => {
    const error = await readTokens(text).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(WalletError)
    expect(error).toMatchObject({
      code: 'internal',
      message: "The wallet's token list /tokenLists/8453.json cannot be read. Reinstall the extension.",
    })
  })

  it('reads a file again after a failure', async () => {
    const readFile = vi.fn(async () => JSON.stringify([weth]))
    readFile.mockRejectedValueOnce(new Error('disk'))
    const tokens = createBundledTokens({ readFile, chainOf: noChain })
    await expect(tokens(base)).rejects.toMatchObject({ code: 'internal' })
    expect(await tokens(base)).toHaveLength(2)
  })

  it('reads the files of the extension’s package, from nowhere else', async () => {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      const path = url.replace(fakeBrowser.runtime.getURL('/' as never), '')
      return new Response(readFileSync(resolve(import.meta.dirname, '../../../public', path)))
    })
    const tokens = createBundledTokens({ chainOf: noChain })
    for (const network of publicNetworks()) {
      const [native, wrapped] = await tokens(network)
      expect(native).toMatchObject({ ...network.coin, address: nativeTokenAddress })
      expect(wrapped?.address).toBe(network.wrapped)
    }
    expect(asked).toEqual(
      publicNetworks().map(({ chainId }) =>
        fakeBrowser.runtime.getURL(`/tokenLists/${chainId}.json` as never),
      ),
    )
  })

  it('throws a clear error for a file that is missing in the package', async () => {
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify([weth]), { status: 404 }))
    await expect(createBundledTokens({ chainOf: noChain })(base)).rejects.toMatchObject({ code: 'internal' })
  })
})

describe('createBundledTokens on another network', () => {
  const wrapped = token('c', 'WETH', 18, false)
  const own = { ...local, wrapped: wrapped.address, stable: usdc.address }
  const readFile = async () => {
    throw new Error('The test did not expect a file to be read.')
  }

  it('reads the wrapped token and the stablecoin of the settings from their contracts', async () => {
    const chainOf = async () => chainWith(dai, { ...usdc, listed: false }, wrapped)
    expect(await createBundledTokens({ readFile, chainOf })(own)).toEqual([
      { ...local.coin, ...listed, address: nativeTokenAddress, decimals: 18 },
      { ...wrapped, listed: true },
      usdc,
    ])
  })

  it('returns the native token alone, without a request, if the settings name no other', async () => {
    const { stable: _, ...plain } = local
    const tokens = await createBundledTokens({ readFile, chainOf: noChain })(plain)
    expect(tokens.map(({ address }) => address)).toEqual([nativeTokenAddress])
  })

  it('leaves out an address that has no token', async () => {
    const chainOf = async () => chainWith(usdc)
    const tokens = await createBundledTokens({ readFile, chainOf })(own)
    expect(tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC'])
  })

  it('throws the error of an RPC that does not answer, so that no shorter list is stored', async () => {
    const error = new WalletError('node-unreachable', 'down')
    const chainOf = async () => ({ token: () => Promise.reject(error) })
    await expect(createBundledTokens({ readFile, chainOf })(own)).rejects.toBe(error)
  })
})
