import type { Siwe, SiweFault } from '../../domain/signing/siwe.ts'
import { t, wording } from '../../i18n/translate.ts'
import { visible } from '../format/address.ts'

/** What is wrong with a message to sign in with, in words. */
export function faultOfSiwe(fault: SiweFault, { domain }: Pick<Siwe, 'domain'>): string {
  if (fault === 'domain') {
    return domain === undefined
      ? t('It does not say which site it signs in to.')
      : t('It signs in to {site}, and that is not the site that asks.', { site: visible(domain) })
  }
  return t(faults[fault])
}

const faults: Record<Exclude<SiweFault, 'domain'>, string> = {
  malformed: wording('It looks like a message to sign in with, but is not written as one.'),
  address: wording('It names another account.'),
  chain: wording('It names another network.'),
  uri: wording('Its URI names another site.'),
  expired: wording('Its time is over.'),
  'not-yet-valid': wording('Its time has not come yet.'),
}
