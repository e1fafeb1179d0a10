import { describe, expect, it } from 'vitest'
import { builtInNetworks } from '../../../src/config.ts'
import type { Network, Settings } from '../../../src/domain/network/network.ts'
import { knownRouters } from '../../../src/domain/swap/routers.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import {
  createBackup,
  isEmptyPlan,
  planHosts,
  planImport,
  readBackup,
  toImportChange,
  weakensSafety,
  writeBackup,
} from '../../../src/state/backup/backup.ts'
import { settings as plain, standInWallet } from '../../helpers/state/fakes.ts'

const key = 'k3y0f4serviceThatNobodyMaySee9'
const secretUrl = 'https://eth.example/v3/0123456789abcdef0123456789abcdef'
const token = `0x${'a1'.repeat(20)}` as Address
const other = `0x${'b2'.repeat(20)}` as Address
const account = `0x${'c3'.repeat(20)}` as Address
const router = `0x${'d4'.repeat(20)}` as Address

const fresh: Settings = { ...plain, networks: builtInNetworks() }
delete fresh.slippageBps

function withNetwork(changes: Partial<Network> & { chainId: number }): Settings {
  const known = fresh.networks.some(({ chainId }) => chainId === changes.chainId)
  const blank = { ...fresh.networks[0]!, name: 'Mine', serviceUrl: '', rpcUrl: '', ...changes }
  delete blank.faucetUrl
  return {
    ...fresh,
    networks: known
      ? fresh.networks.map((one) => (one.chainId === changes.chainId ? { ...one, ...changes } : one))
      : [...fresh.networks, blank],
  }
}

const full: Settings = {
  ...withNetwork({
    chainId: 1,
    serviceUrl: 'https://swap.example',
    serviceKey: key,
    rpcUrl: secretUrl,
    spareRpcUrl: 'https://node.example/rpc',
    router,
    options: { gasPrice: 12n, feeBps: 30, referrer: other, connectorTokens: [token] },
  }),
  account,
  slippageBps: 75,
  autoLockMinutes: 5,
  strictCalldata: false,
  theme: 'dark',
}

describe('settings backup', () => {
  it('restores every setting, network and favourite', () => {
    const favourites = [{ chainId: 1, tokens: [token] }]
    const { text, leftOut } = writeBackup(full, favourites, true)
    expect(leftOut).toBe(0)
    const plan = planImport(readBackup(text), fresh, [])
    expect(plan.choices).toEqual({
      slippageBps: 75,
      autoLockMinutes: 5,
      strictCalldata: false,
      theme: 'dark',
    })
    expect(plan.networks.map(({ after }) => after)).toEqual([full.networks.find((one) => one.chainId === 1)])
    expect(plan.favourites).toEqual(favourites)
    expect(planHosts(plan)).toEqual(['https://swap.example', secretUrl, 'https://node.example/rpc'])
    expect(isEmptyPlan(planImport(readBackup(text), full, favourites))).toBe(true)
  })

  it('omits API keys, RPC URLs with keys and the account when keys are not included', () => {
    const { text, leftOut } = writeBackup(full, [], false)
    expect(leftOut).toBe(2)
    for (const secret of [key, '0123456789abcdef', account]) expect(text).not.toContain(secret)
    const plan = planImport(readBackup(text), full, [])
    expect(isEmptyPlan(plan)).toBe(true)
    const [network] = planImport(readBackup(text), fresh, []).networks
    expect(network?.after).toMatchObject({ serviceUrl: 'https://swap.example', rpcUrl: '' })
    expect(network?.after).not.toHaveProperty('serviceKey')
  })

  it('omits networks that were not changed', () => {
    expect(JSON.parse(writeBackup(fresh, [{ chainId: 1, tokens: [] }], true).text)).toMatchObject({
      kind: 'sluice-settings',
      version: 1,
      networks: [],
      favourites: [],
    })
  })

  it('restores a custom network and its service version', () => {
    const own = withNetwork({ chainId: 777, rpcUrl: 'https://own.example', serviceVersion: '3.0' })
    const { text } = writeBackup(own, [], false)
    const [network] = planImport(readBackup(text), fresh, []).networks
    expect(network?.before).toBeUndefined()
    expect(network?.after).toMatchObject({ chainId: 777, name: 'Mine', serviceVersion: '3.0' })
    const newer = withNetwork({ chainId: 777, rpcUrl: 'https://own.example' })
    const [back] = planImport(readBackup(writeBackup(newer, [], false).text), own, []).networks
    expect(back?.after).not.toHaveProperty('serviceVersion')
  })

  it('never assigns the user’s API key to another host', () => {
    const mine = (serviceUrl: string, more = {}) => withNetwork({ chainId: 1, serviceUrl, ...more })
    const afterOf = (file: Settings) =>
      planImport(readBackup(writeBackup(file, [], true).text), full, []).networks[0]?.after
    expect(afterOf(mine('https://evil.example'))).not.toHaveProperty('serviceKey')
    expect(afterOf(mine('https://evil.example', { serviceKey: 'theirs' }))).toMatchObject({
      serviceKey: 'theirs',
    })
    expect(afterOf(mine('https://swap.example/other'))).toMatchObject({ serviceKey: key })
  })

  it('renames neither a known chain nor its native token', () => {
    const named = withNetwork({ chainId: 1, name: 'Fake', coin: { symbol: 'FAKE', name: 'Fake' } })
    const { text } = writeBackup(named, [], true)
    expect(isEmptyPlan(planImport(readBackup(text), fresh, []))).toBe(true)
  })

  it('restores automatic slippage', () => {
    const { text } = writeBackup(fresh, [], false)
    expect(planImport(readBackup(text), full, []).choices).toMatchObject({ slippageBps: null })
  })
})

