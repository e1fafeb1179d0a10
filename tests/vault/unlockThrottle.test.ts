import { beforeEach, describe, expect, it } from 'vitest'
import { wrapKey } from '../../src/vault/password.ts'
import type { NewKey } from '../../src/vault/storage/records.ts'
import { createUnlockThrottle } from '../../src/vault/unlockThrottle.ts'
import type { Vault } from '../../src/vault/vault.ts'
import { readPhrase } from '../../src/vault/words/phrase.ts'
import { createArea, createPlaces, type Places, someKey } from '../helpers/vault/fakeStorage.ts'

const known = await readPhrase('test test test test test test test test test test test junk')
const wrong = Buffer.alloc(32, 9).toString('base64')
const wrongPassword = { code: 'wrong-password' }

let places: Places
let vault: Vault
let key: NewKey

beforeEach(async () => {
  places = createPlaces()
  vault = places.start()
  key = await someKey()
  await vault.importPhrase(key, known)
})

/** Waits when required and returns the waits in milliseconds. */
async function fail(times: number): Promise<number[]> {
  const waits: number[] = []
  for (let time = 0; time < times; time++) {
    let waited = 0
    for (;;) {
      const error = await vault.unlock(wrong).catch((thrown) => thrown)
      if (error.code === 'wrong-password') break
      expect(error.code).toBe('too-many-tries')
      waited += Number(error.facts.until) - places.clock.ms
      places.clock.ms = Number(error.facts.until)
    }
    waits.push(waited)
  }
  return waits
}

describe('failed unlock attempts', () => {
  it('adds no wait before the first five attempts, then one second, doubling up to five minutes', async () => {
    const waits = await fail(16)
    expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
    expect(waits.slice(5)).toEqual(
      [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1_000),
    )
    // Requirement: at least 30 s after ten failures.
    expect(waits[10]).toBeGreaterThanOrEqual(30_000)
  })

  it('rejects every attempt until the wait ends, to the millisecond, without counting it', async () => {
    await fail(10)
    const before = structuredClone(places.local.items.get('wrongPasswords'))
    places.clock.ms += 31_999
    for (const dataKey of [wrong, key.dataKey]) {
      await expect(vault.unlock(dataKey)).rejects.toMatchObject({
        code: 'too-many-tries',
        facts: { until: String(places.clock.ms + 1) },
      })
    }
    expect(places.local.items.get('wrongPasswords')).toEqual(before)
    places.clock.ms += 1
    await vault.unlock(key.dataKey)
  })

  it('counts and delays attempts of reveal, revealKey and rewrap too', async () => {
    const [account] = await vault.accounts()
    const another = await wrapKey('another password', wrong, key.wrap.vaultId)
    await expect(vault.reveal(wrong)).rejects.toMatchObject(wrongPassword)
    await expect(vault.revealKey(wrong, account!.address)).rejects.toMatchObject(wrongPassword)
    await expect(vault.rewrap(another)).rejects.toMatchObject(wrongPassword)
    await fail(2)
    const wait = { code: 'too-many-tries' }
    await expect(vault.unlock(key.dataKey)).rejects.toMatchObject(wait)
    await expect(vault.reveal(key.dataKey)).rejects.toMatchObject(wait)
    await expect(vault.revealKey(key.dataKey, account!.address)).rejects.toMatchObject(wait)
    await expect(vault.rewrap(key)).rejects.toMatchObject(wait)
    expect(await vault.withKey(account!.address, async () => 'signed')).toBe('signed')
  })

  it('resets the count after the right password', async () => {
    await fail(4)
    await vault.unlock(key.dataKey)
    expect(await fail(5)).toEqual([0, 0, 0, 0, 0])
    places.clock.ms += 1_000
    await vault.reveal(key.dataKey)
    expect(places.local.items.has('wrongPasswords')).toBe(false)
  })

  it('keeps the count when the worker is killed at any point of an attempt or the session is cleared', async () => {
    await fail(9)
    places.clock.ms += 16_000
    for (let nth = 1; ; nth++) {
      const { session } = places
      session.items.clear()
      const stored = structuredClone(places.local.items.get('wrongPasswords'))
      let tried = false
      let count = 0
      const killed = new Promise<'killed'>((resolve) => {
        for (const place of [places.local, places.session, places.backup]) {
          place.gate = () => {
            if (++count < nth) return undefined
            resolve('killed')
            return new Promise<void>(() => undefined)
          }
        }
      })
      const decrypt = crypto.subtle.decrypt.bind(crypto.subtle)
      crypto.subtle.decrypt = (...args) => {
        tried = true
        return decrypt(...args)
      }
      const outcome = await Promise.race([
        places
          .start()
          .unlock(wrong)
          .catch(() => 'done'),
        killed,
      ])
      Reflect.deleteProperty(crypto.subtle, 'decrypt')
      for (const place of [places.local, places.session, places.backup]) place.gate = () => undefined
      // Recorded before the attempt.
      if (tried) {
        const refused = places.start().unlock(wrong)
        await expect(refused).rejects.toMatchObject({ code: 'too-many-tries' })
      }
      places.local.items.set('wrongPasswords', stored)
      if (outcome === 'done') break
    }
  })

  it('unlocks with the right password when the count cannot be written', async () => {
    places.local.gate = (operation) => {
      if (operation !== 'get') throw new Error('disk full')
    }
    await vault.unlock(key.dataKey)
    await expect(vault.unlock(wrong)).rejects.toMatchObject(wrongPassword)
  })

  it('keeps the count when it was unreadable for a while', async () => {
    await fail(10)
    const { get } = places.local
    places.local.get = (name) =>
      name === 'wrongPasswords' ? Promise.reject(new Error('The disk is gone.')) : get(name)
    await expect(vault.unlock(wrong)).rejects.toMatchObject(wrongPassword)
    places.local.get = get
    await expect(vault.unlock(wrong)).rejects.toMatchObject({ code: 'too-many-tries' })
  })

  it('ignores an invalid stored count', async () => {
    for (const planted of [null, 7, 'x', [], {}, { count: '9', at: 0 }, { count: 9 }]) {
      places.local.items.set('wrongPasswords', planted)
      await vault.unlock(key.dataKey)
    }
  })
})

