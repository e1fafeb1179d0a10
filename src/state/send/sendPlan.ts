import type { TransferRequest } from '../../domain/activity/transfer.ts'
import { encode } from '../../domain/json.ts'
import type { FeeSpeed } from '../../domain/swap/swap.ts'
import { type Address, isNative, type Token } from '../../domain/token/token.ts'
import { WalletError } from '../../errors.ts'
import type { TokensApi, TransactionsApi } from '../../protocol.ts'
import { readMaxAmount } from './maxAmount.ts'

/** `most`: the whole balance, less the fee for the native token. */
export type SendPlan = {
  chainId: number
  account: Address
  token: Token
  to: Address
  name?: string
  amount: bigint | 'most'
  speed: FeeSpeed
}

/** Identifies a transfer, regardless of its speed. */
export function toFormText({ chainId, account, token, to, amount }: SendPlan): string {
  return encode([chainId, account, token.address, to, amount])
}

/** `setAside`: fee limit when sending the whole native balance. */
export async function toTransferRequest(
  wallet: Pick<TransactionsApi, 'previewTransfer'> & Pick<TokensApi, 'balances'>,
  { chainId, account, token: { address: token }, to, amount, speed }: SendPlan,
): Promise<{ ask: TransferRequest; setAside?: bigint }> {
  const ask = { chainId, account, token, to }
  if (amount !== 'most') return { ask: { ...ask, amount, speed } }
  if (isNative(token)) {
    const most = await readMaxAmount(wallet, { chainId, account, to, speed })
    if (most === undefined) {
      throw new WalletError('not-enough-gas', `The account ${account} holds no more than the fee.`)
    }
    return { ask: { ...ask, amount: most.amount, speed: most.speed }, setAside: most.networkFee }
  }
  const { [token]: balance = 0n } = await wallet.balances(chainId, account, [token])
  return { ask: { ...ask, amount: balance, speed } }
}
