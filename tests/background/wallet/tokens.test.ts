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

describe('tokens', () => {
  it('are the user’s own alone on a network without a service', async () => {
    expect(await wallet.tokens(1)).toEqual([])
  })
})

describe('tokens that no list has', () => {
  const odd = { ...dai, address: stranger, symbol: 'ODD', listed: false }

  it('that no list has are kept until they are forgotten', async () => {
    stage.found = odd
    expect(await wallet.importToken(1, stranger)).toEqual(odd)
    expect(await wallet.tokens(1)).toEqual([odd])
    await wallet.removeToken(1, stranger)
    expect(await wallet.tokens(1)).toEqual([])
  })

  it('of the list, and the coin, are not kept twice', async () => {
    stage.found = { ...odd, listed: true }
    await wallet.importToken(1, stranger)
    stage.found = { ...odd, address: nativeTokenAddress }
    await wallet.importToken(1, nativeTokenAddress)
    expect(await wallet.tokens(1)).toEqual([])
  })

  it('are marked and picked by network', async () => {
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
