import fc from 'fast-check'
import { keccak256, parseTransaction, recoverTransactionAddress, serializeTransaction, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../src/domain/token/token.ts'
import type { WalletError } from '../../src/errors.ts'
import { transferTopic } from '../../src/evm/erc20.ts'
import type { Receipt } from '../../src/evm/schemas.ts'
import {
  amountFromLogs,
  readTransaction,
  signTransaction,
  type Transaction,
} from '../../src/evm/transaction.ts'
import { slow } from '../slow.ts'

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

describe('a legacy transaction', () => {
  const legacyOf = ({ accessList: _, maxPriorityFeePerGas: _tip, ...rest }: Transaction): Transaction => ({
    ...rest,
    maxPriorityFeePerGas: rest.maxFeePerGas,
    isLegacy: true,
  })

  it('is the bytes that viem writes by EIP-155, and is read back the same', async () => {
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

  it('has one price alone, and no access list', async () => {
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
  it('writes the bytes that viem writes, for any transaction and key', async () => {
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

  it('signs for one chain, so that the signature is worth nothing on another', async () => {
    const { raw } = await signTransaction(privateKey, plain)
    const { address } = privateKeyToAccount(privateKey)
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(address)

    const { r, s, yParity, ...unsigned } = parseTransaction(raw as `0x02${string}`)
    expect(unsigned).toMatchObject({ chainId: 31337, nonce: 7, value: 5n })
    const moved = serializeTransaction({ ...unsigned, chainId: 1 }, { r: r!, s: s!, yParity: yParity! })
    expect(await recoverTransactionAddress({ serializedTransaction: moved })).not.toBe(address)
  })

  it('gives the same bytes each time', async () => {
    expect(await signTransaction(privateKey, plain)).toEqual(await signTransaction(privateKey, plain))
  })

  it('refuses numbers that no node would take', async () => {
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

  it('shows nothing of a key that it cannot use', async () => {
    const secret = 'f'.repeat(64)
    const error = await failure(signTransaction(`0x${secret}`, plain))
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(secret)
  })
})

describe('readTransaction', () => {
  it('finds what signTransaction made, whatever it was', async () => {
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

describe('receivedFrom', () => {
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

  it('knows the event by its signature', () => {
    expect(transferTopic).toBe(keccak256(toHex('Transfer(address,address,uint256)')))
  })

  it('adds up what the token’s logs bring to the account', () => {
    const logs = [
      transfer(other, account, 5n),
      transfer(account, other, 3n),
      transfer(other, account, 2n ** 255n),
    ]
    expect(amountFromLogs(receipt(...logs), token, account)).toBe(2n ** 255n + 5n)
    expect(amountFromLogs(receipt(...logs), token, other)).toBe(3n)
    expect(amountFromLogs(receipt(), token, account)).toBe(0n)
  })

  it('counts no other token, no NFT, and no log that only looks alike', () => {
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

async function failure(work: Promise<unknown>): Promise<WalletError> {
  return work.then(
    () => expect.fail('was signed'),
    (error: WalletError) => error,
  )
}
