import { describe, expect, it } from 'vitest'
import type { Network } from '../../src/domain/network.ts'
import {
  editNetwork,
  faultsOfNetwork,
  newNetwork,
  textsOfNetwork,
  versionsFor,
} from '../../src/ui/networkEdits.ts'
import { local } from '../state/standIns.ts'

const router = `0x${'ab'.repeat(20)}` as const

describe('an edit of a network', () => {
  it('keeps what somebody else changed since the form was opened', () => {
    const pinned: Network = { ...local, router, serviceKey: 'theirs' }
    expect(editNetwork(pinned, { rpcUrl: ' https://node.example ' })).toEqual({
      ...pinned,
      rpcUrl: 'https://node.example',
    })
    expect(editNetwork(pinned, {})).toEqual(pinned)
  })

  it('takes away what was emptied', () => {
    const full: Network = { ...local, router, serviceKey: 'mine', serviceVersion: '3.0' }
    const { router: _, serviceKey: _key, serviceVersion: _version, ...bare } = full
    expect(editNetwork(full, { router: '', serviceKey: ' ', serviceVersion: '6.1' })).toEqual(bare)
  })
})

it('makes a network of a chain id and what was typed', () => {
  const made = editNetwork(newNetwork(777), {
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

it('offers the old interface where services speak it, and where it is chosen', () => {
  expect(versionsFor({ ...local, chainId: 56 })).toEqual(['6.1', '3.0'])
  expect(versionsFor({ ...local, chainId: 10 })).toEqual(['6.1'])
  expect(versionsFor({ ...local, chainId: 10, serviceVersion: '3.0' })).toEqual(['6.1', '3.0'])
  expect(versionsFor(local)).toEqual(['6.1', '3.0'])
})

it('says which field cannot be used', () => {
  const texts = textsOfNetwork(local)
  const fine = Object.values(faultsOfNetwork(texts))
  expect(new Set(fine)).toEqual(new Set([undefined]))
  const same = texts.rpcUrl
  const faults = faultsOfNetwork({
    ...texts,
    name: ' ',
    symbol: 'MUCHTOOLONGASYMBOL',
    rpcUrl: 'ftp://nowhere',
    explorerUrl: 'http://scan.example',
    router: '0x12',
  })
  expect(faults).toEqual({
    name: 'It needs a name.',
    symbol: 'At most 12 characters.',
    serviceUrl: undefined,
    rpcUrl: expect.stringMatching(/http/i),
    spareRpcUrl: undefined,
    explorerUrl: expect.stringMatching(/https/i),
    router: 'This is no address.',
  })
  expect(faultsOfNetwork({ ...texts, spareRpcUrl: same }).spareRpcUrl).toBe('This is the same node again.')
})
