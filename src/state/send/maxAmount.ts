import { type MostToSend, mostOfCoin, type TransferAsk } from '../../domain/activity/transfer.ts'
import { native } from '../../domain/token/token.ts'
import { toWalletError } from '../../errors.ts'
import type { Wallet } from '../../protocol.ts'

type Asked = Pick<Wallet, 'balances' | 'previewTransfer'>

/**
 * All of the coin but what sending it to `to` costs. Undefined where there is too little to send any. Of a token the most is simply what
 * there is.
 */
export async function readMostToSend(
  wallet: Asked,
  ask: Omit<TransferAsk, 'token' | 'amount'>,
): Promise<MostToSend | undefined> {
  const { chainId, account, speed = 'normal' } = ask
  try {
    const preview = await wallet.previewTransfer({ ...ask, token: native, amount: 1n })
    const { [native]: balance = 0n } = await wallet.balances(chainId, account, [native])
    const { maxFeePerGas, maxPriorityFeePerGas } = typeof speed === 'string' ? preview.speeds[speed] : speed
    const most = mostOfCoin(balance, preview, { maxFeePerGas, maxPriorityFeePerGas })
    return most.amount > 0n ? most : undefined
  } catch (error) {
    if (!['not-enough-gas', 'not-enough-balance'].includes(toWalletError(error).code)) throw error
    return undefined
  }
}
