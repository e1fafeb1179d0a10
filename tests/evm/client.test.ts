import { encodeAbiParameters, encodeErrorResult, encodeFunctionData, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../contracts/artifact.ts'
import { createLocalnet, type Localnet } from '../../dev/localnet.ts'
import type { Network } from '../../src/domain/network/network.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../src/domain/token/token.ts'
import type { WalletError } from '../../src/errors.ts'
import { type Chain, createChain } from '../../src/evm/client.ts'
import { approvalData } from '../../src/evm/erc20.ts'
import { amountFromLogs, receiptFee, signTransaction, type Transaction } from '../../src/evm/transaction.ts'
import { serving } from '../helpers/node/answerChainId.ts'
import { oldToken, returning, revertingWith } from '../helpers/node/code.ts'
import { localNetwork } from '../helpers/node/localNetwork.ts'
import { keepChain } from '../helpers/node/revertChain.ts'
import { startProxy } from '../helpers/node/rpcProxy.ts'
import { slow } from '../helpers/slow.ts'
import { compileFile } from './contracts/compiled.ts'

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

describe('verify', () => {
  it('accepts the configured chain and rejects any other', async () => {
    await chain.verify()
    const error = await failure(createChain({ ...network, chainId: 1 }).verify())
    expect(error).toMatchObject({ code: 'wrong-chain', facts: { expected: '1', found: '31337' } })
  })
})

describe('blockNumber', () => {
  it('increases with each block', async () => {
    const before = await chain.blockNumber()
    await localnet.client.mine({ blocks: 3 })
    expect(await chain.blockNumber()).toBe(before + 3n)
  })
})

describe('balances', () => {
  it('reads the native balance and many token balances in one request', async () => {
    const { USDC, DAI } = localnet.tokens
    let requests = 0
    const counting = createChain(network, {
      fetch: serving(network.chainId, (...args) => {
        requests++
        return fetch(...args)
      }),
    })
    await localnet.fund(nobody)
    expect(await counting.balances(nobody, [nativeTokenAddress, USDC, DAI])).toEqual({
      [nativeTokenAddress]: parseEther('10'),
      [USDC]: 25_000_000_000n,
      [DAI]: parseEther('25000'),
    })
    // Includes reading Multicall3's code.
    expect(requests).toBe(2)
    await counting.balances(nobody, [nativeTokenAddress, USDC, DAI])
    expect(requests).toBe(3)
    expect(await counting.balances(nobody, [])).toEqual({})
  })

  it('omits addresses that revert or are not tokens, and keeps the others', async () => {
    const { USDC } = localnet.tokens
    await localnet.client.setCode({ address: odd, bytecode: revertingWith('0x') })
    const balances = await chain.balances(spender, [spender, odd, localnet.contracts.v2Factory, USDC])
    expect(balances).toEqual({ [USDC]: 0n })
  })

  it('reads the other balances when contracts burn all their gas', async () => {
    const { USDC, DAI } = localnet.tokens
    const burners = ['01', '02', '03', '04'].map((byte): Address => `0x${byte.repeat(20)}`)
    for (const address of burners) await localnet.client.setCode({ address, bytecode: '0xfe' })
    const balances = await chain.balances(spender, [
      ...burners.slice(0, 2),
      USDC,
      burners[3]!,
      DAI,
      nativeTokenAddress,
    ])
    expect(balances).toEqual({ [USDC]: 0n, [DAI]: 0n, [nativeTokenAddress]: 0n })
  })

  it('reads balances on a network without Multicall3', async () => {
    const { multicall } = localnet.contracts
    const code = await localnet.client.getCode({ address: multicall })
    await localnet.client.setCode({ address: multicall, bytecode: '0x' })
    const found = await chain.balances(spender, [nativeTokenAddress, localnet.tokens.USDC, odd])
    await localnet.client.setCode({ address: multicall, bytecode: code! })
    expect(found).toEqual({ [nativeTokenAddress]: 0n, [localnet.tokens.USDC]: 0n })
  })
})

describe('position', () => {
  it('reads balance, allowance and native balance', async () => {
    const { address, privateKey } = localnet.accounts[0]!
    const { DAI } = localnet.tokens
    await sendSigned(privateKey, await prepare(address, { to: DAI, data: approvalData(spender, 77n) }))
    const position = await chain.position(address, DAI, spender)
    expect(position).toEqual({
      balance: parseEther('25000'),
      allowance: 77n,
      native: await localnet.client.getBalance({ address }),
    })
  })

  it('reports an unlimited allowance for the native token', async () => {
    const coin = await localnet.client.getBalance({ address: nobody })
    expect(await chain.position(nobody, nativeTokenAddress, spender)).toEqual({
      balance: coin,
      allowance: 2n ** 256n - 1n,
      native: coin,
    })
  })

  it('rejects an address that is not a token', async () => {
    expect(await failure(chain.position(nobody, spender, spender))).toMatchObject({ code: 'unknown-token' })
  })
})

describe('token', () => {
  it('reads symbol, name and decimals from the contract', async () => {
    expect(await chain.token(localnet.tokens.WBTC)).toEqual({
      address: localnet.tokens.WBTC,
      symbol: 'WBTC',
      name: 'Wrapped Bitcoin',
      decimals: 8,
      listed: false,
      eip2612: false,
      taxed: false,
      tags: [],
    })
  })

  it('returns the native token of the network', async () => {
    expect(await chain.token(nativeTokenAddress)).toMatchObject({
      symbol: 'ETH',
      name: 'Ether',
      decimals: 18,
    })
  })

  it('reads bytes32 symbols and names', async () => {
    await localnet.client.setCode({ address: odd, bytecode: oldToken('MKR') })
    expect(await chain.token(odd)).toMatchObject({ symbol: 'MKR', name: 'MKR', decimals: 18 })
  })

  it('removes control, format and invisible characters from a symbol', async () => {
    await localnet.client.setCode({ address: odd, bytecode: oldToken('\u202eU\u200bS\u0007D') })
    expect(await chain.token(odd)).toMatchObject({ symbol: 'USD' })
  })

  it('uses the short address when the symbol claims a length beyond memory', async () => {
    const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
    const bytecode = returning(`${word(32n)}${word(2n ** 255n).slice(2)}` as Hex)
    await localnet.client.setCode({ address: odd, bytecode })
    expect(await chain.token(odd)).toMatchObject({ symbol: '0x0d0d…0d0d', name: '' })
  })

  it('accepts a token without decimals, symbol or name, with 0 decimals and its short address', async () => {
    const { Bare } = await compileFile('Labels.sol', ['Bare'])
    const bare = await deploy(Bare, [nobody])
    expect(await chain.token(bare)).toEqual({
      address: bare,
      symbol: `${bare.slice(0, 6)}…${bare.slice(-4)}`,
      name: '',
      decimals: 0,
      listed: false,
      eip2612: false,
      taxed: false,
      tags: ['no-decimals'],
    })
    expect(await chain.position(nobody, bare, spender)).toMatchObject({ balance: 1_000n, allowance: 0n })
  })

  it('rejects NFT collections and price feeds', async () => {
    const contracts = await compileFile('Labels.sol', ['Collectible', 'Feed'])
    for (const contract of Object.values(contracts)) {
      const address = await deploy(contract)
      expect(await failure(chain.token(address))).toMatchObject({ code: 'unknown-token' })
    }
  })

  it('reads strings at their ABI offset', async () => {
    const { FarLabels } = await compileFile('Labels.sol', ['FarLabels'])
    const address = await deploy(FarLabels)
    expect(await chain.token(address)).toMatchObject({ symbol: 'FAR', name: 'Far away', decimals: 9 })
  })

  it('rejects contracts that are not tokens, accounts and malformed responses', async () => {
    const word = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value])
    const codes: Hex[] = [
      returning(word(2n ** 256n - 1n)),
      returning('0x'),
      returning('0x01'),
      revertingWith('0x'),
      '0xfe',
    ]
    for (const bytecode of codes) {
      await localnet.client.setCode({ address: odd, bytecode })
      const error = await failure(chain.token(odd))
      expect(error, bytecode).toMatchObject({ code: 'unknown-token', facts: { token: odd } })
      expect(error.message).toContain(odd)
    }
    expect(await failure(chain.token(spender))).toMatchObject({ code: 'unknown-token' })
    expect(await failure(chain.token(localnet.contracts.router))).toMatchObject({ code: 'unknown-token' })
  })
})

