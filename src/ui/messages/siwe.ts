import type { Siwe, SiweError } from '../../domain/signing/siwe.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import { showInvisible } from '../format/address.ts'

export function validateSiwe(fault: SiweError, { domain }: Pick<Siwe, 'domain'>): string {
  if (fault === 'domain') {
    return domain === undefined
      ? t('The message doesn’t say which site it signs you in to.')
      : t('The message signs you in to {site}, which isn’t the requesting site.', {
          site: showInvisible(domain),
        })
  }
  return t(faults[fault])
}

const faults: Record<Exclude<SiweError, 'domain'>, string> = {
  malformed: defineMessage('This looks like a sign-in message, but its format is invalid.'),
  address: defineMessage('The message is for another account.'),
  chain: defineMessage('The message is for another network.'),
  uri: defineMessage('The message’s URI is for another site.'),
  delegation: defineMessage('The message also lets the key or app at its URI act for this account.'),
  expired: defineMessage('The message has expired.'),
  'not-yet-valid': defineMessage('The message isn’t valid yet.'),
}
