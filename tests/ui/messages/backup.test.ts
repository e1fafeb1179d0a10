import { describe, expect, it } from 'vitest'
import type { Network } from '../../../src/domain/network/network.ts'
import { importRisks, networkRows, preferenceRows } from '../../../src/ui/messages/backup.ts'
import { local, settings } from '../../helpers/state/fakes.ts'

const other = `0x${'b2'.repeat(20)}` as const
const nothing = { choices: {}, networks: [], favourites: [], contacts: [] }

it('lists each imported preference with its value before and after', () => {
  const choices = { slippageBps: null, autoLockMinutes: 5, strictCalldata: false, theme: 'dark' } as const
  expect(preferenceRows({ ...nothing, choices }, settings)).toEqual([
    { name: 'Default slippage', before: '0.5%', after: 'Auto' },
    { name: 'Auto-lock (minutes)', before: '15', after: '5' },
    { name: 'Strict transaction checks', before: 'On', after: 'Off' },
    { name: 'Theme', before: 'System', after: 'Dark' },
  ])
})

it('lists the changed servers and options of a network without showing the API key', () => {
  const after: Network = {
    ...local,
    serviceUrl: 'https://swap.example/some/path',
    serviceVersion: '3.0',
    serviceKey: 'secret',
    router: other,
    options: { parts: 3 },
  }
  const rows = networkRows(local, after)
  expect(rows).toEqual([
    { name: 'Swap service', before: '127.0.0.1:8787', after: 'swap.example' },
    { name: 'API version', before: '6.1', after: '3.0' },
    { name: 'API key', before: 'None', after: 'Configured' },
    { name: 'Router', before: 'None', after: other },
    { name: 'Routes', before: 'None', after: 'Configured' },
  ])
  expect(networkRows(undefined, local).map(({ name }) => name)).toEqual([
    'Chain ID',
    'Native token',
    'Confirmations',
    'Swap service',
    'RPC',
  ])
  const at = (rpcUrl: string) => ({ ...local, rpcUrl })
  expect(networkRows(at('https://n.example/a'), at('https://n.example/b'))).toEqual([
    { name: 'RPC', before: 'n.example/a', after: 'n.example/b' },
  ])
})

describe('importRisks', () => {
  const risk = (after: Network, before?: Network) =>
    importRisks({ ...nothing, networks: [{ before, after }] })

  it('returns no risk for harmless changes', () => {
    expect(importRisks(nothing)).toEqual([])
    expect(risk({ ...local, explorerUrl: 'https://scan.example' }, local)).toEqual([])
    expect(importRisks({ ...nothing, choices: { strictCalldata: true } })).toEqual([])
  })

  it.each([
    [/Adds new servers/, { ...local, rpcUrl: 'https://node.example' }],
    [/Adds new servers/, { ...local, serviceUrl: 'https://swap.example' }],
    [/Adds new servers/, { ...local, spareRpcUrl: 'https://node.example' }],
    [/router/, { ...local, router: other }],
    [/partner fee/, { ...local, options: { feeBps: 100, referrer: other } }],
  ])('returns a warning that matches %s', (words, after) => {
    expect(risk(after, local)).toEqual([expect.stringMatching(words)])
  })

  it('warns about a higher fee for the same referrer', () => {
    const before = { ...local, options: { feeBps: 1, referrer: other } }
    expect(risk({ ...local, options: { feeBps: 300, referrer: other } }, before)).toHaveLength(1)
  })

  it('warns about imported contacts', () => {
    expect(importRisks({ ...nothing, contacts: [{ address: other, name: 'Ann' }] })).toEqual([
      expect.stringMatching(/Contains contacts/),
    ])
  })

  it('warns when strict transaction checks are turned off', () => {
    expect(importRisks({ ...nothing, choices: { strictCalldata: false } })).toEqual([
      expect.stringMatching(/Turns off strict transaction checks/),
    ])
  })
})
