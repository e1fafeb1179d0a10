import { beforeEach, describe, expect, it } from 'vitest'
import type { Vault } from '../../../src/vault/vault.ts'
import { newSecret } from '../../../src/vault/words/phrase.ts'
import { createPlaces, type Places, someKey } from '../../helpers/vault/fakeStorage.ts'

const minute = 60_000
let places: Places
let vault: Vault

beforeEach(async () => {
  places = createPlaces()
  vault = places.start()
  await vault.create(await someKey(), await newSecret(12))
})

describe('auto-lock', () => {
  it('locks after 15 minutes, to the millisecond', async () => {
    const [account] = await vault.accounts()
    places.clock.ms += 15 * minute - 1
    expect(await vault.status()).toBe('unlocked')
    expect(await vault.withKey(account!.address, async () => 'lent')).toBe('lent')
    places.clock.ms += 1
    await expect(vault.withKey(account!.address, async () => 'lent')).rejects.toMatchObject({
      code: 'locked',
    })
    expect(places.session.items.size).toBe(0)
  })

  it('needs no timer: a worker started after the deadline finds the vault locked', async () => {
    places.clock.ms += 8 * 60 * minute
    expect(await places.start().status()).toBe('locked')
    expect(places.session.items.size).toBe(0)
  })

  it('stays locked when the clock is turned back afterwards', async () => {
    places.clock.ms += 15 * minute
    expect(await vault.status()).toBe('locked')
    places.clock.ms -= 15 * minute
    expect(await vault.status()).toBe('locked')
  })

  it('clears drafts of transfers and forms like a manual lock, while a reset clears the whole session', async () => {
    for (const end of ['deadline', 'lock', 'reset'] as const) {
      places = createPlaces()
      vault = places.start()
      await vault.create(await someKey(), await newSecret(12))
      await places.session.set({
        send: { to: 'bob.eth' },
        forms: { 'network-1': { name: 'One' } },
        place: '#send',
      })
      if (end === 'deadline') {
        places.clock.ms += 15 * minute
        await vault.status()
      } else await vault[end]()
      expect([...places.session.items.keys()]).toEqual(end === 'reset' ? [] : ['place'])
    }
  })

  it('extends the deadline to 15 minutes after each activity', async () => {
    for (let sign = 0; sign < 5; sign++) {
      places.clock.ms += 14 * minute
      await vault.extend()
    }
    places.clock.ms += 15 * minute - 1
    expect(await vault.status()).toBe('unlocked')
    places.clock.ms += 1
    expect(await vault.status()).toBe('locked')
  })

  it('ignores activity after the deadline', async () => {
    places.clock.ms += 15 * minute
    await vault.extend()
    expect(await vault.status()).toBe('locked')
  })

  it('does not extend the deadline when only the status is read', async () => {
    for (let times = 0; times < 15; times++) {
      places.clock.ms += minute
      await vault.status()
      await vault.expire()
    }
    expect(await vault.status()).toBe('locked')
  })

  it('notifies once when the alarm finds the deadline passed', async () => {
    places.clock.ms += 15 * minute - 1
    await vault.expire()
    expect(places.told.over).toBe(0)
    places.clock.ms += 1
    await vault.expire()
    expect(places.told.over).toBe(1)
    await vault.expire()
    expect(await vault.status()).toBe('locked')
    expect(places.told.over).toBe(1)
  })

  it('notifies once when another call finds the deadline passed, and stays locked when the clock goes back', async () => {
    const asks: Record<string, () => Promise<unknown>> = {
      status: () => vault.status(),
      accounts: () => vault.accounts().catch(() => undefined),
      extend: () => vault.extend(),
      shorten: () => vault.shorten(),
    }
    for (const [name, ask] of Object.entries(asks)) {
      places = createPlaces()
      vault = places.start()
      await vault.create(await someKey(), await newSecret(12))
      places.clock.ms += 15 * minute
      await ask()
      await vault.expire()
      expect([name, places.told.over]).toEqual([name, 1])
      places.clock.ms -= 1
      expect([name, await vault.status()]).toEqual([name, 'locked'])
    }
  })

  it('does not notify after a manual lock', async () => {
    await vault.lock()
    places.clock.ms += 15 * minute
    await vault.expire()
    expect(places.told.over).toBe(0)
  })

  it('keeps a vault open that is unlocked while the passed deadline is being handled', async () => {
    places.clock.ms += 15 * minute
    const { dataKey } = await someKey()
    await Promise.all([
      vault.status(),
      vault.unlock(dataKey),
      vault.expire(),
      vault.accounts().catch(() => []),
    ])
    expect(await vault.status()).toBe('unlocked')
  })
})

describe('auto-lock: clock set back', () => {
  it('locks when the clock is more than a minute behind the last time seen', async () => {
    places.clock.ms += 10 * minute
    await vault.expire()
    places.clock.ms -= minute + 1
    await vault.expire()
    expect(places.told.over).toBe(1)
    expect(await vault.status()).toBe('locked')
  })

  it('locks when the accounts are read, not only at the alarm', async () => {
    places.clock.ms -= minute + 1
    await expect(vault.accounts()).rejects.toMatchObject({ code: 'locked' })
  })

  it('tolerates a correction of one minute', async () => {
    places.clock.ms -= minute
    await vault.expire()
    expect(places.told.over).toBe(0)
    expect(await vault.status()).toBe('unlocked')
  })

  it('detects a clock that goes back in many small steps', async () => {
    for (let step = 0; step < 3; step++) {
      places.clock.ms -= 25_000
      await vault.expire()
    }
    expect(await vault.status()).toBe('locked')
  })
})

async function choose(minutes: number): Promise<void> {
  places.chosen.minutes = minutes
  await vault.shorten()
}

describe('auto-lock duration', () => {
  it('uses the duration that the user chose, also after a restart of worker and browser', async () => {
    await choose(60)
    places.session.items.clear()
    vault = places.start()
    await vault.unlock((await someKey()).dataKey)
    places.clock.ms += 60 * minute - 1
    expect(await vault.status()).toBe('unlocked')
    places.clock.ms += 1
    expect(await vault.status()).toBe('locked')
  })

  it('shortens the deadline at once and extends it only with the next activity', async () => {
    await choose(1)
    places.clock.ms += minute - 1
    expect(await vault.status()).toBe('unlocked')
    await choose(60)
    places.clock.ms += 1
    expect(await vault.status()).toBe('locked')
  })
})

describe('unreadable session', () => {
  it('reports a locked vault when the session holds invalid data', async () => {
    const { ms } = places.clock
    const halved = { dataKey: 'x'.repeat(22), deadline: ms + minute, seen: ms }
    for (const planted of [null, 7, 'x', {}, { dataKey: 'x', deadline: '9', seen: 0 }, halved]) {
      places.session.items.set('unlocked', planted)
      expect(await vault.status()).toBe('locked')
    }
  })

  it('reports a storage failure, not an open vault, when the session cannot be read', async () => {
    places.session.gate = () => {
      throw new Error('disk')
    }
    await expect(vault.status()).rejects.toMatchObject({ code: 'storage-failed' })
    await expect(vault.accounts()).rejects.toMatchObject({ code: 'storage-failed' })
    await expect(vault.lock()).rejects.toMatchObject({ code: 'storage-failed' })
  })
})
