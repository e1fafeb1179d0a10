import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inspect } from 'node:util'
import { encryptKeystoreJsonSync } from 'ethers'
import { describe, expect, it } from 'vitest'
import { fromHex, toBase64 } from '../../src/vault/bytes.ts'
import { openKeystore } from '../../src/vault/keystore.ts'
import { createKey, unwrapKey, wrapKey } from '../../src/vault/password.ts'
import { readPrivateKey } from '../../src/vault/privateKey.ts'
import type { NewKey } from '../../src/vault/storage/records.ts'
import { readPhrase } from '../../src/vault/words/phrase.ts'
import { slow } from '../helpers/slow.ts'
import { createPlaces, type Gate } from '../helpers/vault/fakeStorage.ts'

slow('Argon2id runs at its full cost.')

const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const entropy = `0x${'7f'.repeat(16)}` as const
const password = 'canary password 4711'

describe('vault errors', () => {
  it('exposes no password, phrase, entropy, data key or private key at any depth of an error', async () => {
    const { local, session, backup, clock, start } = createPlaces()
    const vault = start()
    const key = await createKey(password)
    const other = await createKey(`${password}!`)
    const errors: unknown[] = []
    const fail = async (run: () => Promise<unknown>) => {
      errors.push(
        await run().then(
          () => expect.unreachable('did not fail'),
          (error: unknown) => error,
        ),
      )
    }

    await fail(() => readPhrase(phrase.replace('yellow', 'canaryword')))
    await fail(() => readPhrase(phrase.replace('yellow', 'winner')))
    await fail(() => readPhrase(`${phrase} yellow`))
    const secret = await readPhrase(phrase)
    await fail(() => vault.importPhrase(key, { ...secret, seed: `${secret.seed}00` }))
    await fail(() => vault.importPhrase(key, { ...secret, entropy: `${secret.entropy}00` }))
    await fail(() => vault.importPhrase({ ...key, dataKey: `${key.dataKey}x` }, secret))
    await vault.importPhrase(key, secret)
    const [account] = await vault.accounts()
    let privateKey = ''
    await vault.withKey(account!.address, async (lent) => {
      privateKey = lent
    })
    await fail(() => vault.importPhrase(other, secret))
    await fail(() => unwrapKey(key.wrap, `${password}?`))
    await fail(() => unwrapKey({ ...key.wrap, sealed: '0x' }, password))
    await fail(() => wrapKey(password, `${key.dataKey}x`, key.wrap.vaultId))
    await fail(() => vault.unlock(other.dataKey))
    await fail(() => vault.unlock(`${key.dataKey}x`))
    await fail(() => vault.reveal(other.dataKey))
    await fail(() => vault.rewrap(other))
    await fail(() => vault.withKey(`0x${'1'.repeat(40)}`, async () => 1))
    const lone = `0x${'c4'.repeat(32)}` as const
    await vault.addKey(lone)
    await fail(() => vault.addKey(lone))
    await fail(() => vault.addKey(`${lone}c4`))
    await fail(() => vault.addPhrase(secret))
    await fail(() => vault.revealKey(other.dataKey, account!.address))
    await fail(async () => readPrivateKey(`${lone}c4`))
    const keystore = { address: account!.address, privateKey: lone }
    const file = encryptKeystoreJsonSync(keystore, password, { scrypt: { N: 2, r: 1, p: 1 } })
    await fail(() => openKeystore(file, `${password}?`))
    await fail(() => openKeystore(file, password))
    await fail(() => openKeystore(file.slice(1), password))
    // Throttled from here on.
    await fail(() => vault.unlock(other.dataKey))
    await fail(() => vault.unlock(key.dataKey))
    clock.ms += 60_000
    for (const place of [local, session, backup]) {
      place.gate = failing
      await fail(() => vault.confirmBackup().then(() => vault.unlock(`${key.dataKey}x`)))
      place.gate = () => undefined
    }
    local.items.set('vault', 'rotten')
    backup.stored = undefined
    await fail(() => vault.unlock(key.dataKey))
    clock.ms += 3_600_000
    await fail(() => vault.accounts())

    const told = errors.map((error) => inspect(error, { depth: Number.POSITIVE_INFINITY })).join('\n')
    const keys = [key, other].flatMap(({ dataKey }: NewKey) => [
      dataKey,
      Buffer.from(dataKey, 'base64').toString('hex'),
    ])
    const secrets = [
      password,
      'canary',
      phrase,
      'sausage',
      'yellow',
      privateKey.slice(2),
      'c4c4c4',
      entropy.slice(2),
      secret.seed.slice(2),
      ...keys,
    ]
    expect(privateKey).toMatch(/^0x[0-9a-f]{64}$/)
    expect(errors).toHaveLength(30)
    for (const secret of [...secrets, toBase64(fromHex(entropy))]) expect(told).not.toContain(secret)
  })
})

describe('vault source code', () => {
  const folder = resolve(import.meta.dirname, '../../src/vault')
  const code = readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))

  it('uses getRandomValues as its only source of randomness', () => {
    const sources = code.flatMap((text) => text.match(/Math\.random|getRandomValues|randomUUID/g) ?? [])
    expect(sources).toEqual(['getRandomValues'])
  })

  it('writes no log', () => {
    expect(code.filter((text) => text.includes('console.'))).toEqual([])
  })
})

const failing: Gate = () => {
  throw new Error('disk')
}
