import type { RecipientWarning } from '../../domain/address/recipientWarnings.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import type { Recipient, ResolvedRecipient } from '../../state/send/recipientResolver.ts'
import { formatSymbol, shortAddress, showInvisible } from '../format/address.ts'
import { formatOtherNetwork, formatUnreadable } from './errors/validation.ts'

/** Warning; `grave` ones must be acknowledged. `of` is another address to show in full. */
export type RecipientNotice = { tone: 'grave' | 'warn' | 'plain'; words: string; of?: Address }

type Known = {
  token: Pick<Token, 'symbol' | 'address'>
  account: Address
  to: Address
  nameOf: GetContactName
}

export type GetContactName = (address: Address) => string | undefined

export function formatRecipientWarning(
  note: RecipientWarning,
  { token, account, to, nameOf }: Known,
): RecipientNotice {
  switch (note.kind) {
    case 'nobody':
      return { tone: 'grave', words: t('This is the zero address. Anything sent there is lost.') }
    case 'token': {
      const words = t('This is the {symbol} token’s own contract. Tokens sent here are almost always lost.', {
        symbol: formatSymbol(token),
      })
      return { tone: 'grave', words }
    }
    case 'look-alike': {
      const name = nameOf(note.of) ?? shortAddress(note.of)
      const words = t('Possible scam: this address looks like “{name}” but isn’t. Compare every character.', {
        name,
      })
      return { tone: 'grave', words, of: note.of }
    }
    case 'contract':
      return {
        tone: 'warn',
        words: t('This is a contract. Make sure it can use the tokens it receives.'),
      }
    case 'own':
      return {
        tone: 'plain',
        words:
          to === account ? t('This is the account you’re sending from.') : t('This is one of your accounts.'),
      }
    case 'first-time':
      return {
        tone: 'plain',
        words: t('First time sending to this address. Check every character.'),
      }
  }
}

/** Warnings about the ENS name a recipient was found by. */
export function formatFoundName({ name, isChanged, isForeign }: ResolvedRecipient): RecipientNotice[] {
  const words: (RecipientNotice | false)[] = [
    isChanged && { tone: 'warn', words: t('The name was normalized to {name}.', { name }) },
    isForeign && {
      tone: 'warn',
      words: t('This name has unusual characters that may look like others. Check the full address.'),
    },
  ]
  return words.filter((one) => one !== false)
}

/** Returns the field's error. Undefined while empty or resolving. */
export function validateRecipient(recipient: Recipient): string | undefined {
  switch (recipient.kind) {
    case 'mistyped':
    case 'unknown-network':
    case 'call':
      return formatUnreadable(recipient)
    case 'amount-link':
      return t('This link includes an amount. Paste only the recipient’s address, then enter the amount.')
    case 'other-network':
      return formatOtherNetwork(recipient.chainId)
    case 'no-name':
      return faultOfName(recipient.answer)
    default:
      return undefined
  }
}

function faultOfName(answer: Extract<Recipient, { kind: 'no-name' }>['answer']): string {
  switch (answer.status) {
    case 'invalid':
      return t('Invalid name: it mixes alphabets or contains unsupported characters.')
    case 'unknown':
      return t('{name} has no address on this network.', { name: answer.name })
    case 'elsewhere': {
      const { name, hosts } = answer
      return hosts.length === 0
        ? t('{name} is stored off-chain, where Sluice doesn’t look names up. Paste the address.', {
            name,
          })
        : t('{name} is stored off-chain at {host}, which Sluice didn’t contact. Paste the address.', {
            name,
            host: hosts.map(showInvisible).join(', '),
          })
    }
    case 'no-registry':
      return t('Names aren’t supported on this network. Paste the address.')
  }
}
