import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let running: Running
beforeAll(async () => {
  running = await startRunning()
})
afterAll(() => running.stop())

/** Of a transaction, by the service: 4/3 of the simulated gas, and what a pool may use later. */
const usedBy = (gas: number, late: number) => ((gas - 1) * 3) / 4 - late

const observation = 75_000
const protocols = 'UNISWAP_V3,AERODROME_V2'

async function ask(gasLimit?: number, minReturn?: string) {
  const { WETH, DAI } = running.localnet.tokens
  const from = running.localnet.accounts[0]!.address
  const { status, body } = await running.ask('swap', {
    ...{ src: WETH, dst: DAI, amount: String(parseEther('0.5')), from, origin: from },
    protocols,
    ...{ gasPrice: '1', forceApprove: 'true', compatibility: 'true', includeProtocols: 'true' },
    ...(gasLimit === undefined ? {} : { gasLimit: String(gasLimit) }),
    ...(minReturn === undefined ? { slippage: '1' } : { minReturn }),
  })
  expect(status).toBe(200)
  const names: string[] = JSON.stringify(body.protocols).match(/"name":"\w+"/g)!
  const isObserved = names.some((name) => name.includes('AERODROME'))
  return { isObserved, used: usedBy(body.tx.gas, isObserved ? observation : 0), body }
}

it('takes another route if the simulated gas exceeds gasLimit, which the estimate kept', async () => {
  // A pool that was never swapped needs more gas than estimated.
  const free = await ask()
  expect(free.isObserved).toBe(true)
  const { WETH, DAI } = running.localnet.tokens
  const amount = String(parseEther('0.5'))
  const trade = { src: WETH, dst: DAI, amount, gasPrice: '1', includeGas: 'true', protocols }
  const { body: quoted } = await running.ask('quote', trade)
  expect(quoted.dstAmount).toBe(free.body.dstAmount)
  expect(quoted.gas).toBeLessThan(free.used)

  const limit = quoted.gas
  const within = await ask(limit)
  expect(within.used).toBeLessThanOrEqual(limit)
  expect(BigInt(within.body.dstAmount)).toBeLessThan(BigInt(free.body.dstAmount))
  expect((await ask(Math.ceil(free.used))).body.dstAmount).toBe(free.body.dstAmount)

  // The minimum counts more.
  const least = String(BigInt(within.body.dstAmount) + 1n)
  const kept = await ask(limit, least)
  expect(kept.body.dstAmount).toBe(free.body.dstAmount)
})
