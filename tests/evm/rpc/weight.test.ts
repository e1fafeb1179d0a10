import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Call } from '../../../src/domain/activity/callBatch.ts'
import type { Simulation } from '../../../src/domain/activity/simulation.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { type Chain, createChain } from '../../../src/evm/client.ts'
import { type GethNode, startGethNode } from '../../helpers/node/gethNode.ts'
import { localNetwork } from '../../helpers/node/localNetwork.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let chain: Chain
let node: GethNode
let me: Address
const burner: Address = `0x${'b1'.repeat(20)}`
const scribe: Address = `0x${'b2'.repeat(20)}`

beforeAll(async () => {
  localnet = await createLocalnet()
  me = localnet.accounts[1]?.address.toLowerCase() as Address
  node = await startGethNode(localnet.rpcUrl)
  const network = localNetwork({ chainId: localnet.chainId, rpcUrl: node.url })
  // A busy machine must not count as a heavy call.
  chain = createChain(network, { fetch: (url, init) => fetch(url, { ...init, signal: null }) })
  // Loop down to 1,000,000 gas, and write logs down to 50,000.
  await localnet.client.setCode({ address: burner, bytecode: '0x5b5a620f42401060005700' })
  await localnet.client.setCode({ address: scribe, bytecode: '0x5b5f5fa05a6200c3501060005700' })
})
afterAll(async () => {
  await node?.stop()
  await localnet?.stop()
})

const call = (to: Address, gas: bigint, data: Hex = '0x'): Call => ({ to, data, value: 0n, gas })

async function simulation(...calls: Call[]): Promise<Simulation> {
  return (await chain.simulate(me, calls)).simulation
}

describe('oversized calls', () => {
  it('does not simulate calls with too much data, and reports this', async () => {
    const long = `0x${'11'.repeat(90_000)}` as const
    const calls = [1, 2, 3].map(() => call(me, 3_000_000n, long))
    expect(await simulation(...calls)).toEqual({
      status: 'unknown',
      reason: 'It carries too much data',
      isCrowded: true,
    })
  })

  it('does not simulate calls with too much gas, and reports this', async () => {
    expect(await simulation(call(burner, 20_000_000n), call(burner, 20_000_000n))).toEqual({
      status: 'unknown',
      reason: 'It uses more gas than the node simulates',
      isCrowded: true,
    })
  })

  it('does not simulate calls with too many logs, and reports this', async () => {
    expect(await simulation(call(scribe, 15_000_000n))).toEqual({
      status: 'unknown',
      reason: 'It logs more than the wallet reads',
      isCrowded: true,
    })
  })
})
