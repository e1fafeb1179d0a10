import { describe, expect, it } from 'vitest'
import { createPages } from '../../src/background/pages.ts'
import { WalletError } from '../../src/errors.ts'

const asker = { origin: 'https://site.example', documentId: 'D', tabId: 1, requestId: 1 }
const pages = createPages({
  version: '1.2.3',
  documents: { view: async ({ origin }) => ({ accounts: [], chainId: origin === '' ? '0x1' : '0x2' }) },
  groups: [
    { one: async (_asker, params) => params },
    {
      two: async () => {
        throw new WalletError('rejected', 'No.')
      },
    },
  ],
})

describe('createPages', () => {
  it('hands each method its asker and its params', async () => {
    expect(await pages(asker, { method: 'one', params: [1] })).toEqual([1])
    await expect(pages(asker, { method: 'two' })).rejects.toMatchObject({ code: 'rejected' })
  })

  it('says who it is, and what a page sees', async () => {
    expect(await pages(asker, { method: 'web3_clientVersion' })).toBe('Sluice/1.2.3')
    expect(await pages(asker, { method: 'sluice_view' })).toEqual({ accounts: [], chainId: '0x2' })
  })

  it.each([
    'eth_sign',
    'eth_signTypedData',
    'eth_signTypedData_v1',
    'eth_signTypedData_v3',
    'eth_decrypt',
    'eth_getEncryptionPublicKey',
  ])('knows %s and refuses it, naming another way', async (method) => {
    await expect(pages(asker, { method, params: [] })).rejects.toMatchObject({
      code: 'unsupported-method',
      message: expect.stringMatching(/use (personal_sign|eth_signTypedData_v4)\.$/),
    })
  })

  it.each(['wallet_sendTransaction', 'eth_subscribe', 'constructor', '__proto__', 'toString', ''])(
    'knows no method %s',
    async (method) => {
      await expect(pages(asker, { method })).rejects.toMatchObject({ code: 'unknown-method' })
    },
  )
})
