import type { RecipientWarning } from '../../domain/address/recipientWarnings.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import type { Found, Recipient } from '../../state/send/recipientResolver.ts'
import { formatSymbol, shortAddress, showInvisible } from '../format/address.ts'
import { formatOtherNetwork, formatUnreadable } from './validation.ts'

/** A sentence about somebody. What is `grave` has to be agreed to before anything is sent. */
export type RecipientWord = { tone: 'grave' | 'warn' | 'plain'; words: string; of?: Address }

type Known = {
  token: Pick<Token, 'symbol' | 'address'>
  account: Address
  to: Address
  nameOf: GetContactName
}

/** Whom the user calls what. */
export type GetContactName = (address: Address) => string | undefined

/** What is to be said of a receiver. `of`: somebody else's address, to be shown whole beside it. */
export function formatRecipientWarning(
  note: RecipientWarning,
  { token, account, to, nameOf }: Known,
): RecipientWord {
  switch (note.kind) {
    case 'nobody':
      return { tone: 'grave', words: t('Nobody owns this address: what is sent there is lost.') }
    case 'token': {
      const words = t('This is {symbol}’s own contract: what is sent there is nearly always lost.', {
        symbol: formatSymbol(token),
      })
      return { tone: 'grave', words }
    }
    case 'look-alike': {
      const name = nameOf(note.of) ?? shortAddress(note.of)
      const words = t('It begins and ends like {name}, and is another address. Compare every sign.', { name })
      return { tone: 'grave', words, of: note.of }
    }
    case 'contract':
      return {
        tone: 'warn',
        words: t('This is a contract. Be sure that it can do something with what it gets.'),
      }
    case 'own':
      return {
        tone: 'plain',
        words:
          to === account ? t('This is the account that you send from.') : t('This is an account of yours.'),
      }
    case 'first-time':
      return {
        tone: 'plain',
        words: t('You have sent nothing here before. Compare the whole address.'),
      }
  }
}

/** What is to be said of the name that somebody was found by. */
export function formatFoundName({ name, isChanged, isForeign }: Found): RecipientWord[] {
  const words: (RecipientWord | false)[] = [
    isChanged && { tone: 'warn', words: t('The name was read as {name}.', { name }) },
    isForeign && {
      tone: 'warn',
      words: t('The name has unusual letters, which may look like others. Compare the whole address.'),
    },
  ]
  return words.filter((one) => one !== false)
}

/** What is wrong with what was typed, for below the field. Nothing while it is empty or looked up. */
export function validateRecipient(recipient: Recipient): string | undefined {
  switch (recipient.kind) {
    case 'mistyped':
    case 'unknown-network':
    case 'call':
      return formatUnreadable(recipient)
    case 'amount-link':
      return t('This link asks for an amount. Paste the recipient’s address alone, and enter the amount.')
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
      return t('No name is written so: it mixes alphabets, or has characters that names may not have.')
    case 'unknown':
      return t('{name} names nobody on this network.', { name: answer.name })
    case 'elsewhere': {
      const { name, hosts } = answer
      return hosts.length === 0
        ? t('{name} is kept outside of the chain, where this wallet does not ask. Paste the address.', {
            name,
          })
        : t('{name} is kept by {host}. This wallet asked no server there. Paste the address.', {
            name,
            host: hosts.map(showInvisible).join(', '),
          })
    }
    case 'no-registry':
      return t('There are no names on this network. Paste the address.')
  }
}
