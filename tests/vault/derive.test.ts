import { spawn } from 'node:child_process'
import { HDKey } from '@scure/bip32'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomBytes } from '../../src/vault/bytes.ts'
import { accountPath, privateKeyAt, toAccountAddress } from '../../src/vault/derive.ts'
import { deriveSeed, parsePhrase, toPhrase } from '../../src/vault/words/phrase.ts'
import bip32 from './vectors/bip32.json'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))

describe('key derivation', () => {
  it('matches BIP-32 test vectors 1 to 4', async () => {
    const chains = bip32.derivations.flatMap(({ seed, chains }) =>
      chains.map((chain) => ({ seed, ...chain })),
    )
    expect(chains).toHaveLength(17)
    for (const { seed, path, key } of chains) {
      expect(hex(await privateKeyAt(bytes(seed), path))).toBe(hex(HDKey.fromExtendedKey(key).privateKey!))
    }
  })

  it('matches another library for any seed and path', async () => {
    const index = fc
      .tuple(fc.nat({ max: 2 ** 31 - 1 }), fc.constantFrom('', "'"))
      .map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 16, maxLength: 64 }),
        fc.array(index, { maxLength: 6 }),
        async (drawn, steps) => {
          const path = ['m', ...steps].join('/')
          const theirs = HDKey.fromMasterSeed(drawn).derive(path).privateKey!
          expect(hex(await privateKeyAt(new Uint8Array(drawn), path))).toBe(hex(theirs))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('leaves the seed unchanged', async () => {
    const seed = randomBytes(64)
    const before = hex(seed)
    await privateKeyAt(seed, accountPath(0))
    expect(hex(seed)).toBe(before)
  })

  it('derives the same address as anvil for the same phrase', async () => {
    const phrases = [
      'test test test test test test test test test test test junk',
      await toPhrase(randomBytes(16)),
      await toPhrase(randomBytes(32)),
    ]
    for (const phrase of phrases) {
      const seed = await deriveSeed(await parsePhrase(phrase))
      expect(toAccountAddress(await privateKeyAt(seed, accountPath(0)))).toBe(await anvilAddress(phrase))
    }
  })
})

function anvilAddress(phrase: string): Promise<string> {
  const options = ['--port', '0', '--accounts', '1', '--mnemonic', phrase]
  // anvil is a wrapper: killing the process group ends both.
  const anvil = spawn('node_modules/.bin/anvil', options, { detached: true })
  return new Promise<string>((resolve, reject) => {
    let printed = ''
    anvil.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const address = /\(0\) (0x[0-9a-fA-F]{40})/.exec(printed)?.[1]
      if (address !== undefined) resolve(address.toLowerCase())
    })
    anvil.on('error', reject)
    anvil.on('exit', () => reject(new Error(`anvil ended early: ${printed}`)))
  }).finally(() => {
    if (anvil.pid !== undefined) process.kill(-anvil.pid, 'SIGKILL')
  })
}
