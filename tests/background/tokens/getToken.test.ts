import { describe, expect, it } from 'vitest'
import { createGetToken } from '../../../src/background/tokens/getToken.ts'
import { createCachedTokens, createTokens } from '../../../src/background/tokens/tokens.ts'
import { type Address, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import type { Chain } from '../../../src/evm/client.ts'
import { newToken } from '../../../src/evm/erc20.ts'
import { memoryArea } from '../../helpers/background/memoryArea.ts'
import { local } from '../../helpers/state/fakes.ts'

const usdc: Address = `0x${'a1'.repeat(20)}`
const fake: Address = `0x${'b2'.repeat(20)}`
const own: Address = `0x${'c3'.repeat(20)}`
const serviceUrl = 'https://service.example'
const network = { ...local, chainId: 1, serviceUrl }

function wallet({ list, added = [], from = serviceUrl }: { list: Token[]; added?: Token[]; from?: string }) {
  const area = memoryArea()
  const chain = {
    async token(address: Address) {
      if (address === nativeTokenAddress) return newToken(nativeTokenAddress, 'ETH', 'Ether', 18)
      if (address.startsWith('0x00')) throw new WalletError('unknown-token', 'There is no token.')
      return newToken(address, 'USDC', 'by the contract', 6)
    },
  } as Chain
  const tokenOf = createGetToken({
    networks: { network: async () => network, chain: async () => chain },
    cached: createCachedTokens(area),
    assets: { list: async () => added },
  })
  return {
    tokenOf: (address: Address) => tokenOf(1, address),
    fill: () =>
      createTokens(area, { api: async () => ({ tokens: async () => list }) as never })({
        ...network,
        serviceUrl: from,
      }),
  }
}

const listed: Token = { ...newToken(usdc, 'USDC', 'by the list', 6), listed: true }

describe('createGetToken', () => {
  it('returns a listed token, and marks another of the same symbol as unlisted', async () => {
    const { tokenOf, fill } = wallet({ list: [listed] })
    expect(await tokenOf(usdc)).toMatchObject({ name: 'by the contract', listed: false })
    await fill()
    expect(await tokenOf(usdc)).toEqual(listed)
    expect(await tokenOf(fake)).toMatchObject({ symbol: 'USDC', listed: false })
  })

  it('returns a token that the user added', async () => {
    const added = newToken(own, 'MINE', 'by the user', 6)
    expect(await wallet({ list: [], added: [added] }).tokenOf(own)).toEqual(added)
  })

  it('uses the decimals of the contract, and the native token of the network', async () => {
    const coin = { ...newToken(nativeTokenAddress, 'USDC', 'by the list', 18), listed: true }
    const { tokenOf, fill } = wallet({ list: [{ ...listed, decimals: 18 }, coin] })
    await fill()
    expect(await tokenOf(usdc)).toMatchObject({ decimals: 6, listed: false })
    expect(await tokenOf(nativeTokenAddress)).toMatchObject({ symbol: 'ETH' })
  })

  it('ignores the list of a former service', async () => {
    const { tokenOf, fill } = wallet({ list: [listed], from: 'https://former.example' })
    await fill()
    expect(await tokenOf(usdc)).toMatchObject({ listed: false })
    await expect(tokenOf(`0x${'00'.repeat(20)}`)).rejects.toMatchObject({ code: 'unknown-token' })
  })
})
