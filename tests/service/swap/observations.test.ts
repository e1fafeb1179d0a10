import { afterAll, beforeAll, expect, it } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let running: Running
beforeAll(async () => {
  running = await startRunning()
  await running.localnet.client.setBalance({ address: deployer, value: 10n ** 24n })
})
afterAll(() => running.stop())

async function prepare(disableEstimate: boolean) {
  const { body } = await running.ask('swap', {
    ...{ src: nativeTokenAddress, dst: running.localnet.tokens.USDC, amount: String(10n ** 18n) },
    ...{ slippage: '1', from: deployer, origin: deployer, protocols: 'WETH,AERODROME_V2' },
    disableEstimate: String(disableEstimate),
  })
  return body.tx
}

async function pass(seconds: number): Promise<void> {
  await running.localnet.client.increaseTime({ seconds })
  await running.localnet.client.mine({ blocks: 1 })
  await running.engine.refresh()
}

it.each([false, true])(
  'leaves gas for the price observation of a Solidly pool that falls due after the answer, disableEstimate %s',
  async (disableEstimate) => {
    await pass(2_000)
    for (const _ of ['appends an observation', 'fills every slot']) {
      await running.chain.send(await prepare(disableEstimate))
      await running.engine.refresh()
    }
    // In a second of its own, so that it writes price sums.
    await pass(12)
    const usual = await running.chain.send(await prepare(disableEstimate))
    await pass(1_100)
    const tx = await prepare(disableEstimate)
    await running.localnet.client.increaseTime({ seconds: 800 })
    const late = await running.chain.send(tx)
    const extra = late.gasUsed - usual.gasUsed
    expect(extra).toBeGreaterThan(60_000n)
    expect(extra).toBeLessThanOrEqual(75_000n)
    expect(late.status).toBe('success')
    expect(tx.gas).toBeGreaterThan(Number(late.gasUsed))
  },
)
