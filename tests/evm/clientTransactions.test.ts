import { encodeErrorResult, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { Network } from '../../src/domain/network/network.ts'
import type { Address, Hex } from '../../src/domain/token/token.ts'
import type { WalletError } from '../../src/errors.ts'
import { type Chain, createChain } from '../../src/evm/client.ts'
import { approvalData } from '../../src/evm/erc20.ts'
import { amountFromLogs, receiptFee, signTransaction } from '../../src/evm/transaction.ts'
import { failure } from '../helpers/failure.ts'
import { returning, revertingWith } from '../helpers/node/code.ts'
import { localNetwork } from '../helpers/node/localNetwork.ts'
import { keepChain } from '../helpers/node/revertChain.ts'
import { startProxy } from '../helpers/node/rpcProxy.ts'
import { createSender } from '../helpers/node/sender.ts'
import { slow } from '../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let network: Network
let chain: Chain

beforeAll(async () => {
  localnet = await createLocalnet()
  network = localNetwork(localnet)
  chain = createChain(network)
})
afterAll(() => localnet.stop())
keepChain(() => localnet)

const nobody: Address = `0x${'ab'.repeat(20)}`
const spender: Address = `0x${'5b'.repeat(20)}`
const odd: Address = `0x${'0d'.repeat(20)}`

const { prepare, sendSigned } = createSender(
  () => localnet,
  () => chain,
)

describe('estimateGas', () => {
  it('matches the node’s gas estimate', async () => {
    const { address } = localnet.accounts[1]!
    const call = { from: address, to: localnet.tokens.DAI, data: approvalData(spender, 1n), value: 0n }
    const gas = await chain.estimateGas(call)
    expect(gas).toBe(await localnet.client.estimateGas({ account: address, to: call.to, data: call.data }))
    expect(await chain.estimateGas({ from: address, to: nobody, data: '0x', value: 1n })).toBe(21_000n)
  })

  it('includes the cost of an access list', async () => {
    const { address } = localnet.accounts[1]!
    const call = { from: address, to: localnet.tokens.DAI, data: approvalData(spender, 1n), value: 0n }
    const accessList = [
      {
        address: localnet.tokens.USDC,
        storageKeys: [`0x${'00'.repeat(32)}`, `0x${'01'.repeat(32)}`] as Hex[],
      },
    ]
    const gas = await chain.estimateGas({ ...call, accessList })
    // EIP-2930: 2,400 per address, 1,900 per slot.
    expect(gas - (await chain.estimateGas(call))).toBe(2_400n + 2n * 1_900n)
  })

  it('decodes a custom error of the router with its arguments', async () => {
    const errors = parseAbi(['error ReturnTooLow(uint256 returned, uint256 minimum)'])
    const data = encodeErrorResult({ abi: errors, errorName: 'ReturnTooLow', args: [99n, 100n] })
    expect(await revert(data)).toMatchObject({
      code: 'reverted',
      message: 'The transaction would fail: ReturnTooLow (returned 99, minimum 100).',
      facts: { error: 'ReturnTooLow', returned: '99', minimum: '100' },
    })
  })

  it('decodes an error of the deployed router', async () => {
    const { router } = localnet.contracts
    const swap = parseAbi([
      'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
      'function swap(address executor, Description desc, bytes data) payable returns (uint256, uint256)',
    ])
    const data = encodeFunctionData({
      abi: swap,
      functionName: 'swap',
      args: [
        router,
        {
          srcToken: localnet.tokens.DAI,
          dstToken: localnet.tokens.USDC,
          srcReceiver: router,
          dstReceiver: nobody,
          amount: 5n,
          minReturnAmount: 1n,
          flags: 0n,
        },
        '0x',
      ],
    })
    await localnet.fund(nobody)
    const error = await failure(chain.estimateGas({ from: nobody, to: router, data, value: 3n }))
    expect(error).toMatchObject({
      code: 'reverted',
      facts: { error: 'WrongValue', value: '3', expected: '0' },
    })
  })

  it('reports revert strings, panics and unknown errors', async () => {
    const sentence = encodeErrorResult({
      abi: parseAbi(['error Error(string reason)']),
      errorName: 'Error',
      args: ['ERC20: \u202etransfer amount exceeds balance'],
    })
    expect(await revert(sentence)).toMatchObject({
      code: 'reverted',
      message: 'The transaction would fail: ERC20: transfer amount exceeds balance.',
    })

    const panic = encodeErrorResult({
      abi: parseAbi(['error Panic(uint256 reason)']),
      errorName: 'Panic',
      args: [17n],
    })
    expect((await revert(panic)).message).toBe('The transaction would fail: Panic (reason 17).')

    expect(await revert('0xdeadbeef')).toMatchObject({ code: 'reverted', facts: { error: '0xdeadbeef' } })
    expect(await revert('0x')).toMatchObject({ code: 'reverted' })
    expect(await revert('0x08c379a0')).toMatchObject({ code: 'reverted', facts: { error: '0x08c379a0' } })
  })

  // INVALID, an undefined opcode, POP on an empty stack, a bad jump, a loop.
  it.each<Hex>(['0xfe', '0x0c', '0x50', '0x600056', '0x5b600056'])(
    'reports a call that fails with code %s as reverted, not as rejected by the node',
    async (bytecode) => {
      await localnet.client.setCode({ address: odd, bytecode })
      const error = await failure(chain.estimateGas({ from: nobody, to: odd, data: '0x', value: 0n }))
      expect(error).toMatchObject({ code: 'reverted' })
    },
  )
})

describe('needsReset', () => {
  it('returns true only for a USDT-like token with an old allowance', async () => {
    const { address, privateKey } = localnet.accounts[2]!
    const { USDT, DAI } = localnet.tokens
    expect(await chain.needsReset(address, USDT, spender, 5n)).toBe(false)
    for (const token of [USDT, DAI]) {
      await sendSigned(privateKey, await prepare(address, { to: token, data: approvalData(spender, 7n) }))
    }
    expect(await chain.needsReset(address, USDT, spender, 5n)).toBe(true)
    expect(await chain.needsReset(address, USDT, spender, 0n)).toBe(false)
    expect(await chain.needsReset(address, DAI, spender, 5n)).toBe(false)

    await sendSigned(privateKey, await prepare(address, { to: USDT, data: approvalData(spender, 0n) }))
    expect(await chain.needsReset(address, USDT, spender, 5n)).toBe(false)
  })

  it('returns false when an approval of zero fails as well', async () => {
    for (const bytecode of [revertingWith('0x'), returning(`0x${'00'.repeat(32)}`)]) {
      await localnet.client.setCode({ address: odd, bytecode })
      expect(await chain.needsReset(nobody, odd, spender, 5n)).toBe(false)
    }
  })
})

describe('send', () => {
  it('reports sent, known and nonce-used for new, pending and mined transactions', async () => {
    const { address, privateKey } = localnet.accounts[3]!
    const { raw, hash } = await signTransaction(privateKey, await prepare(address, { to: nobody, value: 1n }))
    const other = await signTransaction(privateKey, await prepare(address, { to: nobody, value: 2n }))

    expect(await chain.transaction(hash)).toBeUndefined()
    expect(await chain.receipt(hash)).toBeUndefined()

    await localnet.client.setAutomine(false)
    expect(await chain.send(raw)).toBe('sent')
    expect(await chain.send(raw)).toBe('known')
    expect(await chain.transaction(hash)).toBe('pending')
    expect(await chain.receipt(hash)).toBeUndefined()
    expect(await chain.nonces(address)).toEqual({ mined: 0, pending: 1 })

    await localnet.client.mine({ blocks: 1 })
    await localnet.client.setAutomine(true)
    expect(await chain.transaction(hash)).toBe('mined')
    expect(await chain.nonces(address)).toEqual({ mined: 1, pending: 1 })
    const head = await chain.blockNumber()
    expect(await Promise.all([head - 1n, head].map((block) => chain.nonceAtBlock(address, block)))).toEqual([
      0, 1,
    ])
    expect(await chain.send(raw)).toBe('nonce-used')
    expect(await chain.send(other.raw)).toBe('nonce-used')
  })

  it('distinguishes insufficient funds from a rejection by the node', async () => {
    const { privateKey } = localnet.accounts[4]!
    const { address } = localnet.accounts[4]!
    const coin = await localnet.client.getBalance({ address })
    const rich = await prepare(address, { to: nobody, value: coin })
    expect(await failure(chain.send((await signTransaction(privateKey, rich)).raw))).toMatchObject({
      code: 'not-enough-gas',
    })
    const elsewhere = { ...(await prepare(address, { to: nobody })), chainId: 1 }
    expect(await failure(chain.send((await signTransaction(privateKey, elsewhere)).raw))).toMatchObject({
      code: 'node-refused',
    })
    expect(await failure(chain.send('0x1234'))).toMatchObject({ code: 'node-refused' })
  })
})

describe('receipt', () => {
  it('reports the amount received from its logs', async () => {
    const { address, privateKey } = localnet.accounts[5]!
    const { USDC } = localnet.tokens
    const transfer = parseAbi(['function transfer(address to, uint256 amount)'])
    const data = encodeFunctionData({ abi: transfer, functionName: 'transfer', args: [spender, 12_345n] })
    const receipt = await sendSigned(privateKey, await prepare(address, { to: USDC, data }))
    const { transactions } = await localnet.client.getBlock({ blockNumber: receipt.blockNumber })
    expect(receipt.status).toBe('success')
    expect(transactions).toContain(receipt.hash)
    expect(receipt.gasUsed).toBeGreaterThan(21_000n)
    expect(receipt.effectiveGasPrice).toBeGreaterThan(0n)
    expect(amountFromLogs(receipt, USDC, spender)).toBe(12_345n)
    expect(amountFromLogs(receipt, USDC, address)).toBe(0n)
    expect(amountFromLogs(receipt, localnet.tokens.DAI, spender)).toBe(0n)
  })

  it('reports a reverted transaction', async () => {
    const { address, privateKey } = localnet.accounts[6]!
    const call = { to: localnet.contracts.router, data: '0x07ed2379' } as const
    const receipt = await sendSigned(privateKey, await prepare(address, call))
    expect(receipt).toMatchObject({ status: 'reverted', logs: [] })
  })
})

describe('receipts of a rollup', () => {
  it('includes the L1 fee in the receipt', async () => {
    const { address, privateKey } = localnet.accounts[6]!
    const mined = await sendSigned(privateKey, await prepare(address, { to: spender, value: 1n }))
    expect(mined.l1Fee).toBeUndefined()
    expect(receiptFee(mined)).toBe(mined.gasUsed * mined.effectiveGasPrice)
    const plain = await chain.plainReceipt(mined.hash)
    const proxy = await startProxy(localnet.rpcUrl, ({ method }) =>
      method === 'eth_getTransactionReceipt' ? { result: { ...plain, l1Fee: '0x3e8' } } : undefined,
    )
    const receipt = await createChain({ ...network, rpcUrl: proxy.url }).receipt(mined.hash)
    await proxy.stop()
    expect(receipt && receiptFee(receipt)).toBe(receiptFee(mined) + 1_000n)
  })
})

describe('balanceChangeInBlock', () => {
  it('reports the native balance change and the number of sent transactions in a block', async () => {
    const { address, privateKey } = localnet.accounts[9]!
    const mined = await sendSigned(privateKey, await prepare(address, { to: nobody, value: 7n }))
    await localnet.client.mine({ blocks: 2 })
    expect(await chain.balanceChangeInBlock(nobody, mined.blockNumber)).toEqual({ grown: 7n, sent: 0 })
    expect(await chain.balanceChangeInBlock(address, mined.blockNumber)).toEqual({
      grown: -7n - receiptFee(mined),
      sent: 1,
    })
    expect(await chain.balanceChangeInBlock(address, mined.blockNumber + 1n)).toEqual({ grown: 0n, sent: 0 })
  })
})

describe('plainReceipt', () => {
  it('returns the receipt of the node unchanged', async () => {
    const { address, privateKey } = localnet.accounts[7]!
    const { raw, hash } = await signTransaction(
      privateKey,
      await prepare(address, { to: spender, value: 1n }),
    )
    await chain.send(raw)
    await localnet.client.receiptOf(hash)
    const plain = await localnet.client.request({
      method: 'eth_getTransactionReceipt' as never,
      params: [hash] as never,
    })
    expect(await chain.plainReceipt(hash)).toEqual(plain)
    expect(await chain.plainReceipt(`0x${'00'.repeat(32)}`)).toBeUndefined()
  })
})

async function revert(data: Hex): Promise<WalletError> {
  await localnet.client.setCode({ address: odd, bytecode: revertingWith(data) })
  return failure(chain.estimateGas({ from: nobody, to: odd, data: '0x', value: 0n }))
}
