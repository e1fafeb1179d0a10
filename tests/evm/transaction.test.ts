import { Wallet } from 'ethers'
import fc from 'fast-check'
import {
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type Signature,
  serializeTransaction,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../src/domain/token/token.ts'
import { transferTopic } from '../../src/evm/erc20.ts'
import type { Receipt } from '../../src/evm/rpc/schemas.ts'
import {
  amountFromLogs,
  readTransaction,
  signTransaction,
  type Transaction,
} from '../../src/evm/transaction.ts'
import { failure } from '../helpers/failure.ts'
import { slow } from '../helpers/slow.ts'

slow('Many cases are drawn at random.')

const privateKey: Hex = `0x${'4c'.repeat(32)}`
const to: Address = `0x${'70'.repeat(20)}`
const plain: Transaction = {
  chainId: 31337,
  nonce: 7,
  to,
  data: '0x07ed2379',
  value: 5n,
  gas: 300_000n,
  maxFeePerGas: 30n,
  maxPriorityFeePerGas: 2n,
}

const bytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
const amount = fc.bigInt(0n, 2n ** 128n)
const transaction: fc.Arbitrary<Transaction> = fc
  .record({
    chainId: fc.integer({ min: 1, max: 2 ** 31 }),
    nonce: fc.nat(),
    to: bytes(20),
    data: fc.oneof(bytes(0), bytes(1), bytes(4), bytes(100)),
    value: amount,
    gas: fc.bigInt(1n, 2n ** 64n),
    maxPriorityFeePerGas: amount,
    above: amount,
    accessList: fc.array(fc.record({ address: bytes(20), storageKeys: fc.array(bytes(32)) })),
    creates: fc.boolean(),
  })
  .map(({ above, creates, to, ...rest }) => ({
    ...rest,
    ...(creates ? {} : { to }),
    maxFeePerGas: rest.maxPriorityFeePerGas + above,
  }))

describe('legacy transactions', () => {
  const legacyOf = ({ accessList: _, maxPriorityFeePerGas: _tip, ...rest }: Transaction): Transaction => ({
    ...rest,
    maxPriorityFeePerGas: rest.maxFeePerGas,
    isLegacy: true,
  })

  it('encodes the same bytes as viem, and decodes them to the same transaction', async () => {
    const key = bytes(32).filter((hex) => BigInt(hex) > 0n && BigInt(hex) < 2n ** 255n)
    await fc.assert(
      fc.asyncProperty(transaction, key, async (any, privateKey) => {
        const legacy = legacyOf(any)
        const { chainId, nonce, to, data, value, gas, maxFeePerGas: gasPrice } = legacy
        const rest = { chainId, nonce, ...(to && { to }), data, value, gas }
        const expected = await privateKeyToAccount(privateKey).signTransaction({
          type: 'legacy',
          ...rest,
          gasPrice,
        })
        const { raw, hash } = await signTransaction(privateKey, legacy)
        expect(raw).toBe(expected)
        expect(hash).toBe(keccak256(expected))
        expect(readTransaction(raw)).toEqual(legacy)
      }),
      { numRuns: 30 },
    )
  })

  it('encodes the example of EIP-155', async () => {
    const price = 20n * 10n ** 9n
    const { raw } = await signTransaction(`0x${'46'.repeat(32)}`, {
      chainId: 1,
      nonce: 9,
      to: `0x${'35'.repeat(20)}`,
      data: '0x',
      value: 10n ** 18n,
      gas: 21_000n,
      maxFeePerGas: price,
      maxPriorityFeePerGas: price,
      isLegacy: true,
    })
    expect(raw).toBe(
      '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef6134' +
        '0bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3' +
        'dc64214b297fb1966a3b6d83',
    )
  })

  it('rejects a separate priority fee and an access list', async () => {
    const legacy: Transaction = { ...plain, isLegacy: true }
    await expect(signTransaction(privateKey, legacy)).rejects.toMatchObject({
      facts: { field: 'maxPriorityFeePerGas' },
    })
    const listed = { ...legacyOf(plain), accessList: [] }
    await expect(signTransaction(privateKey, listed)).rejects.toMatchObject({
      facts: { field: 'accessList' },
    })
  })
})

describe('signTransaction', () => {
  it('encodes the same bytes as viem for random transactions and keys', async () => {
    const key = bytes(32).filter((hex) => BigInt(hex) > 0n && BigInt(hex) < 2n ** 255n)
    await fc.assert(
      fc.asyncProperty(transaction, key, async (transaction, privateKey) => {
        const account = privateKeyToAccount(privateKey)
        const expected = await account.signTransaction({ type: 'eip1559', ...transaction })
        const { raw, hash } = await signTransaction(privateKey, transaction)
        expect(raw).toBe(expected)
        expect(hash).toBe(keccak256(expected))
      }),
      { numRuns: 600 },
    )
  })

  it('encodes the same bytes as ethers for EIP-1559 and EIP-155', async () => {
    const wallet = new Wallet(privateKey)
    await fc.assert(
      fc.asyncProperty(transaction, fc.boolean(), async (drawn, isLegacy) => {
        const { accessList, maxFeePerGas, maxPriorityFeePerGas, gas: gasLimit, ...rest } = drawn
        const fees = isLegacy
          ? { type: 0, gasPrice: maxFeePerGas }
          : { type: 2, maxFeePerGas, maxPriorityFeePerGas, accessList: accessList ?? [] }
        const { accessList: _, ...plain } = drawn
        const legacy: Transaction = { ...plain, maxPriorityFeePerGas: maxFeePerGas, isLegacy: true }
        const { raw } = await signTransaction(privateKey, isLegacy ? legacy : drawn)
        expect(raw).toBe(await wallet.signTransaction({ ...rest, gasLimit, ...fees }))
      }),
      { numRuns: 50 },
    )
  })

  it('signs for one chain, so that the signature is invalid on another', async () => {
    const { raw } = await signTransaction(privateKey, plain)
    const { address } = privateKeyToAccount(privateKey)
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(address)

    const { r, s, yParity, ...unsigned } = parseTransaction(raw as `0x02${string}`)
    expect(unsigned).toMatchObject({ chainId: 31337, nonce: 7, value: 5n })
    const moved = serializeTransaction({ ...unsigned, chainId: 1 }, { r: r!, s: s!, yParity: yParity! })
    expect(await recoverTransactionAddress({ serializedTransaction: moved })).not.toBe(address)
  })

  it('returns the same bytes each time', async () => {
    expect(await signTransaction(privateKey, plain)).toEqual(await signTransaction(privateKey, plain))
  })

  it('rejects numbers that are out of range', async () => {
    const wrongs: [keyof Transaction, unknown][] = [
      ['chainId', 0],
      ['chainId', 1.5],
      ['chainId', undefined],
      ['nonce', -1],
      ['nonce', Number.NaN],
      ['gas', 0n],
      ['value', -1n],
      ['value', 2n ** 256n],
      ['maxFeePerGas', -1n],
      ['maxPriorityFeePerGas', 31n],
      ['maxPriorityFeePerGas', -1n],
    ]
    for (const [field, value] of wrongs) {
      const error = await failure(signTransaction(privateKey, { ...plain, [field]: value } as Transaction))
      expect(error, `${field} ${value}`).toMatchObject({ code: 'invalid-input', facts: { field } })
    }
  })

  it('does not reveal an unusable key in its error', async () => {
    const secret = 'f'.repeat(64)
    const error = await failure(signTransaction(`0x${secret}`, plain))
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(secret)
  })
})

describe('readTransaction', () => {
  it('decodes random transactions of signTransaction', async () => {
    await fc.assert(
      fc.asyncProperty(transaction, async ({ accessList, ...rest }) => {
        const transaction = { ...rest, ...(accessList?.length && { accessList }) }
        const { raw } = await signTransaction(privateKey, transaction)
        expect(readTransaction(raw)).toEqual(transaction)
      }),
      { numRuns: 60 },
    )
  })
})

describe('modified transaction bytes', () => {
  const change = fc.record({
    at: fc.nat(),
    byte: fc.nat(255),
    kind: fc.constantFrom('set', 'insert', 'remove'),
  })
  const signed = async (isLegacy: boolean) => {
    const fees = isLegacy ? ({ maxPriorityFeePerGas: 30n, isLegacy } as const) : {}
    const accessList = [{ address: to, storageKeys: [`0x${'5e'.repeat(32)}` as Hex] }]
    const { raw } = await signTransaction(privateKey, {
      ...plain,
      data: `0x${'07'.repeat(300)}`,
      ...fees,
      ...(!isLegacy && { accessList }),
    })
    return [...Buffer.from(raw.slice(2), 'hex')]
  }

  it('rejects modified bytes unless they re-encode to themselves', async () => {
    for (const isLegacy of [true, false]) {
      const original = await signed(isLegacy)
      let accepted = 0
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
          const changed = [...original]
          for (const { at, byte, kind } of changes) {
            const place = at % Math.min(changed.length, 60)
            changed.splice(place, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [byte]))
          }
          const raw = toHex(Uint8Array.from(changed))
          let read: Transaction
          try {
            read = readTransaction(raw)
          } catch {
            return
          }
          accepted++
          const { r, s, v, yParity } = parseTransaction(raw as `0x02${string}`) as Signature
          const { isLegacy, maxFeePerGas, maxPriorityFeePerGas, ...rest } = read
          const fees = isLegacy
            ? ({ type: 'legacy', gasPrice: maxFeePerGas } as const)
            : ({ type: 'eip1559', maxFeePerGas, maxPriorityFeePerGas } as const)
          const again = serializeTransaction({ ...rest, ...fees } as never, { r, s, v, yParity } as never)
          expect(again).toBe(raw)
        }),
        { numRuns: 3_000 },
      )
      expect(accepted).toBeGreaterThan(20)
    }
  })

  it('rejects trailing bytes, non-minimal lengths, leading zeros and missing signatures', async () => {
    const [type, list, high, low, ...rest] = await signed(false)
    const size = 256 * high! + low!
    const hex = (...all: (number | undefined)[]) => toHex(Uint8Array.from(all as number[]))
    expect(() => readTransaction(hex(type, list, high, low, ...rest, 0))).toThrow()
    expect(() => readTransaction(hex(type, list! + 1, 0, high, low, ...rest))).toThrow()
    // Chain id 0x7a69 with another zero.
    expect(rest.slice(0, 3)).toEqual([0x82, 0x7a, 0x69])
    const padded = [0x83, 0, 0x7a, 0x69, ...rest.slice(3)]
    expect(() => readTransaction(hex(type, list, (size + 1) >> 8, (size + 1) & 255, ...padded))).toThrow()
    expect(() => readTransaction('0x')).toThrow()
    // Six fields: legacy without a signature; type 2 without one.
    const unsigned = { nonce: 1, to: `0x${'11'.repeat(20)}`, gas: 21_000n, chainId: 1 } as const
    expect(() =>
      readTransaction(serializeTransaction({ ...unsigned, type: 'legacy', gasPrice: 1n })),
    ).toThrow()
    expect(() =>
      readTransaction(serializeTransaction({ ...unsigned, type: 'eip1559', maxFeePerGas: 1n })),
    ).toThrow('Not signed')
    expect(() => readTransaction('0x02')).toThrow()
  })
})

