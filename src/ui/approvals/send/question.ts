import type { DecodedCall } from '../../../domain/calldata/decodedCall.ts'
import { isUnlimited } from '../../../domain/token/amount.ts'
import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { formatSymbol } from '../../format/address.ts'
import { formatWithSymbol } from '../../format/numbers.ts'
import type { FindToken } from '../../tokens/useTokens.ts'

type Context = {
  account: Address
  /** Name of the network. */
  network: string
  /** Knows tokens only: an item's number is not an amount. */
  tokenOf: FindToken
  /** False without a contract at the called address. */
  hasCode?: boolean
  /** True if an approval is for an item of a collection. */
  isItem?: boolean
}

/** Returns the question a call puts to the user. */
export function toQuestion(words: DecodedCall, context: Context): string {
  const { account, network, tokenOf, hasCode = true, isItem = false } = context
  switch (words.kind) {
    case 'create':
      return t('Create a contract?')
    case 'transfer': {
      if (words.from !== undefined && words.from !== account)
        return t('Transfer tokens from another account?')
      const token = words.from === undefined ? tokenOf(words.token) : undefined
      if (!token || isUnlimited(words.amount)) return t('Send tokens?')
      return t('Send {amount}?', { amount: formatWithSymbol(words.amount, token, false) })
    }
    case 'approve': {
      if (words.amount === 0n && words.adds !== true) return t('Revoke approval?')
      const token = isItem ? undefined : tokenOf(words.token)
      return token
        ? t('Approve {symbol} spending?', { symbol: formatSymbol(token) })
        : t('Approve token spending?')
    }
    case 'approve-all':
      return words.approved ? t('Approve entire NFT collection?') : t('Revoke approval?')
    case 'operator':
      return words.approved ? t('Let another account act on your behalf?') : t('Revoke approval?')
    case 'delegate':
      return t('Delegate votes?')
    case 'permit':
      return t('Submit a signed permit?')
    case 'transfer-items':
      return words.from === account ? t('Send NFTs?') : t('Transfer NFTs from another account?')
    case 'wrap':
      return t('Wrap on {network}?', { network })
    case 'unwrap':
      return t('Unwrap on {network}?', { network })
    case 'swap':
      return t('Swap on {network}?', { network })
    case 'unknown':
      return hasCode ? t('Confirm this transaction?') : t('Send data?')
  }
}
