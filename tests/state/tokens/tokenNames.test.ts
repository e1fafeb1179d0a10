import { describe, expect, it } from 'vitest'
import { type Address, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import {
  createTokenNames,
  findKnownToken,
  type TokenMetadata,
  tokenKey,
} from '../../../src/state/tokens/tokenNames.ts'
import { dai, local, standInWallet, usdc } from '../../helpers/state/fakes.ts'

describe('the names of tokens', () => {
  it('are asked for once, of each network by itself', async () => {
    const asked: string[] = []
    const names = createTokenNames(
      standInWallet({
        async token(chainId: number, address: Address) {
          asked.push(tokenKey({ chainId, token: address }))
          return address === dai.address ? dai : usdc
        },
      }),
    )
    const one = { chainId: 1, token: dai.address }
    await Promise.all([names.learn([one, one]), names.learn([one, { chainId: 10, token: dai.address }])])
    expect(asked).toEqual([
      tokenKey({ chainId: 1, token: dai.address }),
      tokenKey({ chainId: 10, token: dai.address }),
    ])
    expect(names.getState()).toEqual({
      [tokenKey({ chainId: 1, token: dai.address })]: dai,
      [tokenKey({ chainId: 10, token: dai.address })]: dai,
    })
  })

  it('are asked for again after nobody could say', async () => {
    let isDown = true
    const names = createTokenNames(
      standInWallet({
        async token() {
          if (isDown) throw new WalletError('node-unreachable', 'Nobody there.')
          return dai
        },
      }),
    )
    const wanted = [{ chainId: 1, token: dai.address }]
    await names.learn(wanted)
    expect(names.getState()).toEqual({ [tokenKey({ chainId: 1, token: dai.address })]: null })
    isDown = false
    await names.learn(wanted)
    expect(names.getState()).toEqual({ [tokenKey({ chainId: 1, token: dai.address })]: null })
    names.forgive()
    await names.learn(wanted)
    expect(names.getState()).toEqual({ [tokenKey({ chainId: 1, token: dai.address })]: dai })
  })

  it('are not asked of anybody for a coin', async () => {
    const names = createTokenNames(standInWallet({}))
    await names.learn([{ chainId: 1, token: nativeTokenAddress }])
    expect(names.getState()).toEqual({})
  })
})

describe('a token that is known', () => {
  const at = { chainId: local.chainId, token: dai.address }
  const known = (
    answer: Token | null | undefined,
    list: Token[],
    chainId = local.chainId,
  ): TokenMetadata => ({
    names: answer === undefined ? {} : { [tokenKey(at)]: answer },
    networks: [local],
    chainId,
    list: new Map(list.map((token) => [token.address, token])),
  })
  const unlisted = { ...dai, listed: false }

  it('is the coin as the settings of its network call it', () => {
    expect(findKnownToken(known(undefined, []), { ...at, token: nativeTokenAddress })).toMatchObject(
      local.coin,
    )
    expect(findKnownToken(known(undefined, []), { chainId: 5, token: nativeTokenAddress })).toBe(null)
  })

  it('is what the list says until somebody was asked, or where nobody could say', () => {
    expect(findKnownToken(known(undefined, []), at)).toBe(undefined)
    expect(findKnownToken(known(null, []), at)).toBe(null)
    expect(findKnownToken(known(undefined, [dai]), at)).toBe(dai)
    expect(findKnownToken(known(null, [dai]), at)).toBe(dai)
  })

  it('is listed once the list is here, though it was asked for before', () => {
    expect(findKnownToken(known(unlisted, [dai]), at)).toBe(dai)
  })

  it('is never what a list says whose decimals are not those that were answered', () => {
    expect(findKnownToken(known(unlisted, [{ ...dai, decimals: 6 }]), at)).toBe(unlisted)
  })

  it('is nothing that the list of another network says', () => {
    expect(findKnownToken(known(unlisted, [dai], 5), at)).toBe(unlisted)
    expect(findKnownToken(known(undefined, [dai], 5), at)).toBe(undefined)
  })
})