describe('amountFromLogs', () => {
  const token: Address = `0x${'70'.repeat(20)}`
  const account: Address = `0x${'ac'.repeat(20)}`
  const other: Address = `0x${'0e'.repeat(20)}`
  const topic = (address: Address): Hex => `0x${'0'.repeat(24)}${address.slice(2)}`
  const transfer = (from: Address, to: Address, value: bigint) => ({
    address: token,
    topics: [transferTopic, topic(from), topic(to)],
    data: toHex(value, { size: 32 }),
  })
  const receipt = (...logs: Receipt['logs']): Receipt => ({
    status: 'success',
    blockNumber: 1n,
    isAgreed: true,
    gasUsed: 1n,
    effectiveGasPrice: 1n,
    logs,
  })

  it('uses the topic of the Transfer event', () => {
    expect(transferTopic).toBe(keccak256(toHex('Transfer(address,address,uint256)')))
  })

  it('sums the transfers of the token to the account', () => {
    const logs = [
      transfer(other, account, 5n),
      transfer(account, other, 3n),
      transfer(other, account, 2n ** 255n),
    ]
    expect(amountFromLogs(receipt(...logs), token, account)).toBe(2n ** 255n + 5n)
    expect(amountFromLogs(receipt(...logs), token, other)).toBe(3n)
    expect(amountFromLogs(receipt(), token, account)).toBe(0n)
  })

  it('ignores other tokens, NFTs and malformed logs', () => {
    const good = transfer(other, account, 5n)
    const logs = [
      { ...good, address: other },
      { ...good, topics: [...good.topics, topic(other)] },
      { ...good, topics: good.topics.slice(0, 2) },
      { ...good, topics: [topic(other), ...good.topics.slice(1)] },
      { ...good, data: '0x' as Hex },
      { ...good, data: `${good.data}00` as Hex },
    ]
    expect(amountFromLogs(receipt(...logs), token, account)).toBe(0n)
  })
})
