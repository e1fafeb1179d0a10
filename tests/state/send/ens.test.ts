import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { zeroAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { createChain } from '../../../src/evm/client.ts'
import { resolveName } from '../../../src/state/send/ens.ts'
import { clients, speaking } from '../../helpers/node/dialects.ts'
import { createNames, registry } from '../../helpers/node/ensNames.ts'
import { startProxy } from '../../helpers/node/rpcProxy.ts'
import { friend } from '../../helpers/samples/activitySamples.ts'
import { local } from '../../helpers/state/fakes.ts'

let localnet: Localnet
let names: Awaited<ReturnType<typeof createNames>>
let asked: string[]

beforeAll(async () => {
  localnet = await createLocalnet()
  names = await createNames(localnet)
})
afterAll(() => localnet?.stop())

async function resolve(text: string, chainId = 31337, at?: typeof registry) {
  asked = []
  const chain = createChain({ ...local, rpcUrl: localnet.rpcUrl })
  const wallet = {
    call: async (_chainId: number, to: string, data: string) => {
      asked.push(to)
      return chain.proxyRequest('eth_call', [{ to, data }, 'latest'])
    },
  }
  return resolveName(wallet, chainId, text, at)
}

describe('resolveName', () => {
  it('queries only the registry and the resolver of the name', async () => {
    await names.register('alice.eth', friend)
    expect(await resolve(' alice.eth ')).toEqual({
      status: 'found',
      name: 'alice.eth',
      address: friend,
      isChanged: false,
      isForeign: false,
    })
    expect(asked).toHaveLength(3)
    expect(asked[0]).toBe(registry)
    expect(new Set(asked).size).toBe(2)
  })

  it('normalizes a name and reports changes other than letter case', async () => {
    await names.register('bob.eth', friend)
    expect(await resolve('BOB.eth')).toMatchObject({ status: 'found', name: 'bob.eth', isChanged: false })
    // An invisible soft hyphen and a fullwidth letter.
    expect(await resolve('b\u00ado\uff42.eth')).toMatchObject({ name: 'bob.eth', isChanged: true })
  })

  it('resolves a name with letters beyond a to z and marks it', async () => {
    await names.register('jürgen.eth', friend)
    expect(await resolve('jürgen.eth')).toMatchObject({ address: friend, isForeign: true, isChanged: false })
  })

  it('rejects names that normalization disallows, without a request', async () => {
    // Mixed alphabets, a Cyrillic lookalike, disallowed characters.
    for (const text of ['аlice.eth', 'сосо.eth', 'al ice.eth', 'alice?.eth'])
      expect(await resolve(text)).toEqual({ status: 'invalid' })
    expect(asked).toEqual([])
  })

  it('reports a name as unknown when it is unregistered or has no address or no usable resolver', async () => {
    await names.register('empty.eth', zeroAddress)
    await names.register('texts.eth', friend, 'text')
    await names.misdirect('lost.eth')
    for (const name of ['stranger.eth', 'empty.eth', 'texts.eth', 'lost.eth'])
      expect(await resolve(name)).toEqual({ status: 'unknown', name })
  })

  it('reports an off-chain name as elsewhere and lists its servers', async () => {
    const hosts = ['names.example', 'spare.example:8443']
    await names.register('far.eth', friend, 'offchain')
    expect(await resolve('far.eth')).toEqual({ status: 'elsewhere', name: 'far.eth', hosts })
    await names.register('l2.eth', friend, 'offchainWildcard')
    for (const name of ['l2.eth', 'alice.l2.eth', 'a.b.l2.eth'])
      expect(await resolve(name)).toEqual({ status: 'elsewhere', name, hosts })
  })

  it('uses the wildcard resolver of the nearest parent name (ENSIP-10)', async () => {
    await names.register('sub.eth', zeroAddress, 'wildcard')
    const other = `0x${'ab'.repeat(20)}` as const
    await names.answerBelow('sub.eth', friend)
    await names.answerBelow('alice.sub.eth', other)
    await names.answerBelow('a.b.jürgen.sub.eth', friend)
    expect(await resolve('sub.eth')).toMatchObject({ status: 'found', address: friend })
    expect(await resolve('ALICE.sub.eth')).toMatchObject({ name: 'alice.sub.eth', address: other })
    expect(await resolve('a.b.jürgen.sub.eth')).toMatchObject({ address: friend, isForeign: true })
    expect(await resolve('stranger.sub.eth')).toEqual({ status: 'unknown', name: 'stranger.sub.eth' })
    // A name's own resolver takes precedence.
    await names.register('own.sub.eth', other)
    expect(await resolve('own.sub.eth')).toMatchObject({ address: other })
    expect(await resolve('x.own.sub.eth')).toEqual({ status: 'unknown', name: 'x.own.sub.eth' })
  })

  it('does not use a parent resolver without wildcard support', async () => {
    await names.register('plain.eth', friend)
    expect(await resolve('alice.plain.eth')).toEqual({ status: 'unknown', name: 'alice.plain.eth' })
    await names.misdirect('void.eth')
    expect(await resolve('alice.void.eth')).toEqual({ status: 'unknown', name: 'alice.void.eth' })
  })

  it('reports a name as unknown when its label is too long for the parent resolver', async () => {
    await names.register('sub.eth', zeroAddress, 'wildcard')
    const name = `${'a'.repeat(256)}.sub.eth`
    expect(await resolve(name)).toEqual({ status: 'unknown', name })
  })

  it('lists no servers for an off-chain name when the revert data cannot be decoded', async () => {
    for (const revertData of ['0x556f1830', `0x556f1830${'ff'.repeat(64)}`]) {
      const facts = { rpcCode: '-32015', rpcMessage: 'VM execution error.', isRevert: 'true', revertData }
      const wallet = { call: () => Promise.reject(new WalletError('node-answered', 'Refused.', facts)) }
      expect(await resolveName(wallet, 31337, 'alice.eth')).toEqual({
        status: 'elsewhere',
        name: 'alice.eth',
        hosts: [],
      })
    }
  })

  it('reports a missing registry on a chain without one, and where its address has no code', async () => {
    expect(await resolve('alice.eth', 137)).toEqual({ status: 'no-registry' })
    expect(asked).toEqual([])
    expect(await resolve('alice.eth', 31337, `0x${'9b'.repeat(20)}`)).toEqual({ status: 'no-registry' })
  })

  it.each(clients)(
    'recognizes unknown and off-chain names when the RPC reports reverts like %s',
    async (client) => {
      await names.register('texts.eth', friend, 'text')
      await names.register('far.eth', friend, 'offchain')
      const proxy = await startProxy(localnet.rpcUrl, () => undefined, speaking(client))
      const { proxyRequest: pass } = createChain({ ...local, rpcUrl: proxy.url })
      const wallet = {
        call: (_chainId: number, to: string, data: string) => pass('eth_call', [{ to, data }, 'latest']),
      }
      expect(await resolveName(wallet, 31337, 'texts.eth')).toMatchObject({ status: 'unknown' })
      expect(await resolveName(wallet, 31337, 'far.eth')).toMatchObject({ status: 'elsewhere' })
      await proxy.stop()
    },
  )

  it('rejects with the RPC error instead of reporting the name as unknown', async () => {
    const facts = { rpcCode: '-32005', rpcMessage: 'Too many requests.' }
    for (const error of [
      new WalletError('node-timeout', 'Late.'),
      new WalletError('node-answered', 'Refused.', facts),
    ]) {
      const wallet = { call: () => Promise.reject(error) }
      await expect(resolveName(wallet, 31337, 'alice.eth')).rejects.toBe(error)
    }
  })

  it('reports a name as unknown when the answer is not a plain address', async () => {
    for (const answer of [`0x01${'0'.repeat(22)}${'f1'.repeat(20)}`, '0x12', null, 7, {}]) {
      const wallet = { call: async () => answer }
      expect(await resolveName(wallet, 31337, 'alice.eth')).toMatchObject({ status: 'unknown' })
    }
  })
})

it('queries the registry with the name hashes of EIP-137', async () => {
  const asked: string[] = []
  const call = async (_chainId: number, _to: string, data: string) => {
    asked.push(data.slice(10))
    return `0x${'0'.repeat(64)}`
  }
  await resolveName({ call }, 31337, 'foo.eth')
  expect(asked).toEqual([
    'de9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f',
    '93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae',
  ])
})
