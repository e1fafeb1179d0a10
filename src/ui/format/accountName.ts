import { t } from '../../i18n/translate.ts'
import type { Account } from '../../protocol.ts'

/** What an account is called: in the user's language where it has the name that it was made with. */
export function accountName({ name }: Pick<Account, 'name'>): string {
  const [, number] = /^Account (\d+)$/.exec(name) ?? []
  return number === undefined ? name : t('Account {number}', { number })
}
