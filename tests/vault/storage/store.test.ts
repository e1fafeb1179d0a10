import { beforeEach, describe, expect, it } from 'vitest'
import { fromHex, type Hex } from '../../../src/vault/bytes.ts'
import { accountPath, privateKeyAt, toAccountAddress } from '../../../src/vault/derive.ts'
import { wrapKey } from '../../../src/vault/password.ts'
import type { NewKey } from '../../../src/vault/storage/records.ts'
import type { Vault } from '../../../src/vault/vault.ts'
import { deriveSeed, newSecret, readPhrase } from '../../../src/vault/words/phrase.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'
import {
  createPlaces,
  type Gate,
  isBackedUp,
  type Operation,
  type Places,
  someKey,
} from '../../helpers/vault/fakeStorage.ts'

slow('Argon2id runs at its full cost.')

const junk = 'test test test test test test test test test test test junk'
const known = await readPhrase(junk)
const fresh = await newSecret(12)
let places: Places
let vault: Vault
let key: NewKey
let changed: NewKey

beforeEach(async () => {
  key = await someKey()
  changed ??= await wrapKey('a new password', key.dataKey, key.wrap.vaultId)
  places = createPlaces()
  vault = places.start()
})

type Act = { before?: (vault: Vault) => Promise<unknown>; run: (vault: Vault) => Promise<unknown> }

const imports = (vault: Vault) => vault.importPhrase(key, known)
const lone = `0x${'11'.repeat(32)}` as const
const watched = `0x${'22'.repeat(20)}` as const

const acts: Record<string, Act> = {
  create: { run: (vault) => vault.create(key, fresh) },
  importPhrase: { run: imports },
  rewrap: { before: imports, run: (vault) => vault.rewrap(changed) },
  confirmBackup: {
    before: (vault) => vault.create(key, fresh),
    run: (vault) => vault.confirmBackup(),
  },
  addAccount: { before: imports, run: (vault) => vault.addAccount() },
  addSeed: { before: imports, run: (vault) => vault.addSeed(fresh) },
  addPhrase: { before: imports, run: (vault) => vault.addPhrase(fresh) },
  addKey: { before: imports, run: (vault) => vault.addKey(lone) },
  addWatched: { before: imports, run: (vault) => vault.addWatched(watched) },
  changeAccount: {
    before: imports,
    run: async (vault) => vault.changeAccount((await accountsOf(vault))[0]!, { name: 'Savings' }),
  },
  orderAccounts: {
    before: (vault) => imports(vault).then(() => vault.addWatched(watched)),
    run: async (vault) => vault.orderAccounts((await accountsOf(vault)).reverse()),
  },
  removeAccount: {
    before: (vault) => imports(vault).then(() => vault.addKey(lone)),
    run: async (vault) => vault.removeAccount((await accountsOf(vault))[1]!),
  },
  removeSeed: {
    before: (vault) => imports(vault).then(() => vault.addPhrase(fresh)),
    run: async (vault) => vault.removeSeed((await vault.overview()).seeds[1]!.id),
  },
  reveal: { before: imports, run: (vault) => vault.reveal(key.dataKey) },
  unlock: { before: imports, run: (vault) => vault.unlock(key.dataKey) },
}

