import type { Siwe, SiweError } from '../../domain/signing/siwe.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { showInvisible } from '../format/address.ts'

/** What is wrong with a message to sign in with, in words. */
export function validateSiwe(fault: SiweError, { domain }: Pick<Siwe, 'domain'>): string {
  if (fault === 'domain') {
    return domain === undefined
      ? t('It does not say which site it signs in to.')
      : t('It signs in to {site}, and that is not the site that asks.', { site: showInvisible(domain) })
  }
  return t(faults[fault])
}

const faults: Record<Exclude<SiweError, 'domain'>, string> = {
  malformed: defineMessage('It looks like a message to sign in with, but is not written as one.'),
  address: defineMessage('It names another account.'),
  chain: defineMessage('It names another network.'),
  uri: defineMessage('Its URI names another site.'),
  expired: defineMessage('Its time is over.'),
  'not-yet-valid': defineMessage('Its time has not come yet.'),
}
