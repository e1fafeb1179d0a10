import { t } from '../../i18n/translate.ts'
import type { Account } from '../../protocol.ts'

/** Returns an account's name, translated if it is a default name. */
export function accountName({ name }: Pick<Account, 'name'>): string {
  const [, number] = /^Account (\d+)$/.exec(name) ?? []
  return number === undefined ? name : t('Account {number}', { number })
}