describe('fees', () => {
  it('sets a maximum fee that covers a doubled base fee', async () => {
    const { maxFeePerGas, maxPriorityFeePerGas } = await chain.fees()
    const { baseFeePerGas } = await localnet.client.getFeeHistory({ blockCount: 1, rewardPercentiles: [] })
    expect(maxFeePerGas).toBe(baseFeePerGas.at(-1)! * 2n + maxPriorityFeePerGas)
    expect(maxPriorityFeePerGas).toBeGreaterThan(0n)
  })

  it('follows the priority fees of recent blocks', async () => {
    const { address, privateKey } = localnet.accounts[9]!
    for (const tip of [3n, 5n, 900n]) {
      for (let block = 0; block < 4; block++) {
        const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: tip * 1_000_000n }
        await sendSigned(privateKey, { ...(await prepare(address, { to: nobody })), ...fees })
      }
    }
    // Of the last ten blocks two paid 3, four 5 and four 900.
    for (const speed of ['slow', 'normal', 'fast'] as const) {
      expect(await chain.fees(speed)).toMatchObject({ maxPriorityFeePerGas: 5_000_000n })
    }
    const custom = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n }
    expect(await chain.fees(custom)).toEqual(custom)
  })

  it('uses the node’s suggested priority fee after empty blocks', async () => {
    await localnet.client.mine({ blocks: 10 })
    const { maxPriorityFeePerGas } = await chain.fees()
    expect(maxPriorityFeePerGas).toBe(await localnet.client.estimateMaxPriorityFeePerGas())
  })
})

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

