import { parseEther, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { createChain } from '../../../src/evm/client.ts'
import { blockTimestamp, multicall, nativeBalanceCall } from '../../../src/evm/rpc/multicall.ts'
import { createRpc, createRpcRequest } from '../../../src/evm/rpc/rpc.ts'
import { startHttpServer } from '../../helpers/httpServer.ts'
import { returning, revertingWith } from '../../helpers/node/code.ts'
import { type PlainNode, startPlainNode } from '../../helpers/node/plainNode.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

type Question = { id: number; method: string; params: unknown[] }
type Answer = { id: number; result?: unknown; error?: unknown }

let node: PlainNode
beforeAll(async () => {
  node = await startPlainNode()
  await node.client.setBalance({ address: owner, value: parseEther('3') })
  for (const [index, address] of tokens.entries()) {
    await node.client.setCode({ address, bytecode: returning(toHex(index + 1, { size: 32 })) })
  }
  await node.client.setCode({ address: odd, bytecode: revertingWith('0x') })
  await node.client.setCode({ address: burner, bytecode: '0xfe' })
})
afterAll(() => node.stop())

const owner: Address = `0x${'0a'.repeat(20)}`
const odd: Address = `0x${'0d'.repeat(20)}`
const burner: Address = `0x${'0b'.repeat(20)}`
const tokens = Array.from(
  { length: 45 },
  (_, index): Address => `0x${'70'.repeat(19)}${toHex(index + 16).slice(2)}`,
)
const expected = {
  [nativeTokenAddress]: parseEther('3'),
  ...Object.fromEntries(tokens.map((token, index) => [token, BigInt(index + 1)])),
}

type Batches = (right: Answer[], asked: Question[]) => unknown

async function answering(batches: Batches, status: number | (() => number) = 200) {
  const bodies: unknown[] = []
  const proxy = await startHttpServer(async (_request, response, body) => {
    const asked: Question | Question[] = JSON.parse(body)
    bodies.push(asked)
    const headers = { 'content-type': 'application/json' }
    const right = await (await fetch(node.network.rpcUrl, { method: 'POST', headers, body })).json()
    const isBatch = Array.isArray(asked)
    const answer = isBatch ? batches(right as Answer[], asked) : right
    response.statusCode = !isBatch ? 200 : typeof status === 'number' ? status : status()
    response.setHeader('content-type', 'application/json')
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  })
  onTestFinished(() => proxy.stop())
  const asks = () => bodies.flat() as Question[]
  return {
    chain: createChain({ ...node.network, rpcUrl: proxy.url }, { sleep: async () => undefined }),
    batches: () => bodies.filter(Array.isArray).map((batch) => batch.length),
    alone: () => bodies.filter((one) => !Array.isArray(one)).map((one) => (one as Question).method),
    asks,
  }
}

const limit = { code: -32005, message: 'rate limit exceeded' }

const same: Batches = (right) => right

describe('reads without Multicall3', () => {
  it('sends batches of twenty, and omits calls that revert, burn their gas or reach no contract', async () => {
    const proxy = await answering(same)
    const balances = await proxy.chain.balances(owner, [nativeTokenAddress, odd, ...tokens, burner, owner])
    expect(balances).toEqual(expected)
    expect(proxy.batches()).toEqual([20, 20, 9])
    const alone = proxy.alone().length
    await proxy.chain.balances(owner, [nativeTokenAddress, tokens[0]!])
    // Multicall3's code is read again.
    expect(proxy.alone().slice(alone)).toEqual(['eth_getCode'])
  })

  it.each<[string, Batches]>([
    ['other order', (right) => right.toReversed()],
    ['answers whose ids are texts', (right) => right.map((one) => ({ ...one, id: String(one.id) }))],
    [
      'an error for each that is refused in a batch',
      (right) =>
        right.map((one, index) =>
          index % 7 === 3 ? { id: one.id, error: { code: -32603, message: 'no' } } : one,
        ),
    ],
    ['answers missing', (right) => right.slice(3)],
    ['null among the answers', (right) => right.map((one, index) => (index === 1 ? null : one))],
    [
      'an answer with neither result nor error',
      (right) => right.map(({ id }, index) => (index === 2 ? { id } : right[index])),
    ],
    [
      'an answer that is no hex',
      (right) => right.map((one, index) => (index === 4 ? { id: one.id, result: 'nothing' } : one)),
    ],
    ['answers to other questions besides', (right) => [{ id: 999, result: '0x' }, ...right]],
  ])('returns correct balances when a batch comes back with %s', async (_name, batches) => {
    const proxy = await answering(batches)
    expect(await proxy.chain.balances(owner, [nativeTokenAddress, ...tokens])).toEqual(expected)
    expect(proxy.batches().length).toBe(3)
  })

  it.each<[string, Batches, number]>([
    [
      'an error object',
      () => ({ id: null, error: { code: -32600, message: 'Batches are not supported' } }),
      200,
    ],
    [
      'an error object and HTTP 400',
      () => ({ id: null, error: { code: -32600, message: 'Invalid request' } }),
      400,
    ],
    ['the answer to its first question', ([first]) => first, 200],
    ['an empty list', () => [], 200],
    ['a list of the refusal alone', () => [{ id: null, error: { code: -32600, message: 'Too many' } }], 200],
    ['null', () => 'null', 200],
    ['a web page', () => '<html></html>', 200],
    ['HTTP 500', () => '', 500],
    ['a web page and HTTP 404', () => '<html></html>', 404],
  ])('stops batching once a batch was answered with %s', async (_name, batches, status) => {
    const proxy = await answering(batches, status)
    expect(await proxy.chain.balances(owner, [nativeTokenAddress, ...tokens])).toEqual(expected)
    const tried = proxy.batches().length
    expect(tried).toBeGreaterThan(0)
    expect(await proxy.chain.balances(owner, [nativeTokenAddress, ...tokens])).toEqual(expected)
    expect(proxy.batches().length).toBe(tried)
  })

  it.each<[string, Batches, number]>([
    ['a limit for each', (right) => right.map(({ id }) => ({ id, error: limit })), 200],
    ['a limit for all', () => ({ id: null, error: limit }), 200],
    ['HTTP 429', () => '', 429],
  ])('resumes batching after %s', async (_form, batches, status) => {
    let isAtLimit = true
    const right: Batches = (answers, asked) => (isAtLimit ? batches(answers, asked) : answers)
    const proxy = await answering(right, () => (isAtLimit ? status : 200))
    const few = tokens.slice(0, 10)
    expect(await proxy.chain.balances(owner, few)).toMatchObject({ [few[0]!]: 1n })
    isAtLimit = false
    const tried = proxy.batches().length
    const alone = proxy.alone().length
    expect(await proxy.chain.balances(owner, few)).toMatchObject({ [few[0]!]: 1n })
    expect(proxy.batches().slice(tried)).toEqual([10])
    expect(proxy.alone().slice(alone)).toEqual(['eth_getCode'])
  })

  it('stops batching once a batch was too large for the RPC', async () => {
    const error = { code: 429, message: 'exceeded eth_call batch size capacity' }
    const proxy = await answering((right) => right.map(({ id }) => ({ id, error })))
    expect(await proxy.chain.balances(owner, tokens)).toMatchObject({ [tokens[0]!]: 1n })
    const tried = proxy.batches().length
    expect(await proxy.chain.balances(owner, tokens)).toMatchObject({ [tokens[0]!]: 1n })
    expect(proxy.batches().length).toBe(tried)
  })

  it('reads the native balance and the block time by their own methods', async () => {
    const { rpcUrl } = node.network
    const rpc = createRpc(createRpcRequest({ url: rpcUrl, deadlineMs: 60_000, retries: 0 }))
    const { timestamp } = await node.client.getBlock()
    const read = await multicall(rpc, [nativeBalanceCall(owner), blockTimestamp(), { to: owner, data: '0x' }])
    expect(read).toEqual([toHex(parseEther('3'), { size: 32 }), toHex(timestamp, { size: 32 }), '0x'])
  })

  it('throws when the RPC rejects the read methods', async () => {
    const proxy = await startHttpServer((_request, response, body) => {
      const answer = (one: Question) => ({
        jsonrpc: '2.0',
        id: one.id,
        ...(one.method === 'eth_chainId'
          ? { result: '0x7a69' }
          : one.method === 'eth_getCode'
            ? { result: '0x' }
            : { error: { code: -32601, message: 'Method not found' } }),
      })
      const asked: Question | Question[] = JSON.parse(body)
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked)))
    })
    onTestFinished(() => proxy.stop())
    const chain = createChain({ ...node.network, rpcUrl: proxy.url })
    await expect(chain.balances(owner, [nativeTokenAddress, ...tokens])).rejects.toMatchObject({
      code: 'node-refused',
    })
  })

  it('uses Multicall3 once it is deployed', async () => {
    const { readPreinstalls } = await import('../../../dev/chain/preinstalls.ts')
    const [preinstalled] = readPreinstalls(31337)
    const proxy = await answering(same)
    await proxy.chain.balances(owner, [nativeTokenAddress, ...tokens])
    const snapshot = await node.client.snapshot()
    await node.client.setCode(preinstalled!)
    expect(await proxy.chain.balances(owner, [nativeTokenAddress, ...tokens])).toEqual(expected)
    const before = proxy.asks().length
    expect(await proxy.chain.balances(owner, [nativeTokenAddress, ...tokens])).toEqual(expected)
    expect(proxy.asks().length).toBe(before + 1)
    await node.client.revert({ id: snapshot })
  })
})
