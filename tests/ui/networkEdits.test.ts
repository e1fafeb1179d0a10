import { describe, expect, it } from 'vitest'
import type { Network } from '../../src/domain/network.ts'
import { editNetwork, faultsOfNetwork, textsOfNetwork } from '../../src/ui/networkEdits.ts'
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

it('says which field cannot be used', () => {
  const texts = textsOfNetwork(local)
  expect(Object.values(faultsOfNetwork(texts))).toEqual([undefined, undefined, undefined])
  const faults = faultsOfNetwork({ ...texts, rpcUrl: 'ftp://nowhere', router: '0x12' })
  expect(faults).toEqual({
    serviceUrl: undefined,
    rpcUrl: expect.stringMatching(/http/i),
    router: 'This is no address.',
  })
})