describe('allowances', () => {
  it('returns all non-zero allowances, in requests of 400', async () => {
    const { address, privateKey } = localnet.accounts[2]!
    const { DAI, LINK, USDC } = localnet.tokens
    for (const [token, amount] of [
      [DAI, 11n],
      [LINK, 2n ** 256n - 1n],
    ] as const) {
      await sendSigned(privateKey, await prepare(address, { to: token, data: approvalData(spender, amount) }))
    }
    let requests = 0
    const counting = createChain(network, {
      fetch: serving(network.chainId, (...args) => {
        requests++
        return fetch(...args)
      }),
    })
    const others = Array.from({ length: 199 }, (_, index): Address => `0x${String(index).padStart(40, '9')}`)
    const spenders = [...others, spender]
    expect(await counting.allowances(address, [USDC, DAI, nativeTokenAddress, odd, LINK], spenders)).toEqual([
      { token: DAI, spender, amount: 11n },
      { token: LINK, spender, amount: 2n ** 256n - 1n },
    ])
    // Includes Multicall3's code.
    expect(requests).toBe(4)
    expect(await counting.allowances(address, [], spenders)).toEqual([])
    expect(requests).toBe(4)
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

describe('nativeBalance', () => {
  it('returns the native balance of an account', async () => {
    const { address } = localnet.accounts[8]!
    expect(await chain.nativeBalance(address)).toBe(await localnet.client.getBalance({ address }))
    expect(await chain.nativeBalance(`0x${'c0'.repeat(20)}`)).toBe(0n)
  })
})

async function prepare(
  from: Address,
  call: { to: Address; data?: Hex; value?: bigint },
): Promise<Transaction> {
  const [{ pending: nonce }, fees] = await Promise.all([chain.nonces(from), chain.fees()])
  return { chainId: localnet.chainId, nonce, data: '0x', value: 0n, gas: 200_000n, ...call, ...fees }
}

async function sendSigned(privateKey: Hex, transaction: Transaction) {
  const { raw, hash } = await signTransaction(privateKey, transaction)
  expect(await chain.send(raw)).toBe('sent')
  await localnet.client.receiptOf(hash)
  const receipt = await chain.receipt(hash)
  if (receipt === undefined) expect.fail('was not mined')
  return { hash, ...receipt }
}

async function revert(data: Hex): Promise<WalletError> {
  await localnet.client.setCode({ address: odd, bytecode: revertingWith(data) })
  return failure(chain.estimateGas({ from: nobody, to: odd, data: '0x', value: 0n }))
}

async function failure(work: Promise<unknown>): Promise<WalletError> {
  return work.then(
    (value) => expect.fail(`answered ${String(value)}`),
    (error: WalletError) => error,
  )
}

async function deploy({ abi, bytecode }: Artifact, args: unknown[] = []): Promise<Address> {
  const hash = await localnet.client.deployContract({ abi, bytecode, args } as never)
  const { contractAddress } = await localnet.client.receiptOf(hash)
  return contractAddress?.toLowerCase() as Address
}
