import { t } from '../../i18n/translate.ts'
import type { Account } from '../../protocol.ts'

/** Translates default names. */
export function accountName({ name }: Pick<Account, 'name'>): string {
  const [, number] = /^Account (\d+)$/.exec(name) ?? []
  return number === undefined ? name : t('Account {number}', { number })
}