describe('failed unlock attempts: clock set back', () => {
  it('neither shortens nor extends the wait when the clock goes back a day', async () => {
    await fail(10)
    places.clock.ms -= 24 * 3_600_000
    const until = String(places.clock.ms + 32_000)
    await expect(vault.unlock(key.dataKey)).rejects.toMatchObject({ facts: { until } })
    places.clock.ms += 31_999
    await expect(vault.unlock(key.dataKey)).rejects.toMatchObject({ facts: { until } })
    places.clock.ms += 1
    await vault.unlock(key.dataKey)
  })

  it('adds no wait when the clock goes back and none was due', async () => {
    await fail(4)
    places.clock.ms -= 24 * 3_600_000
    await vault.unlock(key.dataKey)
  })
})

describe('right and wrong passwords', () => {
  it('performs the same operations, with one decryption, until the password is checked', async () => {
    await vault.lock()
    const work = async (dataKey: string) => {
      const done: string[] = []
      for (const [name, place] of Object.entries({ local: places.local, session: places.session })) {
        place.gate = (operation, moment) => void (moment === 'before' && done.push(`${name} ${operation}`))
      }
      const decrypt = crypto.subtle.decrypt.bind(crypto.subtle)
      crypto.subtle.decrypt = async (...args) => {
        done.push('decrypt')
        return decrypt(...args)
      }
      await vault.unlock(dataKey).catch(() => undefined)
      Reflect.deleteProperty(crypto.subtle, 'decrypt')
      places.local.gate = places.session.gate = () => undefined
      return done
    }
    const right = await work(key.dataKey)
    await vault.lock()
    const mistaken = await work(wrong)
    expect(mistaken).toEqual(['local get', 'local get', 'local get', 'local set', 'decrypt'])
    expect(right.slice(0, mistaken.length)).toEqual(mistaken)
    expect(right.filter((operation) => operation === 'decrypt')).toHaveLength(1)
  })
})

describe('concurrent unlock attempts', () => {
  it('unlocks 50 concurrent calls with one storage writer at a time', async () => {
    await vault.lock()
    let writers = 0
    let most = 0
    const enter = async () => {
      most = Math.max(most, ++writers)
      await Promise.resolve()
    }
    for (const place of [places.local, places.session]) {
      place.gate = (operation, moment) => {
        if (operation === 'get') return undefined
        if (moment === 'before') return enter()
        writers--
        return undefined
      }
    }
    await Promise.all(Array.from({ length: 50 }, () => vault.unlock(key.dataKey)))
    expect(most).toBe(1)
    expect(writers).toBe(0)
    expect(await vault.status()).toBe('unlocked')
    expect(places.local.items.has('wrongPasswords')).toBe(false)
  })

  it('checks five of 50 concurrent wrong passwords and rejects the others', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => vault.unlock(wrong).catch(({ code }) => code)),
    )
    expect(outcomes.filter((code) => code === 'wrong-password')).toHaveLength(5)
    expect(outcomes.filter((code) => code === 'too-many-tries')).toHaveLength(45)
  })
})

describe('createUnlockThrottle', () => {
  it('returns an end of the wait within 128 seconds when the clock moves', async () => {
    const local = createArea()
    let now = 1_000_000
    const attempts = createUnlockThrottle(local, () => now)
    for (let time = 0; time < 12; time++) {
      now += 400_000
      await attempts.begin()
    }
    let refusals = 0
    for (const moved of [0, -1, -86_400_000, 63_999]) {
      now += moved
      const error = await attempts.begin().catch((thrown) => thrown)
      if (error === undefined) continue
      refusals++
      const until = Number(error.facts.until)
      expect(until).toBeGreaterThan(now)
      expect(until - now).toBeLessThanOrEqual(128_000)
    }
    expect(refusals).toBeGreaterThan(0)
  })
})
