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

describe('createTokenNames', () => {
  it('reads each token once per network', async () => {
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

  it('reads a token again only after failures are forgiven', async () => {
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

  it('reads nothing for the native token', async () => {
    const names = createTokenNames(standInWallet({}))
    await names.learn([{ chainId: 1, token: nativeTokenAddress }])
    expect(names.getState()).toEqual({})
  })
})

describe('findKnownToken', () => {
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

  it('returns the native token as the settings of its network name it', () => {
    expect(findKnownToken(known(undefined, []), { ...at, token: nativeTokenAddress })).toMatchObject(
      local.coin,
    )
    expect(findKnownToken(known(undefined, []), { chainId: 5, token: nativeTokenAddress })).toBe(null)
  })

  it('returns the listed token before the contract was read, or when it could not be read', () => {
    expect(findKnownToken(known(undefined, []), at)).toBe(undefined)
    expect(findKnownToken(known(null, []), at)).toBe(null)
    expect(findKnownToken(known(undefined, [dai]), at)).toBe(dai)
    expect(findKnownToken(known(null, [dai]), at)).toBe(dai)
  })

  it('returns the listed token once the list is loaded, although the contract was read before', () => {
    expect(findKnownToken(known(unlisted, [dai]), at)).toBe(dai)
  })

  it('ignores a listed token whose decimals differ from those of the contract', () => {
    expect(findKnownToken(known(unlisted, [{ ...dai, decimals: 6 }]), at)).toBe(unlisted)
  })

  it('ignores the list of another network', () => {
    expect(findKnownToken(known(unlisted, [dai], 5), at)).toBe(unlisted)
    expect(findKnownToken(known(undefined, [dai], 5), at)).toBe(undefined)
  })
})
