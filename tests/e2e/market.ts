import type { Hex } from 'viem'
import type { World } from '../../dev/world.ts'
import { type Address, native } from '../../src/domain/token.ts'

/** Somebody else sells `coins` for `buy` through the service and its router, and so moves the price of the pair. */
export async function moveMarket(
  world: World,
  serviceUrl: string,
  buy: Address,
  coins: bigint,
): Promise<void> {
  const whale = world.accounts[5]?.address
  if (whale === undefined) throw new Error('The world has no sixth account.')
  await world.client.setBalance({ address: whale, value: coins * 2n })
  await world.client.impersonateAccount({ address: whale })
  const query = new URLSearchParams({
    src: native,
    dst: buy,
    amount: coins.toString(),
    from: whale,
    origin: whale,
    slippage: '50',
  })
  const answer = await fetch(`${serviceUrl}/v6.1/${world.chainId}/swap?${query}`)
  const { tx } = (await answer.json()) as { tx: { to: Address; data: Hex; value: string } }
  await world.client.execute({
    account: whale,
    to: tx.to,
    data: tx.data,
    value: BigInt(tx.value),
  })
}
