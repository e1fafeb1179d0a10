import { erc20Abi, maxUint256 } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import { type Query, type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const mounts = ['v6.1', 'v6.0', 'swap/v6.1', 'swap/v6.0'] as const
const amount = '100000000'

let running: Running
let owner: Address
beforeAll(async () => {
  running = await startRunning()
  const { localnet } = running
  owner = localnet.accounts[0]!.address
  await localnet.fund(owner)
  await localnet.client.impersonateAccount({ address: owner })
  for (const token of [localnet.tokens.USDC, localnet.tokens.WETH]) {
    await localnet.client.writeContractSync({
      ...{ account: owner, address: token, abi: erc20Abi, functionName: 'approve' },
      args: [running.config.router, maxUint256],
    } as never)
  }
  await localnet.client.setBlockTimestampInterval({ interval: 1 })
  await running.engine.refresh()
  // Later swaps are not the first of the pool.
  for (const _turn of [1, 2]) await running.chain.execute((await ask('v6.1')).body.tx)
})
afterAll(() => running.stop())

/** One pool, so that the route is the same in all versions. */
function ask(mount: string, query: Query = {}) {
  const { USDC, WETH } = running.localnet.tokens
  const trade = { src: USDC, dst: WETH, amount, protocols: 'UNISWAP_V2', complexityLevel: '0', slippage: '1' }
  const asked = { ...trade, from: owner, origin: owner, ...query } as Record<string, string>
  return running.request(`/${mount}/31337/swap?${new URLSearchParams(asked)}`)
}

function askLegacy(query: Query) {
  const { USDC, WETH } = running.localnet.tokens
  const trade = { fromTokenAddress: USDC, toTokenAddress: WETH, amount, fromAddress: owner, slippage: '1' }
  const asked = { ...trade, protocols: 'UNISWAP_V2', complexityLevel: '0', ...query } as Record<
    string,
    string
  >
  return running.request(`/v3.0/31337/swap?${new URLSearchParams(asked)}`)
}

describe('includeGas of swap', () => {
  it.each(mounts)('answers the simulated gas on %s, which is what the swap uses', async (mount) => {
    const { status, body } = await ask(mount, { includeGas: 'true' })
    expect(status).toBe(200)
    const { gasUsed } = await running.chain.send(body.tx)
    await running.engine.refresh()
    expect(Math.abs(body.gas - Number(gasUsed))).toBeLessThanOrEqual(100)
    expect(body.tx.gas).toBeGreaterThan(body.gas)
  })

  it.each(mounts)('answers an estimate within 25 % on %s where the swap is not simulated', async (mount) => {
    const { status, body } = await ask(mount, { includeGas: 'true', disableEstimate: 'true' })
    expect(status).toBe(200)
    const { gasUsed } = await running.chain.send(body.tx)
    await running.engine.refresh()
    expect(Math.abs(body.gas / Number(gasUsed) - 1)).toBeLessThanOrEqual(0.25)
    expect(body.tx.gas).toBeGreaterThan(body.gas)
  })

  it.each(mounts)('adds nothing on %s when it is false or absent', async (mount) => {
    for (const disableEstimate of ['true', 'false']) {
      for (const query of [{ includeGas: 'false' }, {}]) {
        const { body } = await ask(mount, { ...query, disableEstimate })
        expect(Object.keys(body).toSorted()).toEqual(['dstAmount', 'tx'])
      }
    }
  })
})

describe('gas of a swap of version 3.0 that is not simulated', () => {
  it('is the limit of version 6.1 once clients raise it by a quarter, and suffices as it is in used pools', async () => {
    const [{ body: legacy }, { body }] = await Promise.all([
      askLegacy({ disableEstimate: 'true' }),
      ask('v6.1', { disableEstimate: 'true' }),
    ])
    const raised = Math.floor(legacy.tx.gas * 1.25)
    expect([body.tx.gas, body.tx.gas + 1]).toContain(raised)
    await running.chain.execute(legacy.tx)
  })

  it('is the limit itself where the swap is simulated', async () => {
    const [{ body: legacy }, { body }] = await Promise.all([askLegacy({}), ask('v6.1')])
    expect(legacy.tx.gas).toBe(body.tx.gas)
  })
})
