import type { Siwe, SiweFault } from '../domain/siwe.ts'
import { visible } from './format.ts'

/** What is wrong with a message to sign in with, in words. */
export function faultOfSiwe(fault: SiweFault, { domain }: Siwe): string {
  if (fault === 'domain') {
    return domain === undefined
      ? 'It does not say which site it signs in to.'
      : `It signs in to ${visible(domain)}, and that is not the site that asks.`
  }
  return faults[fault]
}

const faults: Record<Exclude<SiweFault, 'domain'>, string> = {
  malformed: 'It looks like a message to sign in with, but is not written as one.',
  address: 'It names another account.',
  chain: 'It names another network.',
  uri: 'It leads to another site.',
  expired: 'Its time is over.',
  'not-yet-valid': 'Its time has not come yet.',
}
