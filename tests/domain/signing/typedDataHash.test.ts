import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { concatHex, keccak256, pad, stringToHex, hashTypedData as viemHash } from 'viem'
import { describe, expect, it } from 'vitest'
import { parseTypedData } from '../../../src/domain/signing/typedData.ts'
import { hashTypedData } from '../../../src/domain/signing/typedDataHash.ts'
import { figure } from '../../helpers/figures.ts'
import { runs } from '../../helpers/runs.ts'
import { mail, type Sample, typedData } from '../../helpers/samples/typedDataSamples.ts'
import { slow } from '../../helpers/slow.ts'

slow('Many cases are drawn at random.')

const hash = (value: unknown) => hashTypedData(parseTypedData(value))

describe('hashTypedData', () => {
  it('returns the digest published in EIP-712', () => {
    expect(hash(mail)).toBe('0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2')
    expect(hash(JSON.stringify(mail))).toBe(hash(mail))
  })

  it('matches viem for random typed data, and ethers for the types it supports', () => {
    let shapes = 0
    let forBoth = 0
    fc.assert(
      fc.property(typedData, (sample) => {
        shapes++
        const digest = hash(JSON.stringify(sample))
        expect(digest).toBe(viemHash(forViem(sample)))
        // ethers is slow.
        const types = shapes % 5 === 0 ? forEthers(sample) : undefined
        if (types === undefined) return
        forBoth++
        expect(digest).toBe(TypedDataEncoder.hash(sample.domain as object, types, sample.message))
      }),
      { numRuns: runs(1_500, 20_000) },
    )
    expect(shapes).toBeGreaterThanOrEqual(runs(1_500, 20_000))
    expect(forBoth).toBeGreaterThan(shapes / 20)
    figure('56', `${shapes} digests of typed data like viem’s, ${forBoth} of them like ethers’`)
  })

  it('matches viem for lists of structs, nested lists and recursive types', () => {
    const group = {
      ...mail,
      types: {
        ...mail.types,
        Person: [
          { name: 'name', type: 'string' },
          { name: 'wallets', type: 'address[]' },
          { name: 'friends', type: 'Person[]' },
        ],
        Group: [
          { name: 'members', type: 'Person[2]' },
          { name: 'grid', type: 'uint8[2][]' },
        ],
      },
      primaryType: 'Group',
      message: {
        members: [
          { name: 'Cow', wallets: [mail.message.from.wallet], friends: [] },
          { name: 'Bob', wallets: [], friends: [{ name: 'Eve', wallets: [], friends: [] }] },
        ],
        grid: [
          ['1', '2'],
          ['3', '255'],
        ],
      },
    }
    expect(hash(group)).toBe(viemHash(forViem(group)))
  })

  it('includes the structs within a type whose name has a colon or a dollar sign, unlike viem', () => {
    for (const name of ['Exchange:Order', 'Order$']) {
      const types = {
        EIP712Domain: [],
        [name]: [{ name: 'item', type: 'Item' }],
        Item: [{ name: 'x', type: 'uint256' }],
      }
      const item = keccak256(concatHex([keccak256(stringToHex('Item(uint256 x)')), pad('0x07')]))
      const struct = keccak256(concatHex([keccak256(stringToHex(`${name}(Item item)Item(uint256 x)`)), item]))
      const domain = keccak256(keccak256(stringToHex('EIP712Domain()')))
      const data = { domain: {}, types, primaryType: name, message: { item: { x: '7' } } }
      expect(hash(data)).toBe(keccak256(concatHex(['0x1901', domain, struct])))
      expect(hash(data)).not.toBe(viemHash(forViem(data)))
    }
  })

  it('keeps the field order of a domain type given by the dapp', () => {
    const [name, version, chainId, verifyingContract] = mail.types.EIP712Domain
    const EIP712Domain = [chainId!, verifyingContract!, version!, name!]
    const turned = { ...mail, types: { ...mail.types, EIP712Domain } }
    expect(hash(turned)).toBe(viemHash(forViem(turned)))
    expect(hash(turned)).not.toBe(hash(mail))
  })

  it('hashes a domain without a message', () => {
    const alone = { ...mail, primaryType: 'EIP712Domain', message: {} }
    expect(hash(alone)).toBe(viemHash(forViem(alone)))
  })

  it('changes with the domain, the message and the primary type', () => {
    const changed = [
      { ...mail, domain: { ...mail.domain, chainId: 2 } },
      { ...mail, message: { ...mail.message, contents: 'Hello, Eve!' } },
      { ...mail, primaryType: 'Person', message: mail.message.from },
    ]
    expect(new Set([mail, ...changed].map(hash)).size).toBe(4)
  })

  it('reads a field’s type about once per struct of a list', () => {
    let looks = 0
    const a = {
      name: 'a',
      get type() {
        looks++
        return 'uint256'
      },
    }
    const types = { Item: [a], List: [{ name: 'items', type: 'Item[]' }], EIP712Domain: [] }
    const items = Array.from({ length: 4_900 }, (_, a) => ({ a: BigInt(a) }))
    hashTypedData({ domain: {}, types, primaryType: 'List', message: { items } })
    expect(looks).toBeLessThan(4_900 + 10)
  })
})

/** ethers takes an unreferenced type as primary and rejects recursive types (undefined). */
function forEthers({ types, primaryType }: Sample): Sample['types'] | undefined {
  const used = new Map<string, Sample['types'][string]>()
  let isRound = false
  const visit = (name: string, above: string[]) => {
    if (above.includes(name)) isRound = true
    if (used.has(name)) return isRound
    const members = types[name] ?? []
    used.set(name, members)
    for (const { type } of members) {
      const [base = ''] = type.split('[')
      if (Object.hasOwn(types, base)) visit(base, [...above, name])
    }
    return isRound
  }
  return visit(primaryType, []) ? undefined : Object.fromEntries(used)
}

function forViem(sample: Sample): Parameters<typeof viemHash>[0] {
  return sample as unknown as Parameters<typeof viemHash>[0]
}
