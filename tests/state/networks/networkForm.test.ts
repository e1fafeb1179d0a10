import { describe, expect, it } from 'vitest'
import { builtInNetworks } from '../../../src/config.ts'
import { isSame } from '../../../src/domain/isSame.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import { editNetwork, isSameOrigin, toFormValues } from '../../../src/domain/network/networkTexts.ts'
import {
  advancedFields,
  getNextRpc,
  getRpcChoices,
  hasAdvancedValues,
  isConfigured,
  isOwn,
  isSameNetwork,
  newNetwork,
  versionsFor,
} from '../../../src/state/networks/networkForm.ts'
import { local } from '../../helpers/state/fakes.ts'

const ethereum = builtInNetworks().find(({ chainId }) => chainId === 1) as Network
const router = `0x${'ab'.repeat(20)}` as const

describe('isConfigured, isOwn and isSameNetwork', () => {
  it('treats built-in networks as not configured', () => {
    for (const network of builtInNetworks()) expect(isConfigured(network), network.name).toBe(false)
  })

  it('treats a network as configured when any field that users can edit was changed', () => {
    const changes: Partial<Network>[] = [
      { name: 'Main' },
      { coin: { ...ethereum.coin, symbol: 'XETH' } },
      { serviceUrl: 'https://swaps.example' },
      { serviceVersion: '3.0' },
      { serviceKey: 'key' },
      { rpcUrl: 'https://node.example' },
      { spareRpcUrl: 'https://spare.example' },
      { explorerUrl: 'https://explorer.example' },
      { router: `0x${'11'.repeat(20)}` },
      { options: { parts: 10 } },
    ]
    for (const change of changes) {
      expect(isConfigured({ ...ethereum, ...change }), JSON.stringify(change)).toBe(true)
    }
  })

  it('treats a network that is not built in as configured', () => {
    expect(isConfigured({ ...ethereum, chainId: 777 })).toBe(true)
    expect(isOwn({ ...ethereum, chainId: 777 })).toBe(true)
    expect(isOwn({ ...ethereum, name: 'Mine' })).toBe(false)
  })

  it('ignores fields that users cannot edit, and a field that was emptied again', () => {
    expect(isConfigured({ ...ethereum, stable: `0x${'22'.repeat(20)}`, quoteEveryMs: 1 })).toBe(false)
    expect(isConfigured({ ...ethereum, serviceKey: '' })).toBe(false)
  })

  it('ignores the order of route options when it compares networks', () => {
    const one: Network = { ...ethereum, options: { parts: 10, gasPrice: 7n } }
    const other: Network = { ...ethereum, options: { gasPrice: 7n, parts: 10 } }
    expect(isSameNetwork(one, other)).toBe(true)
    const dearer: Network = { ...ethereum, options: { gasPrice: 8n, parts: 10 } }
    expect(isSameNetwork(one, dearer)).toBe(false)
  })
})

describe('editNetwork', () => {
  it('keeps fields that were changed elsewhere since the form was opened', () => {
    const pinned: Network = { ...local, router, serviceKey: 'theirs' }
    expect(editNetwork(pinned, { rpcUrl: ' https://node.example ' })).toEqual({
      ...pinned,
      rpcUrl: 'https://node.example',
    })
    expect(editNetwork(pinned, {})).toEqual(pinned)
  })

  it('drops the API key when the service moves to another host, unless it is typed again', () => {
    const keyed: Network = { ...local, serviceUrl: 'https://swap.example/a', serviceKey: 'mine' }
    const serviceUrl = 'https://other.example'
    expect(editNetwork(keyed, { serviceUrl })).not.toHaveProperty('serviceKey')
    expect(editNetwork(keyed, { serviceUrl, serviceKey: 'mine' })).toMatchObject({ serviceKey: 'mine' })
    expect(editNetwork(keyed, { serviceUrl: 'https://swap.example/b' })).toMatchObject({ serviceKey: 'mine' })
  })

  it('removes fields that were emptied', () => {
    const full: Network = { ...local, router, serviceKey: 'mine', serviceVersion: '3.0' }
    const { router: _, serviceKey: _key, serviceVersion: _version, ...bare } = full
    expect(editNetwork(full, { router: '', serviceKey: ' ', serviceVersion: '6.1' })).toEqual(bare)
  })
})

it('creates a network from a chain id and the typed fields', () => {
  const made = editNetwork(newNetwork(777, 'Chain 777'), {
    name: ' Mine ',
    symbol: 'MINE',
    rpcUrl: 'https://node.example',
    spareRpcUrl: ' https://spare.example ',
    explorerUrl: 'https://scan.example',
  })
  expect(made).toMatchObject({
    chainId: 777,
    name: 'Mine',
    coin: { symbol: 'MINE', name: 'MINE' },
    rpcUrl: 'https://node.example',
    spareRpcUrl: 'https://spare.example',
    explorerUrl: 'https://scan.example',
  })
  const bare = editNetwork(made, { spareRpcUrl: '', explorerUrl: ' ' })
  expect(bare).not.toHaveProperty('spareRpcUrl')
  expect(bare).not.toHaveProperty('explorerUrl')
})

