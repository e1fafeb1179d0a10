import { beforeEach, describe, expect, it } from 'vitest'
import { toWalletError, type WalletError } from '../../../src/errors.ts'
import { listen } from '../../../src/messaging.ts'
import type { WalletEvents } from '../../../src/protocol.ts'
import { createKey, passwordKey, unwrapUnchecked } from '../../../src/vault/password.ts'
import type { NewKey } from '../../../src/vault/storage/records.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { begin, inSession, onDisk, openBrowser, wallet } from '../../helpers/background/popup.ts'
import { slow } from '../../helpers/slow.ts'

slow('The worker is stopped, or its node lies, again and again.')

const password = 'seven quiet herons'
let key: NewKey

beforeEach(async () => {
  openBrowser()
  key ??= await createKey(password)
  begin()
  await wallet.create(key, await newSecret(12))
  await wallet.lock()
})

async function unlock(text: string): Promise<WalletError | undefined> {
  const dataKey = await unwrapUnchecked(await wallet.wrappedKey(), text)
  return wallet.unlock(dataKey).then(() => undefined, toWalletError)
}

/** Counts Argon2id instances and decryptions. */
async function workOf(act: () => Promise<unknown>) {
  const work = { machines: 0, openings: 0 }
  const { instantiate } = WebAssembly
  const decrypt = crypto.subtle.decrypt.bind(crypto.subtle)
  WebAssembly.instantiate = ((...args: Parameters<typeof instantiate>) => {
    work.machines++
    return instantiate(...args)
  }) as typeof instantiate
  crypto.subtle.decrypt = (...args) => {
    work.openings++
    return decrypt(...args)
  }
  await act()
  WebAssembly.instantiate = instantiate
  Reflect.deleteProperty(crypto.subtle, 'decrypt')
  return work
}

describe('password check', () => {
  it('runs Argon2id once per unlock attempt, with the right or a wrong password', async () => {
    const one = await workOf(() => passwordKey(password, key.wrap.kdf))
    expect(one.machines).toBeGreaterThan(0)
    // A wrong key reaches the worker, too.
    expect(await workOf(() => unlock('not this one'))).toEqual({ machines: one.machines, openings: 2 })
    // Once more to read the accounts.
    expect(await workOf(() => unlock(password))).toEqual({ machines: one.machines, openings: 3 })
  })
})

describe('concurrent windows', () => {
  it('unlocks from two windows at once and notifies every view', async () => {
    const told: string[] = []
    const stop = listen<WalletEvents>('events', { status: ({ vault }) => told.push(vault) })
    expect(await Promise.all([unlock(password), unlock(password)])).toEqual([undefined, undefined])
    stop()
    expect(told).toEqual(['unlocked', 'unlocked'])
    expect((await wallet.status()).vault).toBe('unlocked')
    expect(await inSession()).toMatchObject({ unlocked: { dataKey: key.dataKey } })
    expect(await onDisk()).not.toHaveProperty('wrongPasswords')
  })

  it('reports a wrong and a right password to their own windows, in either order', async () => {
    for (const texts of [
      ['not this one', password],
      [password, 'not this one'],
    ]) {
      const said = await Promise.all(texts.map(unlock))
      expect(said.map((error) => error?.code)).toEqual(
        texts.map((text) => (text === password ? undefined : 'wrong-password')),
      )
      expect((await wallet.status()).vault).toBe('unlocked')
      await wallet.lock()
    }
  })

  it('keeps both contacts added at once, and removes only the deleted one', async () => {
    const [ann, bob] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`] as const
    await Promise.all([
      wallet.saveSettings({ contacts: [{ address: bob, name: 'Bob' }] }),
      wallet.saveSettings({ contacts: [{ address: ann, name: 'Ann' }] }),
    ])
    expect((await wallet.settings()).contacts.map(({ name }) => name)).toEqual(['Ann', 'Bob'])
    await wallet.saveSettings({ forgotten: [ann] })
    expect((await wallet.settings()).contacts.map(({ name }) => name)).toEqual(['Bob'])
  })

  it('rejects the later of two contacts with the same address or two networks with the same chain ID', async () => {
    const address = `0x${'a'.repeat(40)}` as const
    const [ann, bob] = ['Ann', 'Bob'].map((name) => ({ contacts: [{ address, name }] }))
    const [local] = (await wallet.settings()).networks
    const [mine, theirs] = ['Mine', 'Theirs'].map((name) => ({ added: [{ ...local!, chainId: 777, name }] }))
    const said = await Promise.all(
      [ann!, bob!, mine!, theirs!].map((changes) =>
        wallet.saveSettings(changes).then(() => undefined, toWalletError),
      ),
    )
    expect(said.map((error) => error?.code)).toEqual([undefined, 'invalid-input', undefined, 'invalid-input'])
    expect(said[1]?.message).toContain('contacts: names one twice')
    expect(said[3]?.message).toContain('networks: names one twice')
    const { contacts, networks } = await wallet.settings()
    expect(contacts).toEqual([{ address, name: 'Ann' }])
    expect(networks.at(-1)).toMatchObject({ chainId: 777, name: 'Mine' })
    // Frees the contact's old address, not a taken new one.
    await wallet.saveSettings({ contacts: [{ address, name: 'Anna' }], forgotten: [address] })
    const moved = `0x${'b'.repeat(40)}` as const
    await wallet.saveSettings({ contacts: [{ address: moved, name: 'Zoë' }] })
    await expect(
      wallet.saveSettings({ contacts: [{ address: moved, name: 'Anna' }], forgotten: [address] }),
    ).rejects.toMatchObject({ code: 'invalid-input' })
    expect((await wallet.settings()).contacts.map(({ name }) => name)).toEqual(['Anna', 'Zoë'])
  })

  it('keeps all concurrent changes to settings and accounts', async () => {
    await unlock(password)
    await Promise.all([
      wallet.saveSettings({ slippageBps: 77 }),
      wallet.saveSettings({ autoLockMinutes: 5 }),
      wallet.addAccount(),
      wallet.saveSettings({ theme: 'dark' }),
      wallet.addAccount(),
    ])
    expect(await wallet.settings()).toMatchObject({ slippageBps: 77, autoLockMinutes: 5, theme: 'dark' })
    const status = await wallet.status()
    expect(status.vault === 'unlocked' && status.accounts).toHaveLength(3)
  })
})

describe('rate limit for wrong passwords', () => {
  it('requires a wait of 32 s after ten wrong passwords, across worker restarts', async () => {
    const wrong = Buffer.alloc(32, 9).toString('base64')
    const { now } = Date
    let moved = 0
    Date.now = () => now() + moved
    try {
      const waits: number[] = []
      for (let failures = 0; failures < 10; ) {
        const { code, facts } = (await wallet.unlock(wrong).catch(toWalletError)) as WalletError
        begin()
        if (code === 'wrong-password') failures++
        else {
          expect(code).toBe('too-many-tries')
          const wait = Number(facts.until) - Date.now()
          waits.push(Math.ceil(wait / 1_000))
          moved += wait
        }
      }
      expect(waits).toEqual([1, 2, 4, 8, 16])
      const said = await unlock(password)
      expect(said?.code).toBe('too-many-tries')
      const { at } = (await onDisk()).wrongPasswords as { at: number }
      expect(Number(said?.facts.until) - at).toBe(32_000)
      moved += 32_000
      expect(await unlock(password)).toBeUndefined()
    } finally {
      Date.now = now
    }
  })
})
