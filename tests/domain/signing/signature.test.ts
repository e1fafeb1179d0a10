import { secp256k1 } from '@noble/curves/secp256k1'
import fc from 'fast-check'
import { hashMessage, recoverMessageAddress, sha256, stringToBytes, toHex } from 'viem'
import { privateKeyToAccount, sign as viemSign } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { recover, sign, toSignatureHex } from '../../../src/domain/signing/signature.ts'
import type { Hex } from '../../../src/domain/token/token.ts'

const order = secp256k1.CURVE.n
const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes))
const key = word.filter((hex) => BigInt(hex) > 0n && BigInt(hex) < order)
const keyOf = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`

describe('sign', () => {
  // Bitcoin vectors for RFC 6979 (bitcointalk.org, topic 285142): SHA-256, low s.
  const vectors: [bigint, string, string][] = [
    [
      1n,
      'Satoshi Nakamoto',
      '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8' +
        '2442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
    ],
    [
      1n,
      'All those moments will be lost in time, like tears in rain. Time to die...',
      '8600dbd41e348fe5c9465ab92d23e3db8b98b873beecd930736488696438cb6b' +
        '547fe64427496db33bf66019dacbf0039c04199abb0122918601db38a72cfc21',
    ],
    [
      order - 1n,
      'Satoshi Nakamoto',
      'fd567d121db66e382991534ada77a6bd3106f0a1098c231e47993447cd6af2d0' +
        '6b39cd0eb1bc8603e159ef5c20a5c8ad685a45b06ce9bebed3f153d10d93bed5',
    ],
    [
      0xf8b8af8ce3c7cca5e300d33939540c10d45ce001b8f252bfbc57ba0342904181n,
      'Alan Turing',
      '7063ae83e7f62bbb171798131b4a0564b956930092b33b07b395615d9ec7e15c' +
        '58dfcc1e00a35e1572f366ffe34ba0fc47db1e7189759b9fb233c5b05ab388ea',
    ],
  ]

  it('matches the RFC 6979 vectors for secp256k1', () => {
    for (const [key, text, expected] of vectors) {
      const signature = toSignatureHex(sign(sha256(stringToBytes(text)), keyOf(key)))
      expect(signature.slice(2, 130), text).toBe(expected)
    }
  })

  it('matches viem for any key and digest, with the lower s', async () => {
    await fc.assert(
      fc.asyncProperty(word, key, async (digest, privateKey) => {
        const signature = sign(digest, privateKey)
        const { r, s, yParity } = await viemSign({ hash: digest, privateKey })
        expect(signature).toEqual({ r: BigInt(r), s: BigInt(s), yParity })
        expect(signature.s).toBeLessThanOrEqual(order / 2n)
        expect(toSignatureHex(signature)).toBe(await viemSign({ hash: digest, privateKey, to: 'hex' }))
        expect(recover(digest, toSignatureHex(signature))).toBe(
          privateKeyToAccount(privateKey).address.toLowerCase(),
        )
      }),
      { numRuns: 200 },
    )
  })

  it('rejects zero, out-of-range and wrongly sized keys without revealing them', () => {
    const digest = keyOf(5n)
    for (const wrong of [
      keyOf(0n),
      keyOf(order),
      keyOf(2n ** 256n - 1n),
      '0x',
      keyOf(7n).slice(0, -2),
    ] as Hex[]) {
      let error: unknown
      try {
        sign(digest, wrong)
      } catch (thrown) {
        error = thrown
      }
      expect(error, wrong).toBeInstanceOf(Error)
      if (wrong.length === 66) expect(`${error} ${(error as Error).stack}`).not.toContain(wrong.slice(2))
    }
  })
})

describe('recover', () => {
  const account = privateKeyToAccount(keyOf(0xc0n))
  const owner = account.address.toLowerCase()
  const digest = hashMessage('Hello')

  it('recovers the signer from both notations of the parity', async () => {
    const signature = await account.signMessage({ message: 'Hello' })
    expect(recover(digest, signature)).toBe(owner)
    const v = Number(`0x${signature.slice(-2)}`)
    expect(recover(digest, `${signature.slice(0, -2)}0${v - 27}` as Hex)).toBe(owner)
    expect(recover(digest, signature.toUpperCase().replace('X', 'x') as Hex)).toBe(owner)
  })

  it('matches viem for any message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        const signature = await account.signMessage({ message: text })
        const found = await recoverMessageAddress({ message: text, signature })
        expect(recover(hashMessage(text), signature)).toBe(found.toLowerCase())
      }),
      { numRuns: 20 },
    )
  })

  it('returns undefined for an invalid signature', async () => {
    const signature = await account.signMessage({ message: 'Hello' })
    const zeros = '0'.repeat(64)
    const ones = 'f'.repeat(64)
    const wrongs = [
      '0x',
      signature.slice(0, -2),
      `${signature}00`,
      `${signature.slice(0, -2)}1d`,
      `${signature.slice(0, -2)}02`,
      `0x${zeros}${signature.slice(66)}`,
      `${signature.slice(0, 66)}${zeros}1b`,
      `0x${ones}${signature.slice(66)}`,
      `0x${zeros.slice(1)}5${signature.slice(66, 130)}1b`,
    ]
    for (const wrong of wrongs) expect(recover(digest, wrong as Hex), wrong).toBeUndefined()
  })
})
