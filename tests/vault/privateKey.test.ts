import { describe, expect, it } from 'vitest'
import { privateKeyAddress, readPrivateKey } from '../../src/vault/privateKey.ts'

const digits = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
// SEC 2, 2.4.1.
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const hex = (number: bigint) => number.toString(16).padStart(64, '0')

describe('readPrivateKey', () => {
  it('accepts a key with or without 0x, in any letter case, with white space around it', () => {
    for (const text of [digits, `0x${digits}`, `0X${digits}`, digits.toUpperCase(), ` \n0x${digits}\t`]) {
      expect(readPrivateKey(text)).toBe(`0x${digits}`)
    }
  })

  it.each([
    `"${digits}"`,
    `'0x${digits}',`,
    `“0x${digits}”`,
    `• ${digits}`,
    `- 0x${digits}.`,
    `<${digits}>`,
    `PRIVATE_KEY=0x${digits}`,
    `Private key: ${digits}`,
    `Private key: ${digits.match(/.{4}/g)?.join(' ')}`,
    `1. ${digits.match(/.{4}/g)?.join(' ')}`,
    `1. ${digits}`,
    `#2: Private key (hex) = 0x${digits.match(/.{8}/g)?.join('\n')}`,
    `Account 1: private key: ${digits.match(/.{16}/g)?.join(' ')}`,
    `1st key: 0x${digits.slice(0, 32)}\n${digits.slice(32)}`,
    `0x${digits}\n0x${digits}`,
    `Key: ${digits} (0x${digits.toUpperCase()})`,
    `{"address": "0x${'ab'.repeat(20)}", "privateKey": "0x${digits}"}`,
    `${digits.slice(0, 32)}\n${digits.slice(32)}`,
    `0x${digits.match(/.{8}/g)?.join(' ')}`,
    `\u200b0x${digits.slice(0, 9)}\u00ad${digits.slice(9)}\ufeff`,
    digits.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  ])('reads the key from %j', (text) => {
    expect(readPrivateKey(text)).toBe(`0x${digits}`)
  })

  it('rejects a text with several keys', () => {
    expect(() => readPrivateKey(`${digits}, ${hex(1n)}`)).toThrow('letters a to f')
  })

  it('accepts numbers from 1 to n - 1 only', () => {
    expect(readPrivateKey(hex(1n))).toBe(`0x${hex(1n)}`)
    expect(readPrivateKey(hex(order - 1n))).toBe(`0x${hex(order - 1n)}`)
    for (const number of [0n, order, order + 1n, 2n ** 256n - 1n]) {
      expect(() => readPrivateKey(hex(number))).toThrow('No private key is zero')
    }
  })

  it('explains why a key is rejected without showing it', () => {
    for (const [text, why] of [
      ['', 'this one has 0'],
      ['0x', 'this one has 0'],
      [digits.slice(1), 'this one has 63'],
      [`${digits}0`, 'this one has 65'],
      [digits.replace('4', 'g'), 'letters a to f'],
      [digits.replace('4', ' '), 'letters a to f'],
      [`Private key: ${digits.slice(1)}`, 'this one has 63'],
      [`1: ${digits.slice(1)}`, 'this one has 63'],
      [`a: ${digits.slice(1)}`, 'this one has 63'],
      [`0x0x${digits}`, 'letters a to f'],
    ]) {
      let message = ''
      try {
        readPrivateKey(text!)
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid-input' })
        message = String(error)
      }
      expect(message).toContain(why)
      expect(message).not.toContain(digits.slice(10, 20))
    }
  })
})

it('privateKeyAddress returns the address of a private key', () => {
  expect(privateKeyAddress(`0x${digits}`)).toBe('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
})