it('offers API version 3.0 where services support it or where it is already chosen', () => {
  expect(versionsFor({ ...local, chainId: 56 })).toEqual(['6.1', '3.0'])
  expect(versionsFor({ ...local, chainId: 10 })).toEqual(['6.1'])
  expect(versionsFor({ ...local, chainId: 10, serviceVersion: '3.0' })).toEqual(['6.1', '3.0'])
  expect(versionsFor(local)).toEqual(['6.1', '3.0'])
})

describe('isSameOrigin', () => {
  it('compares only the scheme, the host and the port', () => {
    expect(isSameOrigin('https://swaps.example/v1', 'https://SWAPS.example:443/other?key=1')).toBe(true)
    for (const other of ['http://swaps.example', 'https://swaps.example:8443', 'https://a.swaps.example']) {
      expect(isSameOrigin('https://swaps.example', other), other).toBe(false)
    }
  })

  it('compares texts that are not URLs as they are', () => {
    expect(isSameOrigin('', '')).toBe(true)
    expect(isSameOrigin('', 'https://swaps.example')).toBe(false)
    expect(isSameOrigin('here', 'there')).toBe(false)
  })
})

describe('isSame', () => {
  it.each([
    [undefined, ''],
    [undefined, null],
    [
      { a: 1, b: { c: 2n, d: [1, 2] } },
      { b: { d: [1, 2], c: 2n }, a: 1 },
    ],
  ])('treats %o and %o as equal', (one, other) => {
    expect(isSame(one, other)).toBe(true)
  })

  it.each([
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, {}],
    ['', 'a'],
    [1n, 2n],
  ])('treats %o and %o as different', (one, other) => {
    expect(isSame(one, other)).toBe(false)
  })
})

describe('public RPCs', () => {
  const [first, second, third] = getRpcChoices(1).map(({ url }) => url)

  it('come with the following one as backup', () => {
    expect(getRpcChoices(1).map(({ edits }) => edits)).toEqual([
      { rpcUrl: first, spareRpcUrl: second },
      { rpcUrl: second, spareRpcUrl: third },
      { rpcUrl: third, spareRpcUrl: first },
    ])
    expect(getRpcChoices(777)).toEqual([])
  })

  it('name the backup that they bring', () => {
    expect(getRpcChoices(1).map(({ backupUrl }) => backupUrl)).toEqual([second, third, first])
  })

  it('keep a backup of the user, and replace one of their own', () => {
    const spareRpcUrl = 'https://spare.example'
    for (const { url, backupUrl, edits } of getRpcChoices(1, { rpcUrl: first!, spareRpcUrl })) {
      expect({ backupUrl, edits }).toEqual({ backupUrl: spareRpcUrl, edits: { rpcUrl: url } })
    }
    const [, choice] = getRpcChoices(1, { rpcUrl: 'https://node.example', spareRpcUrl: first! })
    expect(choice).toMatchObject({ backupUrl: third, edits: { rpcUrl: second, spareRpcUrl: third } })
  })

  it('keep the backup of the RPC in use', () => {
    const [inUse] = getRpcChoices(1, { rpcUrl: first!, spareRpcUrl: third! })
    expect(inUse).toMatchObject({ backupUrl: third, edits: { rpcUrl: first } })
    expect(inUse?.edits).not.toHaveProperty('spareRpcUrl')
  })

  it('offers the following one, and the first after an RPC of the user', () => {
    expect(getNextRpc(1, { rpcUrl: first! })?.url).toBe(second)
    expect(getNextRpc(1, { rpcUrl: third! })?.url).toBe(first)
    expect(getNextRpc(1, { rpcUrl: 'https://node.example' })?.url).toBe(first)
    expect(getNextRpc(777, { rpcUrl: 'https://node.example' })).toBeUndefined()
  })

  it('offers the following one without a change of the backup, unless both are the same', () => {
    for (const spareRpcUrl of [third!, 'https://spare.example', '']) {
      expect(getNextRpc(1, { rpcUrl: first!, spareRpcUrl })?.edits).toEqual({ rpcUrl: second })
    }
    const next = getNextRpc(1, { rpcUrl: first!, spareRpcUrl: second! })
    expect(next?.edits).toEqual({ rpcUrl: second, spareRpcUrl: '' })
    expect(next?.backupUrl).toBeUndefined()
  })
})

describe('hasAdvancedValues', () => {
  const given = toFormValues(ethereum)

  const contracts = ['wrapped', 'v3Factory', 'quoter', 'swapRouter']
  it.each(advancedFields.filter((name) => !contracts.includes(name)))('is true once %s is set', (name) => {
    const value = name === 'serviceVersion' ? '3.0' : '1'
    expect(hasAdvancedValues(ethereum, { ...given, [name]: value })).toBe(true)
  })

  it('is false for built-in values, other fields and a public backup RPC', () => {
    const [{ edits }] = getRpcChoices(1) as [ReturnType<typeof getRpcChoices>[0]]
    expect(hasAdvancedValues(ethereum, given)).toBe(false)
    const typed = { ...given, serviceUrl: 'https://swap.example', serviceKey: 'key', ...edits }
    expect(hasAdvancedValues(ethereum, typed)).toBe(false)
    expect(hasAdvancedValues(newNetwork(777, 'Mine'), toFormValues(newNetwork(777, 'Mine')))).toBe(false)
  })
})
