import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deployer, send } from '../../../dev/chain/client.ts'
import { type Query, type Running, startRunning } from '../../helpers/service/runService.ts'

const pairAbi = parseAbi(['function burn(address to) returns (uint256, uint256)'])

let running: Running
beforeAll(async () => {
  running = await startRunning()
  const { localnet, chain } = running
  await chain.approve(localnet.tokens.BROOK, localnet.accounts[0]!.address)
})
afterAll(() => running.stop())

it('answers INSUFFICIENT_RETURN when a pool is drained between quote and swap', async () => {
  const { BROOK, DAI } = running.localnet.tokens
  const from = running.localnet.accounts[0]!.address
  const trade: Query = {
    ...{ src: BROOK, dst: DAI, amount: String(10n ** 20n), protocols: 'UNISWAP_V2', complexityLevel: '0' },
  }
  const swap = { ...trade, from, origin: from, slippage: '1' }
  const quoted = await running.ask('quote', trade)
  expect(quoted.status).toBe(200)
  const built = await running.ask('swap', swap)
  expect(built.body.dstAmount).toBe(quoted.body.dstAmount)

  await drain()
  // Its minReturn makes it revert.
  const held = await running.chain.balance(BROOK, from)
  await expect(running.chain.send(built.body.tx)).rejects.toThrow()
  expect(await running.chain.balance(BROOK, from)).toBe(held)

  await running.engine.refresh()
  // Pairs keep a minimum liquidity, so a price remains.
  const least = String((BigInt(quoted.body.dstAmount) * 99n) / 100n)
  const { slippage: _, ...rest } = swap
  const { status, body } = await running.ask('swap', { ...rest, minReturn: least })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    code: 'INSUFFICIENT_RETURN',
    description: expect.stringContaining(`Minimum: ${least}.`),
  })
  const now = await running.ask('quote', trade)
  expect(BigInt(now.body.dstAmount)).toBeLessThan(BigInt(quoted.body.dstAmount) / 1_000n)
  expect((await running.ask('swap', { ...swap, protocols: 'UNISWAP_V3' })).status).toBe(200)
})

async function drain(): Promise<void> {
  const { client, pools } = running.localnet
  const { address } = pools.find(({ title }) => title === 'BROOK/DAI v2 0.3 %')!
  const shares = await running.chain.balance(address, deployer)
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, shares] })
  await send(client, { to: address, data: transfer })
  await send(client, {
    to: address,
    data: encodeFunctionData({ abi: pairAbi, functionName: 'burn', args: [deployer] }),
  })
}
