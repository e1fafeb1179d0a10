import { encodeErrorResult, encodeFunctionData, type Hash, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { createRpc, type RpcResult } from '../../../src/evm/rpc/rpc.ts'
import { readRevert } from '../../../src/evm/rpc/rpcError.ts'
import { getMinedRevert } from '../../../src/evm/simulation/minedRevert.ts'
import { getRevertErrors } from '../../../src/evm/simulation/revertErrors.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'

const account: Address = `0x${'a1'.repeat(20)}`
const to: Address = `0x${'b2'.repeat(20)}`
const hash: Hex = `0x${'01'.repeat(32)}`
const asked = {
  hash,
  block: 16n,
  call: { from: account, to, data: '0x', value: 0n, gas: 100_000n } as const,
  gasUsed: 30_000n,
  isAlone: true,
}

/** Results of eth_call by block tag. */
function fakeRpc(
  calls: Record<string, RpcResult>,
  trace: RpcResult = { error: { code: -32601, message: 'no' } },
) {
  const seen: string[] = []
  const rpc = createRpc(async (method, params, read) => {
    const at = method === 'eth_call' ? String(params[1]) : method
    seen.push(at)
    return read(method === 'eth_call' ? (calls[at] ?? { result: '0x' }) : trace)
  })
  return { rpc, seen }
}

const says = (message: string): RpcResult => ({
  error: { code: 3, message: `execution reverted: ${message}` },
})

describe('reason of a mined revert', () => {
  it('reads the reason from the state after the block', async () => {
    const { rpc, seen } = fakeRpc({ '0x10': says('UniswapV2: K') })
    expect(await getMinedRevert(rpc, asked)).toEqual({ reason: 'UniswapV2: K', facts: {} })
    expect(seen).toEqual(['0x10'])
  })

  it('reads the state before the block when the call succeeds or lacks funds after it', async () => {
    const poor: RpcResult = { error: { code: -32000, message: 'insufficient funds for transfer' } }
    for (const after of [{ result: '0x' }, poor]) {
      const { rpc } = fakeRpc({ '0x10': after, '0xf': says('Too little received') })
      expect((await getMinedRevert(rpc, asked))?.reason).toBe('Too little received')
    }
  })

  it('does not read the state before the block when the block holds an earlier approval', async () => {
    const { rpc, seen } = fakeRpc({ '0xf': says('ERC20: insufficient allowance') })
    expect(await getMinedRevert(rpc, { ...asked, isAlone: false })).toBeUndefined()
    expect(seen).toEqual(['0x10', 'debug_traceTransaction'])
  })

  it('reads the reason from the trace when the calls show none', async () => {
    const output = encodeErrorResult({
      abi: parseAbi(['error ReturnTooLow(uint256 returned, uint256 minimum)']),
      args: [99n, 100n],
    })
    const { rpc } = fakeRpc({}, { result: { type: 'CALL', error: 'execution reverted', output } })
    expect(await getMinedRevert(rpc, asked)).toEqual({
      reason: 'ReturnTooLow (returned 99, minimum 100)',
      facts: { error: 'ReturnTooLow', returned: '99', minimum: '100' },
    })
  })

  it('reports out of gas when nearly all gas was used and no reason was returned', async () => {
    const bare: RpcResult = { error: { code: 3, message: 'execution reverted', data: '0x' } }
    const { rpc } = fakeRpc({ '0x10': bare })
    expect(await getMinedRevert(rpc, { ...asked, gasUsed: 99_000n })).toEqual({
      reason: 'out of gas',
      facts: {},
    })
  })

  it('returns undefined on pruned state and when the RPC fails', async () => {
    const pruned: RpcResult = { error: { code: -32000, message: 'missing trie node' } }
    expect(await getMinedRevert(fakeRpc({ '0x10': pruned, '0xf': pruned }).rpc, asked)).toBeUndefined()
    const silent = createRpc(async () => {
      throw new Error('nobody there')
    })
    expect(await getMinedRevert(silent, asked)).toBeUndefined()
  })
})

describe('reason in revert data', () => {
  it('returns the inner reason when the router wraps the revert data of a token', () => {
    const inner = encodeErrorResult({
      abi: parseAbi(['error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)']),
      args: [account, 1n, 2n],
    })
    const wrapped = encodeErrorResult({
      abi: parseAbi([
        'error TransferFailed(address token, address from, address to, uint256 amount, bytes reason)',
      ]),
      args: [to, account, to, 2n, inner],
    })
    const { reason, facts } = readRevert(wrapped)
    expect(reason).toMatch(/^ERC20InsufficientBalance \(sender 0xa1.*, balance 1, needed 2\)$/i)
    expect(facts).toMatchObject({ error: 'TransferFailed', amount: '2' })
  })

  it('keeps the wrapper when the inner data are empty', () => {
    const abi = parseAbi(['error ExecutionFailed(uint256 commandIndex, bytes reason)'])
    const bare = encodeErrorResult({ abi, args: [3n, '0x'] })
    expect(readRevert(bare).reason).toBe('ExecutionFailed (commandIndex 3, reason 0x)')
  })

  // viem decodes before the strict decoder does, and takes gigabytes for overlapping lists.
  it('has no known error with an array or tuple', () => {
    const types = getRevertErrors().flatMap(({ inputs }) => inputs.map(({ type }) => type as string))
    expect(types.filter((type) => type.includes('[') || type.startsWith('tuple'))).toEqual([])
  })

  it('decodes every known error by its selector', () => {
    for (const item of getRevertErrors()) {
      const values = item.inputs.map(({ type }) =>
        type === 'address'
          ? account
          : type === 'bytes'
            ? '0x'
            : type.startsWith('bytes')
              ? `0x${'00'.repeat(Number(type.slice(5)))}`
              : 1n,
      )
      const data = encodeErrorResult({
        abi: [item],
        errorName: item.name,
        args: values,
      } as unknown as Parameters<typeof encodeErrorResult>[0])
      expect(readRevert(data).facts.error).toBe(item.name)
    }
  })
})

describe('malformed data of a known error', () => {
  const abi = parseAbi(['error Unsold(address token, uint256 amount)', 'error None()'])
  const unsold = encodeErrorResult({ abi, errorName: 'Unsold', args: [to, 5n] })
  const text = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['\u{feff}Too late'] })

  it('returns no reason for dirty padding, truncated data or invalid UTF-8', () => {
    for (const data of [
      `${unsold.slice(0, 10)}01${unsold.slice(12)}`,
      unsold.slice(0, -2),
      unsold.slice(0, 10),
      `${text.slice(0, 10 + 128)}ff${text.slice(10 + 130)}`,
    ] as Hex[]) {
      expect(readRevert(data), data).toEqual({ reason: '', facts: { error: data.slice(0, 10) } })
    }
  })

  it('decodes data with trailing bytes or without the zeros after a text', () => {
    expect(readRevert(`${unsold}99`).reason).toBe(`Unsold (token ${to}, amount 5)`)
    expect(readRevert(text.replace(/(00)+$/, '') as Hex).reason).toBe('Too late')
  })

  it('returns no reason for empty data, an unknown selector or a function selector', () => {
    for (const data of ['0x', '0x12345678', '0x095ea7b3'] as Hex[]) expect(readRevert(data).reason).toBe('')
  })
})

