import type { Hex } from 'viem'
import { localNetwork } from '../../../dev/browser/popupPage.ts'
import type { Localnet } from '../../../dev/localnet.ts'
import { tokens } from '../../../dev/pools/tokens.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { createChain } from '../../../src/evm/client.ts'

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
  await followMarket(localnet, buy)
}

/** Sets the oracle's price of a token to that of its pools, as a real one follows them. */
export async function followMarket(localnet: Localnet, token: Address): Promise<void> {
  const { v2Factory, v3Factory } = localnet.contracts
  const listed = tokens.find(({ symbol }) => localnet.tokens[symbol] === token)
  const chain = createChain({
    ...localNetwork,
    rpcUrl: localnet.rpcUrl,
    wrapped: localnet.tokens.WETH,
    stable: localnet.tokens.USDC,
    market: { v2Factory, v3Factory },
  })
  const sale = { sell: token, buy: localnet.tokens.USDC, amount: 10n ** BigInt(listed?.decimals ?? 0) }
  const [market] = await chain.marketReturns([sale])
  if (listed === undefined || market === undefined) throw new Error('The pools do not price this token.')
  await localnet.setFeed(listed.symbol, { answer: market.returns * 100n })
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
