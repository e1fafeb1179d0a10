import { encryptKeystoreJsonSync, Wallet } from 'ethers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openKeystore } from '../../src/vault/keystore.ts'
import vectors from './vectors/keystore.json'

const { password, privateKey, address, scrypt, pbkdf2 } = vectors
const key = `0x${privateKey}`

type Params = Record<string, unknown>

function changed(
  file: typeof scrypt | typeof pbkdf2,
  changes: Params,
  params: Params = {},
  top: Params = {},
) {
  const { crypto, ...rest } = file
  return JSON.stringify({
    ...rest,
    crypto: { ...crypto, ...changes, kdfparams: { ...crypto.kdfparams, ...params } },
    ...top,
  })
}

/** Cheap to decrypt. */
const cheap = encryptKeystoreJsonSync({ address: new Wallet(key).address, privateKey: key }, password, {
  scrypt: { N: 2, r: 1, p: 1 },
})

describe('openKeystore', () => {
  it('opens the published vectors with scrypt and PBKDF2', async () => {
    expect(await openKeystore(JSON.stringify(pbkdf2), password)).toBe(key)
    expect(await openKeystore(JSON.stringify(scrypt), password)).toBe(key)
  })

  it('opens files written by another library, for any key and password', async () => {
    const keys = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => {
      bytes[0]! &= 0x7f
      bytes[31]! |= 1
      return `0x${Buffer.from(bytes).toString('hex')}`
    })
    // ethers normalises other characters.
    const passwords = fc.string({ unit: fc.constantFrom(...'aZ9 ~!"\\/é中'), maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(keys, passwords, async (drawn, typed) => {
        const account = { address: new Wallet(drawn).address, privateKey: drawn }
        const text = encryptKeystoreJsonSync(account, typed, { scrypt: { N: 16, r: 8, p: 2 } })
        expect(await openKeystore(text, typed)).toBe(drawn)
        await expect(openKeystore(text, `${typed}x`)).rejects.toMatchObject({ code: 'wrong-password' })
      }),
      { numRuns: 50, seed: 4 },
    )
  })

  it.each(['Ａ１ﬁ½', 'e\u0301', 'ﾊﾟｽﾜｰﾄﾞ', '\u212b'])(
    'opens with the password %j in the normal form NFKC or as it was typed',
    async (typed) => {
      // ethers applies NFKC; geth uses the bytes as typed.
      const normal = encryptKeystoreJsonSync({ address: new Wallet(key).address, privateKey: key }, typed, {
        scrypt: { N: 2, r: 1, p: 1 },
      })
      const raw = encryptKeystoreJsonSync(
        { address: new Wallet(key).address, privateKey: key },
        new TextEncoder().encode(typed),
        {
          scrypt: { N: 2, r: 1, p: 1 },
        },
      )
      for (const file of [normal, raw]) {
        expect(await openKeystore(file, typed)).toBe(key)
        await expect(openKeystore(file, `${typed} `)).rejects.toMatchObject({ code: 'wrong-password' })
      }
      expect(await openKeystore(normal, typed.normalize('NFKC'))).toBe(key)
    },
  )

  it('accepts curly quotes and white space around the file', async () => {
    const curly = cheap.replaceAll(/"([^"]*)"/g, '“$1”')
    expect(await openKeystore(`\ufeff ${curly}\n`, password)).toBe(key)
  })

  it('accepts capitals, 0x prefixes and a missing address', async () => {
    const { Crypto } = JSON.parse(cheap)
    const { address: written, ...rest } = JSON.parse(cheap)
    for (const file of [
      rest,
      { ...rest, address: '' },
      { ...rest, address: `0x${written}` },
      { ...rest, address: written.toUpperCase() },
      { ...rest, Crypto: undefined, crypto: { ...Crypto, MAC: `0x${Crypto.mac}`, mac: undefined } },
    ]) {
      expect(await openKeystore(JSON.stringify(file), password)).toBe(key)
    }
    expect(written.replace('0x', '').toLowerCase()).toBe(address)
  })

  it('rejects a wrong password', async () => {
    for (const wrong of ['', 'testpasswore', 'testpassword ', 'Testpassword']) {
      await expect(openKeystore(cheap, wrong)).rejects.toMatchObject({
        code: 'wrong-password',
        facts: { why: 'keystore-password' },
      })
    }
  })

  it('rejects a changed MAC or ciphertext as a wrong password, and a changed IV by the address', async () => {
    const file = JSON.parse(cheap)
    const flipped = (hex: string, at: number) =>
      hex.slice(0, at) + (Number.parseInt(hex[at]!, 16) ^ 1).toString(16) + hex.slice(at + 1)
    for (const field of ['mac', 'ciphertext']) {
      for (let at = 0; at < 64; at++) {
        const bad = { ...file, Crypto: { ...file.Crypto, [field]: flipped(file.Crypto[field], at) } }
        await expect(openKeystore(JSON.stringify(bad), password)).rejects.toMatchObject({
          code: 'wrong-password',
        })
      }
    }
    const iv = flipped(file.Crypto.cipherparams.iv, 0)
    const bad = JSON.stringify({ ...file, Crypto: { ...file.Crypto, cipherparams: { iv } } })
    await expect(openKeystore(bad, password)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining('another address'),
      facts: { why: 'damaged-keystore' },
    })
  })

  it('rejects key derivation parameters that are too costly, invalid or unsupported', async () => {
    const planted = [
      changed(scrypt, {}, { n: 2 ** 22, r: 1, p: 2 }),
      changed(scrypt, {}, { n: 262_144, r: 8, p: 3 }),
      changed(scrypt, {}, { n: 2, r: 2 ** 30, p: 1 }),
      changed(scrypt, {}, { n: 2, r: 2 ** 21, p: 1 }),
      changed(scrypt, {}, { n: 2, r: 1, p: 2 ** 21 }),
      changed(scrypt, {}, { n: 2, r: 1, p: 2 ** 30 }),
      changed(scrypt, {}, { n: 2 ** 40 }),
      changed(scrypt, {}, { n: Number.MAX_SAFE_INTEGER, r: Number.MAX_SAFE_INTEGER }),
      changed(pbkdf2, {}, { c: 10_000_001 }),
      ...[0, 1, 3, -2, 1.5, 100_000, '262144', null].map((n) => changed(scrypt, {}, { n })),
      ...[0, -1, 0.5, '8', null].flatMap((bad) => [
        changed(scrypt, {}, { r: bad }),
        changed(scrypt, {}, { p: bad }),
        changed(pbkdf2, {}, { c: bad }),
      ]),
      changed(scrypt, {}, { dklen: 16 }),
      changed(scrypt, {}, { dklen: 2 ** 30 }),
      changed(scrypt, {}, { salt: '00'.repeat(2_000) }),
      changed(scrypt, {}, { salt: 'xy' }),
      changed(pbkdf2, {}, { prf: 'hmac-sha512' }),
    ]
    for (const text of planted) {
      const error = await openKeystore(text, password).catch((thrown) => thrown)
      const why = /salt$/.test(error.message.slice(0, -1)) ? 'damaged-keystore' : 'unknown-keystore'
      expect(error).toMatchObject({ code: 'invalid-input', facts: { why } })
      expect(error.message).toMatch(/^This is no keystore file that can be opened: crypto/)
    }
  })

  it('rejects other, unsupported and damaged files, each with its reason', async () => {
    const kinds = {
      'no-keystore': ['', 'no file', '{', 'null', '[]', '7', '{}', '{"version":3}', '{"crypto":{}}'],
      'unknown-keystore': [
        changed(scrypt, {}, {}, { version: 1 }),
        changed(scrypt, {}, {}, { version: '3' }),
        changed(scrypt, { cipher: 'aes-128-cbc' }),
        changed(scrypt, { kdf: 'bcrypt' }),
      ],
      'damaged-keystore': [
        changed(scrypt, { cipherparams: { iv: '00' } }),
        changed(scrypt, { ciphertext: '00' }),
        changed(scrypt, { mac: '' }),
        changed(scrypt, { mac: undefined }),
        changed(scrypt, { cipher: undefined }),
        changed(scrypt, { kdf: undefined }),
        changed(scrypt, {}, { n: undefined }),
        changed(scrypt, {}, {}, { address: 'here' }),
        JSON.stringify({ version: 3, crypto: { __proto__: null } }),
      ],
    }
    for (const [why, texts] of Object.entries(kinds)) {
      for (const text of texts) {
        const message = expect.stringMatching(/^This is no keystore file/)
        const refused = { code: 'invalid-input', message, facts: { why } }
        await expect(openKeystore(text, password), text).rejects.toMatchObject(refused)
      }
    }
  })

  it('rejects a file whose private key is out of range', async () => {
    const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
    for (const none of ['0'.repeat(64), order]) {
      const text = encryptKeystoreJsonSync({ address: `0x${address}`, privateKey: `0x${none}` }, password, {
        scrypt: { N: 2, r: 1, p: 1 },
      })
      await expect(openKeystore(text, password)).rejects.toMatchObject({
        code: 'invalid-input',
        message: 'There is no private key in this file.',
        facts: { why: 'damaged-keystore' },
      })
    }
  })
})