describe('validation of a backup file', () => {
  const good = JSON.parse(writeBackup(full, [{ chainId: 1, tokens: [token] }], true).text)
  const whyOf = (value: unknown): unknown => {
    try {
      readBackup(typeof value === 'string' ? value : JSON.stringify(value))
      return 'fine'
    } catch (error) {
      return (error as { facts: { why: string } }).facts.why
    }
  }

  it.each([
    ['is no JSON', 'no-backup', '{'],
    ['is another file', 'no-backup', { name: 'package' }],
    ['is a list', 'no-backup', [1]],
    ['is of a later version', 'newer-backup', { ...good, version: 2, more: true }],
    ['has lost a part', 'broken-backup', { ...good, networks: undefined }],
    ['names a chain twice', 'broken-backup', { ...good, networks: [good.networks[0], good.networks[0]] }],
    [
      'sends over the net in the clear',
      'broken-backup',
      { ...good, networks: [{ ...good.networks[0], rpcUrl: 'http://node.example' }] },
    ],
    [
      'runs a script for a URL',
      'broken-backup',
      { ...good, networks: [{ ...good.networks[0], explorerUrl: 'javascript:alert(1)' }] },
    ],
    [
      'takes a fee for nobody',
      'broken-backup',
      { ...good, networks: [{ ...good.networks[0], options: { feeBps: 10 } }] },
    ],
    ['slips too far', 'broken-backup', { ...good, settings: { ...good.settings, slippageBps: 5_001 } }],
    ['marks no address', 'broken-backup', { ...good, favourites: [{ chainId: 1, tokens: ['0x12'] }] }],
  ])('reports why the file is rejected when it %s', (_what, why, file) => {
    expect(whyOf(file)).toBe(why)
  })

  it('names the field that is invalid', () => {
    const file = { ...good, networks: [{ ...good.networks[0], rpcUrl: 'ftp://node.example' }] }
    expect(() => readBackup(JSON.stringify(file))).toThrow(
      expect.objectContaining({ facts: { why: 'broken-backup', where: 'networks.0.rpcUrl' } }),
    )
  })

  it('ignores fields and values that this version does not know', () => {
    const later = { ...good, more: 1, settings: { ...good.settings, theme: 'sepia', language: 'tlh' } }
    const plan = planImport(readBackup(JSON.stringify(later)), full, [])
    expect(plan.choices).toEqual({})
  })
})

it('imports contacts that are new or renamed, and reads files without contacts', () => {
  const [ann, bob] = [
    { address: token, name: 'Ann' },
    { address: other, name: 'Bob', note: 'rent' },
  ]
  const { text } = writeBackup({ ...fresh, contacts: [ann, bob] }, [], false)
  const known = { ...fresh, contacts: [ann, { address: other, name: 'Robert' }] }
  expect(planImport(readBackup(text), known, []).contacts).toEqual([bob])
  const { contacts: _, ...older } = JSON.parse(text)
  expect(isEmptyPlan(planImport(readBackup(JSON.stringify(older)), fresh, []))).toBe(true)
})

