import type { Network } from '../../domain/network/network.ts'
import { parseAmount } from '../../domain/token/amount.ts'
import { isNative, nativeTokenAddress } from '../../domain/token/token.ts'
import type { WalletError } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import type { Balances, OwnAccount } from '../../protocol.ts'
import { canSign } from '../../state/account.ts'
import type { SendState } from '../../state/send/send.ts'
import type { SendPlan } from '../../state/send/sendPlan.ts'
import { isReachable } from '../../state/settings.ts'
import { formatSymbol } from '../format/address.ts'
import { decimalMark } from '../format/numbers.ts'
import { formatAmountError } from '../messages/errors/amountErrors.ts'
import { isNodeDown } from '../swap/primaryAction.ts'

export type SendAction = { label: string } & (
  | { does: 'review'; plan: SendPlan }
  | { does: 'set-up' | undefined }
)

type Form = {
  network: Network
  account: OwnAccount
  form: SendState
  balances: Balances
  /** Error that left the balances outdated. */
  balanceError?: WalletError | undefined
  mark?: '.' | ','
}

/** Returns the next action, or the first reason against it. */
export function sendAction({
  network,
  account,
  form,
  balances,
  balanceError,
  mark = decimalMark(),
}: Form): SendAction {
  if (!canSign(account)) return no(t('Watch-only: can’t send'))
  if (!isReachable(network)) return { label: t('Set up {name}', { name: network.name }), does: 'set-up' }
  const { token, text, isMost, most, recipient } = form
  if (token === undefined) return no(t('Select a token to send'))
  const symbol = formatSymbol(token)
  const balance = balances[token.address]
  const amount = isMost ? 'most' : parseAmount(text, token.decimals, mark)
  if (amount === 'most') {
    if (balance === 0n) return no(t('No {symbol} balance', { symbol }))
    if (most === null) return no(t('Not enough {symbol} for the network fee', { symbol }))
  } else {
    if (amount === 'empty' || amount === 0n) return no(t('Enter an amount'))
    if (typeof amount !== 'bigint') return no(t('Invalid amount'))
    if (balance !== undefined && amount > balance) return no(t('Not enough {symbol}', { symbol }))
  }
  if (isNodeDown(balanceError)) return no(t('Can’t reach the RPC'))
  if (!isNative(token.address) && balances[nativeTokenAddress] === 0n)
    return no(t('No {symbol} for the network fee', { symbol: network.coin.symbol }))
  if (recipient.kind === 'looking') return no(t('Looking up the name…'))
  if (recipient.kind !== 'known')
    return no(recipient.kind === 'empty' ? t('Enter a recipient') : t('Check the recipient'))
  const { address: to, name } = recipient
  const plan: SendPlan = {
    chainId: network.chainId,
    account: account.address,
    token,
    to,
    ...(name && { name: name.name }),
    amount,
    speed: 'normal',
  }
  return { label: t('Review'), does: 'review', plan }
}

export function validateSend({ token, text, isMost }: SendState, mark = decimalMark()): string | undefined {
  if (token === undefined || isMost) return undefined
  return formatAmountError(parseAmount(text, token.decimals, mark), token)
}

function no(label: string): SendAction {
  return { label, does: undefined }
}
