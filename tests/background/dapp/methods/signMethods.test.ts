import { hexToString, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Requester } from '../../../../src/background/approvals/store.ts'
import { signMethods } from '../../../../src/background/dapp/methods/signMethods.ts'
import type { DappRequest } from '../../../../src/domain/dapp/approval.ts'
import { WalletError } from '../../../../src/errors.ts'
import { mail } from '../../../helpers/samples/typedDataSamples.ts'

const asker: Requester = { origin: 'https://app.example', documentId: 'd', tabId: 1, requestId: 1 }
const account = `0x${'ac'.repeat(20)}` as const
const stranger = `0x${'57'.repeat(20)}` as const

function site() {
  const asked: { ask: DappRequest; chainId: number }[] = []
  const methods = signMethods({
    sites: {
      chain: async () => 1,
      async permitted(origin, wanted) {
        expect(origin).toBe(asker.origin)
        if (wanted.toLowerCase() === account) return account
        throw new WalletError('not-connected', 'This site may not ask for that account.')
      },
    },
    approvals: {
      async ask(from, ask, { chainId }) {
        expect(from).toBe(asker)
        asked.push({ ask, chainId })
        return '0x51'
      },
    },
  })
  const call = async (method: keyof typeof methods, params: unknown) => methods[method]!(asker, params)
  return { call, asked }
}

const signed = async (params: unknown) => {
  const { call, asked } = site()
  expect(await call('personal_sign', params)).toBe('0x51')
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ chainId: 1, ask: { kind: 'sign-message', account } })
  const ask = asked[0]?.ask
  return ask?.kind === 'sign-message' ? ask.message : expect.fail('asked for something else')
}

async function refusal(method: string, params: unknown): Promise<string> {
  const { call, asked } = site()
  const error: unknown = await call(method, params).catch((error) => error)
  expect(asked).toEqual([])
  if (!(error instanceof WalletError)) return expect.fail(`answered ${error}`)
  return `${error.code} ${error.message}`
}

describe('personal_sign', () => {
  it('reads hex as bytes and anything else as text', async () => {
    expect(await signed(['0xDEADbeef', account])).toBe('0xdeadbeef')
    expect(await signed(['0x', account])).toBe('0x')
    for (const text of ['', 'Hello', 'deadbeef', '0xabc', '0xzz', 'Grüße 🦊', '0x12 ']) {
      expect(hexToString(await signed([text, account]))).toBe(text)
    }
  })

  it('accepts messages of at most 100,000 bytes', async () => {
    const said = 'invalid-params message: has more than 100000 bytes.'
    expect(await signed(['x'.repeat(100_000), account])).toHaveLength(200_002)
    expect(await signed([`0x${'61'.repeat(100_000)}`, account])).toHaveLength(200_002)
    for (const message of ['x'.repeat(100_001), 'ü'.repeat(50_001), `0x${'61'.repeat(100_001)}`]) {
      expect(await refusal('personal_sign', [message, account])).toBe(said)
      expect(await refusal('personal_ecRecover', [message, `0x${'11'.repeat(65)}`])).toBe(said)
    }
  })

  it('accepts the address in any letter case and either position, and ignores further params', async () => {
    const loud = account.toUpperCase().replace('X', 'x')
    expect(await signed(['Hello', loud])).toBe(stringToHex('Hello'))
    expect(await signed([account, 'Hello'])).toBe(stringToHex('Hello'))
    expect(await signed(['Hello', account, 'password', 7])).toBe(stringToHex('Hello'))
  })

  it('reads the first of two addresses as the message', async () => {
    expect(await signed([stranger, account])).toBe(stranger)
    expect(await signed([account, account])).toBe(account)
    expect(await refusal('personal_sign', [account, stranger])).toContain('not-connected')
  })

  it('rejects invalid params and foreign accounts without a prompt', async () => {
    expect(await refusal('personal_sign', ['Hello', stranger])).toContain('not-connected')
    expect(await refusal('personal_sign', ['Hello'])).toBe('invalid-params address: is missing.')
    expect(await refusal('personal_sign', ['Hello', 'vitalik.eth'])).toBe(
      'invalid-params address: is missing.',
    )
    expect(await refusal('personal_sign', [])).toBe('invalid-params address: is missing.')
    expect(await refusal('personal_sign', undefined)).toBe('invalid-params params: is not a list.')
    expect(await refusal('personal_sign', { message: 'Hello' })).toBe('invalid-params params: is not a list.')
    expect(await refusal('personal_sign', [account])).toBe('invalid-params message: is not a text.')
    expect(await refusal('personal_sign', [{ a: 1 }, account])).toBe('invalid-params message: is not a text.')
  })
})

