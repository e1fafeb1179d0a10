import { createHash } from 'node:crypto'
import { keccak256 as ethersKeccak } from 'ethers'
import fc from 'fast-check'
import { keccak256, sha256, stringToBytes, toHex } from 'viem'
import { describe, expect, it } from 'vitest'

/** FIPS 180-4. */
const twoBlocks = 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'

describe('keccak256', () => {
  it('returns the published hashes', () => {
    // Yellow paper: KEC(()), KEC(RLP(())); Keccak team.
    expect(keccak256('0x')).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470')
    expect(keccak256('0x80')).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
    expect(keccak256('0xc0')).toBe('0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347')
    expect(keccak256('0xcc')).toBe('0xeead6dbfc7340a56caedc044696a168870549a6a7f6f56961e84a54bd9970b8a')
    expect(keccak256(stringToBytes('abc'))).toBe(
      '0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45',
    )
  })
})

describe('sha256', () => {
  it('returns the published hashes', () => {
    expect(sha256('0x')).toBe('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(sha256(stringToBytes('abc'))).toBe(
      '0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
    expect(sha256(stringToBytes(twoBlocks))).toBe(
      '0x248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    )
  })
})

it('matches other libraries for random input, as bytes and as hex', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      const hex = toHex(bytes)
      expect(keccak256(bytes)).toBe(ethersKeccak(bytes))
      expect(keccak256(hex)).toBe(ethersKeccak(bytes))
      const sha = `0x${createHash('sha256').update(bytes).digest('hex')}`
      expect(sha256(bytes)).toBe(sha)
      expect(sha256(hex)).toBe(sha)
    }),
    { numRuns: 200 },
  )
})
