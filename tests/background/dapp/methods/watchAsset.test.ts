import { describe, expect, it } from 'vitest'
import type { Requester } from '../../../../src/background/approvals/store.ts'
import { addAsset, assetMethods } from '../../../../src/background/dapp/methods/watchAsset.ts'
import { createCustomTokens } from '../../../../src/background/tokens/customTokens.ts'
import type { DappRequest } from '../../../../src/domain/dapp/approval.ts'
import { nativeTokenAddress, type Token } from '../../../../src/domain/token/token.ts'
import { WalletError } from '../../../../src/errors.ts'
import type { Chain } from '../../../../src/evm/client.ts'
import { memoryArea } from '../../../helpers/background/memoryArea.ts'

const asker: Requester = { origin: 'https://app.example', documentId: 'd', tabId: 1, requestId: 1 }
const account = `0x${'ac'.repeat(20)}` as const
const address = `0x${'7a'.repeat(20)}` as const
const token: Token = {
  address,
  symbol: 'GOLD',
  name: 'Gold',
  decimals: 6,
  listed: false,
  eip2612: false,
  taxed: false,
  tags: [],
}
const ask: DappRequest = { kind: 'watch-asset', token }

function site(accounts = [account], isFree = true) {
  const asked: { ask: DappRequest; chainId: number }[] = []
  const read: string[] = []
  const assets = createCustomTokens(memoryArea())
  const { wallet_watchAsset } = assetMethods({
    sites: { view: async () => ({ accounts, chainId: 5 }) },
    approvals: {
      async checkFree(from, kind) {
        expect([from, kind]).toEqual([asker, 'watch-asset'])
        if (!isFree) throw new WalletError('throttled', 'Not now.')
      },
      async ask(from, ask, { chainId }) {
        expect(from).toBe(asker)
        asked.push({ ask, chainId })
      },
    },
    networks: {
      async chain(chainId) {
        expect(chainId).toBe(5)
        const getToken: Chain['token'] = async (wanted) => {
          read.push(wanted)
          if (wanted === address) return token
          throw new WalletError('unknown-token', 'There is no token.')
        }
        return { token: getToken } as Chain
      },
    },
    assets,
  })
  return { watch: (params: unknown) => wallet_watchAsset!(asker, params), asked, assets, read }
}

const request = (options: object = {}) => ({ type: 'ERC20', options: { address, ...options } })

describe('wallet_watchAsset', () => {
  it('prompts with the token data of the contract', async () => {
    for (const params of [
      request(),
      [request()],
      request({ symbol: 'GOLD', decimals: 6, image: 'https://evil.example/pixel.svg' }),
      request({ symbol: ' gold\u200b', decimals: '6' }),
      request({ address: address.toUpperCase().replace('X', 'x') }),
    ]) {
      const { watch, asked } = site()
      expect(await watch(params)).toBe(true)
      expect(asked).toEqual([{ ask, chainId: 5 }])
    }
  })

  it.each([
    [undefined, 'params: missing, or not what it has to be.'],
    [[], 'params: missing, or not what it has to be.'],
    [{ options: { address } }, 'type: missing, or not what it has to be.'],
    [{ ...request(), type: 'ERC721' }, 'type: is not ERC20, the only kind of asset that is watched.'],
    [{ type: 'ERC20' }, 'options: missing, or not what it has to be.'],
    [{ type: 'ERC20', options: {} }, 'options.address: missing, or not what it has to be.'],
    [request({ address: 'gold.eth' }), 'options.address: is not the address of a token.'],
    [request({ address: 7 }), 'options.address: is not the address of a token.'],
    [request({ address: nativeTokenAddress }), 'options.address: is not the address of a token.'],
    [request({ address: account }), 'options.address: is not a token on chain 5.'],
    [request({ symbol: 7 }), 'options.symbol: missing, or not what it has to be.'],
    [request({ symbol: 'USDC' }), "options.symbol: is GOLD by the token's contract."],
    [request({ symbol: '' }), "options.symbol: is GOLD by the token's contract."],
    [request({ decimals: 18 }), "options.decimals: are 6 by the token's contract."],
    [request({ decimals: 6.5 }), "options.decimals: are 6 by the token's contract."],
    [request({ decimals: 'six' }), 'options.decimals: missing, or not what it has to be.'],
    [request({ decimals: [6] }), 'options.decimals: missing, or not what it has to be.'],
  ])('rejects %j without a prompt', async (params, message) => {
    const { watch, asked } = site()
    await expect(watch(params)).rejects.toMatchObject({ code: 'invalid-params', message })
    expect(asked).toEqual([])
  })

  it('returns true without a prompt for a token that the connected site added itself', async () => {
    const { watch, asked, assets } = site()
    await assets.add(5, token, asker.origin)
    expect(await watch(request())).toBe(true)
    expect(asked).toEqual([])
  })

  it('does not reveal watched tokens by a missing prompt or a missing error', async () => {
    const wrong = { message: "options.symbol: is GOLD by the token's contract." }
    for (const [accounts, origin] of [
      [[account], 'https://other.example'],
      [[], asker.origin],
    ] as const) {
      const { watch, asked, assets } = site([...accounts])
      await assets.add(5, token, origin)
      expect(await watch(request())).toBe(true)
      expect(asked).toHaveLength(1)
      await expect(watch(request({ symbol: 'wrong' }))).rejects.toMatchObject(wrong)
    }
    const { watch, assets } = site()
    await assets.add(5, token, asker.origin)
    await expect(watch(request({ symbol: 'wrong' }))).rejects.toMatchObject(wrong)
  })

  it('reads no contract for a throttled site', async () => {
    const { watch, asked, read } = site([account], false)
    await expect(watch(request())).rejects.toMatchObject({ code: 'throttled' })
    expect([asked, read]).toEqual([[], []])
  })

  it('rethrows the rejection of the user and the error of an unreachable RPC', async () => {
    const rejected = new WalletError('rejected', 'The user refused.')
    const away = new WalletError('node-unreachable', 'The node does not answer.')
    const parts = {
      sites: { view: async () => ({ accounts: [], chainId: 5 }) },
      assets: createCustomTokens(memoryArea()),
    }
    const refusing = assetMethods({
      ...parts,
      approvals: { ask: () => Promise.reject(rejected), checkFree: async () => undefined },
      networks: { chain: async () => ({ token: async () => token }) as unknown as Chain },
    })
    await expect(refusing.wallet_watchAsset!(asker, request())).rejects.toBe(rejected)
    const offline = assetMethods({
      ...parts,
      approvals: { ask: () => expect.fail('was asked'), checkFree: async () => undefined },
      networks: { chain: () => Promise.reject(away) },
    })
    await expect(offline.wallet_watchAsset!(asker, request())).rejects.toBe(away)
  })
})

describe('addAsset', () => {
  it('adds the token to the site’s chain once when executed twice', async () => {
    const assets = createCustomTokens(memoryArea())
    const approval = { id: '00', origin: asker.origin, chainId: 5, createdAt: 0, expiresAt: 1, ask }
    await addAsset(assets)(approval, { kind: 'watch-asset' })
    await addAsset(assets)(approval, { kind: 'watch-asset' })
    expect(await assets.list(5)).toEqual([token])
    expect(await assets.isOf(asker.origin, 5, address)).toBe(true)
  })
})
