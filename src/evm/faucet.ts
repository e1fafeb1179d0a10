import type { Address } from '../domain/token/token.ts'
import { WalletError } from '../errors.ts'
import { createHttpClient } from '../httpClient.ts'

/** Funds `address` by the localnet's faucet. */
export async function requestTestFunds(faucetUrl: string, address: Address): Promise<void> {
  const wire = createHttpClient()
  const url = `${faucetUrl.replace(/\/+$/, '')}/${address}`
  // Not idempotent.
  const reply = await wire({ url, method: 'POST', deadlineMs: 10_000, retries: 0, mostBytes: 100_000 })
  if ('failure' in reply) {
    const code = reply.failure === 'timeout' ? 'node-timeout' : 'node-unreachable'
    throw new WalletError(code, 'The faucet does not answer.', {}, { cause: reply.cause })
  }
  if (reply.status < 200 || reply.status > 299) {
    throw new WalletError('node-refused', 'The faucet refused.', { status: String(reply.status) })
  }
}
