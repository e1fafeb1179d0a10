import fc from 'fast-check'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { fromHex, type Hex } from '../../../src/vault/bytes.ts'
import { accountPath, privateKeyAt, toAccountAddress } from '../../../src/vault/derive.ts'
import type { Vault } from '../../../src/vault/vault.ts'
import { readPhrase, showPhrase } from '../../../src/vault/words/phrase.ts'
import { slow } from '../../helpers/slow.ts'
import { createPlaces, someKey } from '../../helpers/vault/fakeStorage.ts'

slow('Argon2id runs at its full cost.')

// Reference model without ciphers or storage.

type Held = { address: Hex; name: string; isHidden: boolean; key?: Hex; phrase?: number }
type Model = { phrases: Map<number, boolean>; accounts: Held[] }

const phrases = await Promise.all(
  [0x11, 0x22, 0x33].map(async (byte) => readPhrase(await showPhrase(hexOf(byte)))),
)
/** More than any sequence derives. */
const derived = await Promise.all(
  phrases.map(({ seed }) =>
    Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        hexKey(await privateKeyAt(fromHex(seed), accountPath(index))),
      ),
    ),
  ),
)
const addressAt = (key: Hex) => toAccountAddress(fromHex(key))
// Two independent, two also derived.
const keys: Hex[] = [`0x${'41'.repeat(32)}`, `0x${'42'.repeat(32)}`, derived[0]![1]!, derived[1]![0]!]
const addresses = [...derived.flatMap((some) => some.slice(0, 5)), ...keys].map(addressAt)
const strangers = [`0x${'a1'.repeat(20)}`, `0x${'a2'.repeat(20)}`] as Hex[]

type Act =
  | { act: 'addPhrase'; phrase: number; isFresh: boolean }
  | { act: 'addAccount' | 'removeSeed' | 'confirmBackup'; phrase: number }
  | { act: 'addKey'; key: Hex }
  | { act: 'addWatched' | 'removeAccount'; address: Hex }
  | { act: 'change'; address: Hex; name?: string; isHidden?: boolean }
  | { act: 'order'; by: number }
  | { act: 'restart' | 'loseLocal' }

const phrase = fc.nat({ max: 2 })
const address = fc.constantFrom(...addresses, ...strangers)
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constant('addPhrase' as const), phrase, isFresh: fc.boolean() }),
  { weight: 3, arbitrary: fc.record({ act: fc.constant('addAccount' as const), phrase }) },
  fc.record({ act: fc.constantFrom('removeSeed' as const, 'confirmBackup' as const), phrase }),
  fc.record({ act: fc.constant('addKey' as const), key: fc.constantFrom(...keys) }),
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom('addWatched' as const, 'removeAccount' as const), address }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        act: fc.constant('change' as const),
        address,
        name: fc.constantFrom('One', 'Two', ' spaced ', ''),
        isHidden: fc.boolean(),
      },
      { requiredKeys: ['act', 'address'] },
    ),
  },
  fc.record({ act: fc.constant('order' as const), by: fc.nat() }),
  fc.record({ act: fc.constantFrom('restart' as const, 'loseLocal' as const) }),
)

/** False when the vault must refuse. */
function play(model: Model, one: Act): boolean {
  const before = structuredClone(model)
  const isDone = attempt(model, one) && model.accounts.some(({ isHidden }) => !isHidden)
  if (!isDone) Object.assign(model, before)
  return isDone
}

function attempt(model: Model, one: Act): boolean {
  const at = (wanted: Hex) => model.accounts.find((held) => held.address === wanted)
  const add = (held: Pick<Held, 'address' | 'key' | 'phrase'>) => {
    const there = at(held.address)
    if (there) Object.assign(there, held, { isHidden: false })
    else {
      let number = model.accounts.length + 1
      while (model.accounts.some(({ name }) => name === `Account ${number}`)) number++
      model.accounts.push({ name: `Account ${number}`, isHidden: false, ...held })
    }
    return true
  }
  const derive = (number: number) => {
    const key = derived[number]!.find((one) => at(addressAt(one))?.key === undefined)
    return key !== undefined && add({ address: addressAt(key), key, phrase: number })
  }
  switch (one.act) {
    case 'addPhrase':
      if (model.phrases.has(one.phrase)) return false
      model.phrases.set(one.phrase, !one.isFresh)
      return derive(one.phrase)
    case 'addAccount':
      return model.phrases.has(one.phrase) && derive(one.phrase)
    case 'removeSeed':
      model.accounts = model.accounts.filter((held) => held.phrase !== one.phrase)
      return model.phrases.delete(one.phrase)
    case 'confirmBackup':
      return model.phrases.has(one.phrase) && model.phrases.set(one.phrase, true).size > 0
    case 'addKey':
      return at(addressAt(one.key))?.key === undefined && add({ address: addressAt(one.key), key: one.key })
    case 'addWatched':
      return at(one.address) === undefined && add({ address: one.address })
    case 'removeAccount': {
      const gone = at(one.address)
      model.accounts = model.accounts.filter((held) => held !== gone)
      const isOnly = gone?.phrase !== undefined && model.accounts.every((held) => held.phrase !== gone.phrase)
      return gone !== undefined && !isOnly
    }
    case 'change': {
      const held = at(one.address)
      if (held === undefined || one.name === '') return false
      if (one.name !== undefined) held.name = one.name.trim()
      if (one.isHidden !== undefined) held.isHidden = one.isHidden
      return true
    }
    case 'order':
      model.accounts = turned(model.accounts, one.by)
      return true
    default:
      return true
  }
}

