import { type MaxSendable, maxSendableNative, type TransferRequest } from '../../domain/activity/transfer.ts'
import { nativeTokenAddress } from '../../domain/token/token.ts'
import { toWalletError } from '../../errors.ts'
import type { TokensApi, TransactionsApi } from '../../protocol.ts'

type Deps = Pick<TokensApi, 'balances'> & Pick<TransactionsApi, 'previewTransfer'>

/** Returns the native balance less the fee of sending it; undefined when nothing remains. */
export async function readMaxAmount(
  wallet: Deps,
  ask: Omit<TransferRequest, 'token' | 'amount'>,
): Promise<MaxSendable | undefined> {
  const { chainId, account, speed = 'normal' } = ask
  try {
    const preview = await wallet.previewTransfer({ ...ask, token: nativeTokenAddress, amount: 1n })
    const { [nativeTokenAddress]: balance = 0n } = await wallet.balances(chainId, account, [
      nativeTokenAddress,
    ])
    const { maxFeePerGas, maxPriorityFeePerGas } = typeof speed === 'string' ? preview.speeds[speed] : speed
    const most = maxSendableNative(balance, preview, { maxFeePerGas, maxPriorityFeePerGas })
    return most.amount > 0n ? most : undefined
  } catch (error) {
    if (!['not-enough-gas', 'not-enough-balance'].includes(toWalletError(error).code)) throw error
    return undefined
  }
}
