import { createPublicClient, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import {
  connectRpc,
  createTransport,
  isNetworkError,
  requireRpcError,
} from '../../../service/indexer/node.ts'
import { startHttpServer } from '../../helpers/httpServer.ts'
import { limited, startFaultyNode } from '../../helpers/node/faultyNode.ts'

let localnet: Localnet
beforeAll(async () => {
  localnet = await createLocalnet()
})
afterAll(() => localnet.stop())

const contract = `0x${'c0'.repeat(20)}` as const

function readName(rpcUrl: string) {
  const node = connectRpc(rpcUrl)
  return node.readContract({ address: contract, abi: erc20Abi, functionName: 'name' }).catch(requireRpcError)
}

describe('requireRpcError', () => {
  it.each([
    ['a revert', '0x5f5ffd'],
    ['an invalid opcode', '0xfe'],
    ['a jump to nowhere', '0x600056'],
    ['an endless loop', '0x5b5f56'],
    ['an answer of nothing', '0x00'],
    ['an answer of another type', '0x60075f5260205ff3'],
    ['no contract', '0x'],
  ] as const)('returns undefined for %s', async (_what, bytecode) => {
    await localnet.client.setCode({ address: contract, bytecode })
    expect(await readName(localnet.rpcUrl)).toBeUndefined()
  })

  it.each([
    limited,
    { code: -32000, message: 'header not found' },
    { code: -32603, message: 'Internal error' },
    { code: -32601, message: 'the method eth_call does not exist' },
    503,
  ])('throws on a failure of the RPC itself: %j', async (fault) => {
    const node = await startFaultyNode(localnet.rpcUrl, () => fault)
    await expect(readName(node.url)).rejects.toThrow()
    await node.stop()
  })
})

it('aborts an RPC request when the response arrives a byte at a time', async () => {
  let open = 0
  const node = await startHttpServer(async (_request, response) => {
    open++
    response.once('close', () => open--)
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    const dripping = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(dripping))
  })
  const client = createPublicClient({ transport: createTransport(node.url, { endMs: 200 }) })
  const error = await client.getBlockNumber().catch((caught: unknown) => caught)
  expect(isNetworkError(error)).toBe(true)
  await expect.poll(() => open).toBe(0)
  await node.stop()
}, 20_000)