it('rejects a file that would exceed the contact limit', () => {
  const contacts = Array.from({ length: 1_000 }, (_, index) => ({
    address: `0x${index.toString(16).padStart(40, '0')}` as Address,
    name: `Nr ${index}`,
  }))
  const { text } = writeBackup({ ...fresh, contacts: [{ address: other, name: 'Bob' }] }, [], false)
  expect(() => planImport(readBackup(text), { ...fresh, contacts }, [])).toThrow(/cannot be used/)
})

it('requires the password for an unknown router or disabled strict calldata, not for a known router', () => {
  const [network] = fresh.networks
  if (network === undefined) throw new Error('There are networks.')
  const planOf = (named: Address, now: Settings = fresh) => {
    const file = writeBackup({ ...fresh, networks: [{ ...network, router: named }] }, [], false)
    return planImport(readBackup(file.text), now, [])
  }
  expect(weakensSafety(planOf(router))).toBe(true)
  const [known] = knownRouters(network.chainId)
  expect(weakensSafety(planOf(known as Address))).toBe(false)
  const trusting = { ...fresh, networks: [{ ...network, router }] }
  expect(weakensSafety(planOf(router, trusting))).toBe(false)
  expect(weakensSafety({ ...planOf(router, trusting), choices: { strictCalldata: false } })).toBe(true)
})

it('imports favourites up to the limit and keeps the existing ones', () => {
  const token = (number: number): Address => `0x${String(number).padStart(40, '0')}`
  const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => token(from + at))
  const { text } = writeBackup(full, [{ chainId: 1, tokens: many(0, 100) }], false)
  const plan = (marked: Address[]) =>
    planImport(readBackup(text), full, [{ chainId: 1, tokens: marked }]).favourites
  expect(plan(many(500, 60))).toEqual([{ chainId: 1, tokens: many(0, 40) }])
  expect(plan(many(500, 100))).toEqual([])
})

it('converts an import plan into a single change that omits known favourites', async () => {
  const backup = createBackup(
    standInWallet({
      tokenPreferences: async () => ({ favourites: [other], recents: [], listedAt: undefined }),
    }),
  )
  const ann = { address: token, name: 'Ann' }
  const { text } = await backup.write({ ...full, contacts: [ann] }, false)
  expect(JSON.parse(text).favourites).toContainEqual({ chainId: 1, tokens: [other] })
  const twice = { ...JSON.parse(text), favourites: [{ chainId: 1, tokens: [other, token] }] }
  const plan = await backup.plan(JSON.stringify(twice), fresh)
  const change = toImportChange(plan, fresh)
  expect(change).toMatchObject({
    kind: 'import',
    changes: { slippageBps: 75, theme: 'dark', networks: [{ chainId: 1 }], added: [], contacts: [ann] },
    before: [{ chainId: 1 }],
    favourites: [{ chainId: 1, tokens: [token] }],
  })
})

it('lists added and replaced networks and contacts in the import change', async () => {
  const bob = { address: other, name: 'Bob' }
  const ann = { address: token, name: 'Ann' }
  const now = { ...withNetwork({ chainId: 1, rpcUrl: 'https://old.example' }), contacts: [bob] }
  const { text } = writeBackup(
    {
      ...withNetwork({ chainId: 777, rpcUrl: 'https://mine.example' }),
      contacts: [ann, { ...bob, name: 'Robert' }],
    },
    [],
    false,
  )
  const both = JSON.parse(text)
  both.networks.push({ ...both.networks[0], chainId: 1, rpcUrl: 'https://new.example' })
  const file = JSON.stringify(both)
  const backup = createBackup(
    standInWallet({
      settings: async () => now,
      tokenPreferences: async () => ({ favourites: [], recents: [], listedAt: undefined }),
    }),
  )
  const change = toImportChange(await backup.plan(file, now), now)
  expect(change).toMatchObject({
    changes: {
      added: [{ chainId: 777 }],
      contacts: [{ name: 'Ann' }, { name: 'Robert' }],
      forgotten: [other],
    },
  })
  expect(change.kind === 'import' && change.changes.networks?.map(({ chainId }) => chainId)).toContain(1)
})

it('rejects a file that lists a contact twice', () => {
  const { text } = writeBackup({ ...fresh, contacts: [{ address: other, name: 'Bob' }] }, [], false)
  const file = JSON.parse(text)
  expect(() =>
    readBackup(JSON.stringify({ ...file, contacts: [...file.contacts, ...file.contacts] })),
  ).toThrow('contact-twice')
})