describe('eth_signTypedData_v4', () => {
  it('accepts the data as text or as an object, before or after the address', async () => {
    for (const params of [
      [account, mail],
      [account, JSON.stringify(mail)],
      [mail, account],
      [JSON.stringify(mail), account, 'more'],
    ]) {
      const { call, asked } = site()
      expect(await call('eth_signTypedData_v4', params)).toBe('0x51')
      expect(asked).toMatchObject([
        { chainId: 1, ask: { kind: 'sign-typed-data', account, typedData: { primaryType: 'Mail' } } },
      ])
    }
  })

  it('rejects a domain with another chain id and accepts one without a chain id', async () => {
    const other = { ...mail, domain: { ...mail.domain, chainId: '0x7a69' } }
    expect(await refusal('eth_signTypedData_v4', [account, other])).toBe(
      'invalid-params domain.chainId: is 31337, but the active chain is 1.',
    )
    const { EIP712Domain: _, ...types } = mail.types
    const { call, asked } = site()
    await call('eth_signTypedData_v4', [account, { ...mail, types, domain: { name: 'Anywhere' } }])
    expect(asked).toHaveLength(1)
  })

  it('rejects invalid params and foreign accounts without a prompt', async () => {
    expect(await refusal('eth_signTypedData_v4', [stranger, mail])).toContain('not-connected')
    expect(await refusal('eth_signTypedData_v4', [mail])).toBe('invalid-params address: is missing.')
    expect(await refusal('eth_signTypedData_v4', [account])).toBe('invalid-params data: is missing.')
    expect(await refusal('eth_signTypedData_v4', [account, 'Hello'])).toBe(
      'invalid-params data: is not JSON.',
    )
    const message = { ...mail.message, contents: 5 }
    expect(await refusal('eth_signTypedData_v4', [account, { ...mail, message }])).toBe(
      'invalid-params message.contents: is not of type string.',
    )
  })
})

describe('personal_ecRecover', () => {
  const signer = privateKeyToAccount(`0x${'4c'.repeat(32)}`)

  it('returns the signer in lower case, for text and for bytes', async () => {
    const { call } = site()
    const text = await signer.signMessage({ message: 'Hello' })
    expect(await call('personal_ecRecover', ['Hello', text])).toBe(signer.address.toLowerCase())
    expect(await call('personal_ecRecover', [stringToHex('Hello'), text])).toBe(signer.address.toLowerCase())
    const bytes = await signer.signMessage({ message: { raw: '0xdeadbeef' } })
    expect(await call('personal_ecRecover', ['0xdeadbeef', bytes])).toBe(signer.address.toLowerCase())
  })

  it('rejects an invalid signature', async () => {
    for (const signature of [undefined, 7, '', '0x', `0x${'00'.repeat(65)}`, `0x${'11'.repeat(64)}`]) {
      expect(await refusal('personal_ecRecover', ['Hello', signature])).toBe(
        'invalid-params signature: is not r, s and v in 65 bytes of hex.',
      )
    }
    expect(await refusal('personal_ecRecover', [7, '0x'])).toBe('invalid-params message: is not a text.')
  })
})
