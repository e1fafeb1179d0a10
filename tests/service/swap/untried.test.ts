import { afterAll, beforeAll, expect, it } from 'vitest'
import { deployer } from '../../../dev/chain/client.ts'
import type { Address } from '../../../service/config.ts'
import { addressOf, type Coin, tradeOf } from '../../helpers/service/requests.ts'
import { type Running, startRunning } from '../../helpers/service/runService.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

const coins: readonly Coin[] = ['ETH', 'WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'LINK', 'BROOK']

let running: Running
beforeAll(async () => {
  running = await startRunning()
  const { localnet, chain } = running
  await localnet.client.setBalance({ address: deployer, value: 10n ** 24n })
  await localnet.fund(deployer)
  for (const coin of coins) if (coin !== 'ETH') await chain.approve(localnet.tokens[coin], deployer)
})
afterAll(() => running.stop())

it('estimates enough gas for a swap without simulation, also for new fee and recipient accounts', async () => {
  for (const [i, sell] of coins.entries()) {
    for (const [j, buy] of coins.entries()) {
      if (i === j) continue
      const { localnet } = running
      const receiver: Address = `0x${(0xfee000 + i * 16 + j).toString(16).padStart(40, '0')}`
      const { status, body } = await running.ask('swap', {
        ...{ src: addressOf(localnet, sell), dst: addressOf(localnet, buy) },
        ...{ amount: String(tradeOf(localnet, sell, buy, 10 ** ((i + j) % 6)).amount), slippage: '1' },
        ...{ from: deployer, origin: deployer, receiver, disableEstimate: 'true' },
        ...(i % 2 === 0
          ? { fee: '1', referrer: `0x${'ab'.repeat(19)}${(i * 8 + j).toString(16).padStart(2, '0')}` }
          : {}),
      })
      expect(status, `${sell} to ${buy}`).toBe(200)
      await running.chain.execute(body.tx)
      expect(
        String(await running.chain.balance(addressOf(localnet, buy), receiver)),
        `${sell} to ${buy}`,
      ).toBe(body.dstAmount)
    }
  }
})