function turned<T>(list: T[], by: number): T[] {
  const at = by % list.length
  return [...list.slice(at), ...list.slice(0, at)]
}

describe('vault model', () => {
  it('matches a reference model over random sequences of changes, restarts and lost records', async () => {
    const key = await someKey()
    let done = 0
    let refusals = 0
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25, size: 'max' }), async (acts) => {
        const places = createPlaces()
        let vault = places.start()
        await vault.importPhrase(key, phrases[0]!)
        const model: Model = { phrases: new Map(), accounts: [] }
        play(model, { act: 'addPhrase', phrase: 0, isFresh: false })
        const ids = new Map([[0, (await vault.overview()).seeds[0]!.id]])
        const idOf = (number: number) => ids.get(number) ?? '0xno such'
        const change = async (one: Act): Promise<unknown> => {
          switch (one.act) {
            case 'addPhrase': {
              const added = await (one.isFresh ? vault.addSeed : vault.addPhrase)(phrases[one.phrase]!)
              return ids.set(one.phrase, added.secret!)
            }
            case 'addAccount':
              return vault.addAccount(idOf(one.phrase))
            case 'removeSeed':
              return vault.removeSeed(idOf(one.phrase))
            case 'confirmBackup':
              return vault.confirmBackup(idOf(one.phrase))
            case 'addKey':
              return vault.addKey(one.key)
            case 'addWatched':
              return vault.addWatched(one.address)
            case 'removeAccount':
              return vault.removeAccount(one.address)
            case 'change': {
              const { act: _, address, ...changes } = one
              return vault.changeAccount(address, changes)
            }
            case 'order':
              return vault.orderAccounts(turned(model.accounts, one.by).map(({ address }) => address))
            case 'loseLocal':
              places.local.items.delete('vault')
              return undefined
            case 'restart':
              places.session.items.clear()
              vault = places.start()
              return vault.unlock(key.dataKey)
          }
        }
        for (const one of acts) {
          const outcome = await change(one).then(
            () => true,
            (error) => {
              expect(error).toMatchObject({ code: 'invalid-input' })
              return false
            },
          )
          expect(outcome).toBe(play(model, one))
          if (outcome) done++
          else refusals++
          await agrees(vault, model, idOf)
        }
        for (const { address, key: privateKey } of model.accounts) {
          const lent = await vault.withKey(address, async (lent) => lent).catch(({ code }) => code)
          expect(lent).toBe(privateKey ?? 'watch-only')
        }
      }),
      { numRuns: 120, seed: 20_260_101 },
    )
    expect(Math.min(done, refusals)).toBeGreaterThan(100)
  })
})

async function agrees(vault: Vault, model: Model, idOf: (phrase: number) => string): Promise<void> {
  const { accounts, seeds } = await vault.overview()
  expect(
    accounts.map(({ address, name, isHidden, kind, secret }) => ({ address, name, isHidden, kind, secret })),
  ).toEqual(
    model.accounts.map(({ address, name, isHidden, key, phrase }) => ({
      address,
      name,
      isHidden,
      kind: phrase !== undefined ? 'seed' : key !== undefined ? 'key' : 'watched',
      secret: phrase !== undefined ? idOf(phrase) : key !== undefined ? expect.any(String) : undefined,
    })),
  )
  expect(seeds).toEqual([...model.phrases].map(([phrase, backedUp]) => ({ id: idOf(phrase), backedUp })))
}

function hexOf(byte: number): Hex {
  return `0x${byte.toString(16).repeat(16)}`
}

function hexKey(bytes: Uint8Array): Hex {
  const key: Hex = `0x${Buffer.from(bytes).toString('hex')}`
  expect(privateKeyToAddress(key).toLowerCase()).toBe(toAccountAddress(bytes))
  return key
}
