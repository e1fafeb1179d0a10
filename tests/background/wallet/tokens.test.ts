import { beforeEach, describe, expect, it } from 'vitest'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { WalletApi } from '../../../src/protocol.ts'
import { dai } from '../../helpers/state/fakes.ts'
import { createWalletStage, stranger, type WalletStage } from './walletStage.ts'

let stage: WalletStage
let wallet: WalletApi

beforeEach(async () => {
  stage = await createWalletStage()
  ;({ wallet } = stage)
})

describe('token list', () => {
  it('is empty without a swap service or imported tokens', async () => {
    expect(await wallet.tokens(1)).toEqual([])
  })
})

describe('imported tokens', () => {
  const odd = { ...dai, address: stranger, symbol: 'ODD', listed: false }

  it('keeps an imported token until it is removed', async () => {
    stage.found = odd
    expect(await wallet.importToken(1, stranger)).toEqual(odd)
    expect(await wallet.tokens(1)).toEqual([odd])
    await wallet.removeToken(1, stranger)
    expect(await wallet.tokens(1)).toEqual([])
  })

  it('does not store a listed token or the native token', async () => {
    stage.found = { ...odd, listed: true }
    await wallet.importToken(1, stranger)
    stage.found = { ...odd, address: nativeTokenAddress }
    await wallet.importToken(1, nativeTokenAddress)
    expect(await wallet.tokens(1)).toEqual([])
  })

  it('stores favourites and recents, and rejects malformed preferences', async () => {
    await wallet.updateTokenPreferences(1, { marked: [stranger] })
    await wallet.updateTokenPreferences(1, { used: [nativeTokenAddress] })
    expect(await wallet.tokenPreferences(1)).toEqual({
      favourites: [stranger],
      recents: [nativeTokenAddress],
      listedAt: 5,
    })
    for (const odd of [{ marked: ['0x1'] }, { used: stranger }, undefined]) {
      await expect(wallet.updateTokenPreferences(1, odd as never)).rejects.toMatchObject({
        code: 'invalid-input',
      })
    }
  })
})
