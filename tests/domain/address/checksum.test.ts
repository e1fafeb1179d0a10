import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, it } from 'vitest'
import { readTypedAddress } from '../../../src/domain/address/typedAddress.ts'

const addresses = Array.from({ length: 200 }, () => privateKeyToAddress(generatePrivateKey()))

const hasBadChecksum = (text: string) => readTypedAddress(text)?.kind === 'mistyped'

it('accepts valid checksums and single-case addresses, and rejects invalid checksums', () => {
  for (const address of addresses) {
    expect(hasBadChecksum(address)).toBe(false)
    expect(hasBadChecksum(address.toLowerCase())).toBe(false)
    expect(hasBadChecksum(`0x${address.slice(2).toUpperCase()}`)).toBe(false)
    // Letters of a single case carry no checksum.
    const letters = address.slice(2).replace(/\d/g, '')
    if (letters === letters.toLowerCase() || letters === letters.toUpperCase()) continue
    const turned = Array.from(address.slice(2), (sign) =>
      sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase(),
    ).join('')
    expect(hasBadChecksum(`0x${turned}`)).toBe(true)
  }
})
