import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandler } from '../../../service/app.ts'
import type { Address } from '../../../service/config.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { createTokens } from '../../../service/tokens/registry.ts'
import { limited, startFaultyNode } from '../../helpers/node/faultyNode.ts'
import { type Query, type Running, startRunning } from '../../helpers/service/runService.ts'
import { withTime } from '../../helpers/service/unhurriedService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let running: Running
let owner: Address
let other: Address
let query: Query

beforeAll(async () => {
  running = await startRunning()
  const { USDC, WETH } = running.localnet.tokens
  owner = running.localnet.accounts[0]!.address
  other = running.localnet.accounts[1]!.address
  await running.chain.approve(USDC, owner)
  query = { src: USDC, dst: WETH, amount: '1000000', from: owner, origin: owner, slippage: '1' }
})
afterAll(() => running.stop())

async function askThrough(rpcUrl: string, more: Query = {}): Promise<Response> {
  const { config, engine } = running
  const node = connectRpc(rpcUrl)
  const service = { config, node, tokens: createTokens(config, node), engine: () => engine }
  const handler = createHandler(service, withTime)
  const words = new URLSearchParams({ ...query, ...more } as Record<string, string>)
  return handler(new Request(`http://service/v6.1/${config.chainId}/swap?${words}`))
}

describe('RPC failures', () => {
  it.each(['eth_createAccessList', 'eth_simulateV1'])(
    'answers status 500 when the RPC limits %s',
    async (method) => {
      const faulty = await startFaultyNode(running.localnet.rpcUrl, (question) =>
        question.method === method ? limited : undefined,
      )
      const { status } = await askThrough(faulty.url, { createAccessList: 'true' })
      expect(status).toBe(500)
      await faulty.stop()
    },
  )
})

describe('blocks missing on the RPC', () => {
  it('moves to the newest block when its own block is gone, with an allowance and with forceApprove', async () => {
    const { client } = running.localnet
    for (const from of [owner, other]) {
      const before = await client.snapshot()
      await client.mine({ blocks: 3 })
      await running.engine.refresh()
      await client.revert({ id: before })
      const { status } = await running.ask('swap', { ...query, from, forceApprove: String(from === other) })
      expect(status).toBe(200)
      expect(running.engine.block()?.number).toBe(await client.getBlockNumber())
    }
  })

  it.each([
    ['geth', 'header not found'],
    ['erigon', 'block not found: 0x1234'],
    ['anvil', 'BlockOutOfRangeError: block height is 229 but requested was 234'],
  ])(
    'answers NOT_READY with retry-after when the RPC does not have the newest block yet (%s)',
    async (_, message) => {
      const faulty = await startFaultyNode(running.localnet.rpcUrl, ({ method }) =>
        method === 'eth_simulateV1' ? { code: -32000, message } : undefined,
      )
      const response = await askThrough(faulty.url)
      await faulty.stop()
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('1')
      const description = 'the node does not have the newest block'
      expect(await response.json()).toMatchObject({ code: 'NOT_READY', description })
    },
  )
})