describe('storage failure', () => {
  const faults: [place: 'local' | 'session' | 'backup', operation: Operation, moment: 'before' | 'after'][] =
    [
      ['local', 'get', 'before'],
      ['local', 'set', 'before'],
      ['local', 'set', 'after'],
      ['local', 'remove', 'before'],
      ['local', 'remove', 'after'],
      ['session', 'get', 'before'],
      ['session', 'set', 'before'],
      ['session', 'set', 'after'],
      ['backup', 'read', 'before'],
      ['backup', 'write', 'before'],
      ['backup', 'write', 'after'],
    ]

  it.each(Object.entries(acts))(
    'reports a storage failure during %s or completes, and leaves the old or the new state',
    async (_name, act) => {
      const { before, run } = act
      const { first, done } = await withoutFault(act)
      for (const [place, operation, moment] of faults) {
        for (const lasting of [false, true]) {
          for (let nth = 1; ; nth++) {
            places = createPlaces()
            vault = places.start()
            await before?.(vault)
            const old = new Map(places.local.items)
            let count = 0
            places[place].gate = (what, when) => {
              if (what !== operation || when !== moment) return
              count++
              if (count === nth || (lasting && count > nth)) throw new Error('disk full')
            }
            const outcome = await run(vault).then(
              () => 'done',
              (error) => error.code as string,
            )
            expect(['done', 'storage-failed']).toContain(outcome)
            places[place].gate = () => undefined
            // A failed local write is rolled back. The session is written later, so its faults keep it.
            if (outcome !== 'done' && place === 'local' && operation === 'set') {
              if (!lasting || moment === 'before') expect(places.local.items).toEqual(old)
            }
            const left = await whatIsLeft()
            if (outcome === 'done') expect(left).toEqual(done)
            else expect([first, done]).toContainEqual(left)
            if (count < nth) break
          }
        }
      }
    },
  )

  it('never reports an existing vault as missing', async () => {
    await vault.importPhrase(key, known)
    const failing: Gate = () => {
      throw new Error('IO error')
    }
    places.local.gate = failing
    expect(await vault.status()).toBe('unlocked')
    places.backup.gate = failing
    await expect(vault.status()).rejects.toMatchObject({ code: 'storage-failed' })
    await expect(vault.create(key, fresh)).rejects.toMatchObject({ code: 'storage-failed' })
    places.local.gate = () => undefined
    places.local.items.clear()
    await expect(vault.status()).rejects.toMatchObject({ code: 'storage-failed' })
    await expect(vault.create(key, fresh)).rejects.toMatchObject({ code: 'storage-failed' })
  })

  it('detects a write that stored something else', async () => {
    await vault.importPhrase(key, known)
    const old = new Map(places.local.items)
    let writes = 0
    places.local.gate = (operation, moment) => {
      if (operation !== 'set' || moment !== 'after' || ++writes > 1) return
      places.local.items.set('vault', old.get('wrap.pw'))
    }
    await expect(vault.confirmBackup()).rejects.toMatchObject({ code: 'storage-failed' })
    expect(places.local.items).toEqual(old)
    expect(await isBackedUp(vault)).toBe(true)
  })

  it('detects a write that stored nothing', async () => {
    const { local, backup, session, clock, start } = places
    local.set = async () => undefined
    await expect(start().create(key, fresh)).rejects.toMatchObject({ code: 'storage-failed' })
    expect([local.items.size, session.items.size, backup.stored, clock.ms > 0]).toEqual([
      0,
      0,
      undefined,
      true,
    ])
  })
})

// The last test counts the kills of the others.
describe('worker killed during a write', { shuffle: false }, () => {
  const kills = Object.keys(acts).flatMap((name) =>
    (['before', 'after'] as const).map((moment) => [name, moment] as const),
  )

  const rounds = Array.from({ length: runs(1, 5) }, (_, round) => round)
  let moments = 0

  it.each(rounds.flatMap(() => kills))(
    'leaves the old or the new vault state when %s is killed %s any of its storage operations',
    async (name, moment) => {
      const { before, run } = acts[name]!
      const { first, done } = await withoutFault(acts[name]!)
      for (let nth = 1; ; nth++) {
        places = createPlaces()
        vault = places.start()
        await before?.(vault)
        let count = 0
        const killed = new Promise<'killed'>((resolve) => {
          const gate: Gate = (_operation, when) => {
            if (when !== moment || ++count < nth) return undefined
            resolve('killed')
            return new Promise<void>(() => undefined)
          }
          for (const place of [places.local, places.session, places.backup]) place.gate = gate
        })
        const outcome = await Promise.race([run(vault).then(() => 'done'), killed])
        for (const place of [places.local, places.session, places.backup]) place.gate = () => undefined
        const left = await whatIsLeft()
        if (outcome === 'done') {
          expect(left).toEqual(done)
          break
        }
        expect([first, done]).toContainEqual(left)
        moments++
      }
    },
  )

  it('covers every storage operation of every action', () => {
    expect(moments).toBe(rounds.length * 210)
    figure(
      '8',
      `${moments} kills, before and after each operation of ${Object.keys(acts).length} acts: the vault opened after each`,
    )
  })
})

/** Undefined: no vault. */
async function withoutFault({ before, run }: Act) {
  places = createPlaces()
  vault = places.start()
  await before?.(vault)
  const first = before && (await told(vault))
  await run(vault)
  return { first, done: await told(vault) }
}

/** Either no vault, or one that unlocks and has its phrase's first account. */
async function whatIsLeft() {
  const later = places.start()
  if ((await later.status()) === 'none') {
    await later.create(key, fresh)
    return undefined
  }
  await later.unlock(key.dataKey)
  const entropy = await later.reveal(key.dataKey)
  const seed = await deriveSeed(fromHex(entropy))
  expect(await accountsOf(later)).toContain(toAccountAddress(await privateKeyAt(seed, accountPath(0))))
  return told(later)
}

/** Without random values. */
async function told(vault: Vault) {
  const { accounts, seeds } = await vault.overview()
  const wrap = await vault.passwordWrap()
  return {
    accounts: accounts.map(({ address, name, isHidden, kind }) => ({ address, name, isHidden, kind })),
    seeds: seeds.map(({ backedUp }) => backedUp),
    entropy: await vault.reveal(key.dataKey),
    wrap,
  }
}

async function accountsOf(vault: Vault): Promise<Hex[]> {
  return (await vault.overview()).accounts.map(({ address }) => address)
}
