import type { Hex } from 'viem'
import type { Localnet } from '../../../dev/localnet.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'

/**
 * Sells native tokens (`coins`) for `buy` from another account through the router, moving the pair's price.
 */
export async function moveMarket(
  localnet: Localnet,
  serviceUrl: string,
  buy: Address,
  coins: bigint,
): Promise<void> {
  await localnet.client.execute(await sellOf(localnet, serviceUrl, buy, coins))
}

/** Sends the same trade with a high priority fee, so that it comes first in the next block. */
export async function outbid(
  localnet: Localnet,
  serviceUrl: string,
  buy: Address,
  coins: bigint,
): Promise<void> {
  const fee = 1000n * 10n ** 9n
  await localnet.client.sendTransaction({
    ...(await sellOf(localnet, serviceUrl, buy, coins)),
    gas: 3_000_000n,
    maxFeePerGas: fee,
    maxPriorityFeePerGas: fee,
  })
}

async function sellOf(localnet: Localnet, serviceUrl: string, buy: Address, coins: bigint) {
  const whale = localnet.accounts[5]?.address
  if (whale === undefined) throw new Error('The localnet has no sixth account.')
  await localnet.client.setBalance({ address: whale, value: coins * 2n })
  await localnet.client.impersonateAccount({ address: whale })
  const query = new URLSearchParams({
    src: nativeTokenAddress,
    dst: buy,
    amount: coins.toString(),
    from: whale,
    origin: whale,
    slippage: '50',
  })
  const tx = await askSwap(`${serviceUrl}/v6.1/${localnet.chainId}/swap?${query}`)
  return { account: whale, to: tx.to, data: tx.data, value: BigInt(tx.value) }
}

/** Returns the service's transaction. Retries while its pools are stale, as after a stalled process. */
export async function askSwap(url: string): Promise<{ to: Address; data: Hex; value: string }> {
  let answer = await fetch(url)
  for (let tries = 1; answer.status === 503 && tries < 60; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    answer = await fetch(url)
  }
  if (!answer.ok) throw new Error(`The service answers ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { tx: { to: Address; data: Hex; value: string } }).tx
}