describe('mined reverts on a chain', () => {
  let localnet: Localnet
  let chain: Chain
  beforeAll(async () => {
    localnet = await createLocalnet()
    chain = createChain(localNetwork(localnet))
  })
  afterAll(() => localnet.stop())

  const token = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])
  const transfer = (receiver: Address, amount: bigint) =>
    encodeFunctionData({ abi: token, functionName: 'transfer', args: [receiver, amount] })

  async function whyFailed(from: Address, data: Hex, mined: Hash) {
    const { status, blockNumber, gasUsed } = await localnet.client.getTransactionReceipt({ hash: mined })
    expect(status).toBe('reverted')
    const call = { from, to: localnet.tokens.DAI, data, value: 0n, gas: 100_000n }
    return chain.minedRevert({ hash: mined, block: blockNumber, call, gasUsed, isAlone: true })
  }

  it('finds the reason several blocks later', async () => {
    const [from, other] = localnet.accounts.slice(2, 4).map(({ address }) => address) as [Address, Address]
    await localnet.fund(from)
    await localnet.fund(other)
    const data = transfer(other, parseEther('1000000'))
    await localnet.client.impersonateAccount({ address: from })
    const mined = await localnet.client.sendTransaction({
      account: from,
      to: localnet.tokens.DAI,
      data,
      gas: 100_000n,
      chain: null,
    })
    await localnet.client.mine({ blocks: 3 })
    expect((await whyFailed(from, data, mined))?.facts).toMatchObject({
      error: 'ERC20InsufficientBalance',
      needed: String(parseEther('1000000')),
    })
  })

  it('finds the reason when the states before and after the block do not show it', async () => {
    const [from, other] = localnet.accounts.slice(4, 6).map(({ address }) => address) as [Address, Address]
    await localnet.fund(from)
    await localnet.fund(other)
    const had = (await chain.balances(from, [localnet.tokens.DAI]))[localnet.tokens.DAI] ?? 0n
    expect(had).toBeGreaterThan(0n)
    const data = transfer(other, had)
    for (const address of [from, other]) await localnet.client.impersonateAccount({ address })
    const { DAI } = localnet.tokens
    await localnet.client.setAutomine(false)
    const nonce = await localnet.client.getTransactionCount({ address: from })
    const gas = { gas: 100_000n, chain: null, to: DAI } as const
    const price = { maxFeePerGas: parseEther('0.00000002') }
    // Tips set the order: spend all, fail, refill.
    const tip = (gwei: bigint) => ({ ...price, maxPriorityFeePerGas: gwei * 10n ** 9n })
    await localnet.client.sendTransaction({ ...gas, ...tip(9n), account: from, data, nonce })
    const mined = await localnet.client.sendTransaction({
      ...gas,
      ...tip(5n),
      account: from,
      data,
      nonce: nonce + 1,
    })
    await localnet.client.sendTransaction({ ...gas, ...tip(1n), account: other, data: transfer(from, had) })
    await localnet.client.mine({ blocks: 1 })
    await localnet.client.setAutomine(true)
    expect((await whyFailed(from, data, mined))?.facts).toMatchObject({
      error: 'ERC20InsufficientBalance',
      needed: String(had),
    })
  })
})
