import fc from 'fast-check'
import { keccak256, stringToHex, verifyMessage, verifyTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createSignatures } from '../../../src/background/transactions/signMessage.ts'
import type { DappRequest } from '../../../src/domain/dapp/approval.ts'
import { parseTypedData } from '../../../src/domain/signing/typedData.ts'
import type { Hex } from '../../../src/domain/token/token.ts'
import { mail, typedData } from '../../helpers/samples/typedDataSamples.ts'

/** "Cow" of EIP-712's example. */
const cow = keccak256(stringToHex('cow'))
const account = privateKeyToAccount(cow)

async function carryOut(ask: DappRequest, privateKey = cow, agreedAt = Date.now()): Promise<Hex> {
  const owner = privateKeyToAccount(privateKey).address.toLowerCase()
  const signatures = createSignatures({
    async withKey(address, use) {
      expect(address).toBe(owner)
      return use(privateKey)
    },
  })
  const approval = {
    id: '00'.repeat(16),
    origin: 'https://app.example',
    chainId: 1,
    createdAt: 0,
    expiresAt: 1,
    ask,
  }
  return (await signatures(approval, { kind: 'sign-message' }, agreedAt)) as Hex
}
const owner = account.address.toLowerCase() as Hex
const message = (message: Hex): DappRequest => ({ kind: 'sign-message', account: owner, message })

describe('createSignatures', () => {
  it('rejects a request that was accepted more than ten minutes ago or in the future', async () => {
    const minute = 60_000
    const agreed = (agoMs: number) => carryOut(message('0x68656c6c6f'), cow, Date.now() - agoMs)
    for (const agoMs of [11 * minute, 300 * minute, -11 * minute]) {
      await expect(agreed(agoMs)).rejects.toMatchObject({ code: 'stale-review' })
    }
    expect(await agreed(9 * minute)).toMatch(/^0x[0-9a-f]{130}$/)
  })

  it('reproduces the signature of the EIP-712 example', async () => {
    const ask: DappRequest = { kind: 'sign-typed-data', account: owner, typedData: parseTypedData(mail) }
    const signature = await carryOut(ask)
    expect(signature).toBe(
      '0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d' +
        '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562' +
        '1c',
    )
    expect(await carryOut(ask)).toBe(signature)
  })

  it('reproduces the message signature of the web3.js documentation', async () => {
    const key = '0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
    const ask = {
      ...message(stringToHex('Some data')),
      account: privateKeyToAccount(key).address.toLowerCase(),
    }
    expect(await carryOut(ask as DappRequest, key)).toBe(
      '0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c',
    )
  })

  it('signs messages that viem verifies', async () => {
    for (const text of ['', 'Hello', 'Grüße – 你好 🦊', 'x'.repeat(1_000)]) {
      const signature = await carryOut(message(stringToHex(text)))
      expect(await verifyMessage({ address: account.address, message: text, signature })).toBe(true)
      expect(signature).toBe(await account.signMessage({ message: text }))
    }
  })

  it('signs typed data that viem verifies', async () => {
    await fc.assert(
      fc.asyncProperty(typedData, async (sample) => {
        const signature = await carryOut({
          kind: 'sign-typed-data',
          account: owner,
          typedData: parseTypedData(sample),
        })
        const parts = sample as unknown as typeof mail
        expect(await verifyTypedData({ address: account.address, ...parts, signature } as never)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('rejects a request that asks for no signature', async () => {
    await expect(carryOut({ kind: 'switch-chain', to: 5 })).rejects.toThrow(
      'Nothing is signed for switch-chain.',
    )
  })
})
