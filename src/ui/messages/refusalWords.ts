import { wording } from '../../i18n/translate.ts'
import type { Sentence } from './errors.ts'

/** Why what the user gave cannot be taken, or a change be made (`facts.why`). */
export const refusalSentences: Record<string, Sentence> = {
  chosen: {
    what: wording('This is the network you are on.'),
    next: wording('Choose another one first, then remove it.'),
  },
  busy: {
    what: wording('A transaction is under way on this network.'),
    next: wording('Remove it when that is over.'),
  },
  'built-in': {
    what: wording('This network came with the wallet and stays.'),
    next: wording('Empty its addresses, and nobody is asked.'),
  },
  'not-allowed': {
    what: wording('The browser was not allowed to reach these addresses.'),
    next: wording('Nothing was saved. Save again, and allow it when the browser asks.'),
  },
  'too-late': {
    what: wording('The browser’s permission came more than five minutes after you saved.'),
    next: wording('Nothing was saved. Save again.'),
  },
  'no-backup': {
    what: wording('This is no file of Sluice’s settings.'),
    next: wording('Choose the file that “Save to a file” made.'),
  },
  'newer-backup': {
    what: wording('A newer version of Sluice wrote this file.'),
    next: wording('Nothing was changed. Update Sluice, then read it again.'),
  },
  'broken-backup': {
    what: wording('The part {where} of this file cannot be used.'),
    next: wording('Choose the file that “Save to a file” made.'),
  },
  'other-settings': {
    what: wording('The settings were changed elsewhere meanwhile.'),
    next: wording('Nothing was changed here. Choose the file again.'),
  },
  'too-many-contacts': {
    what: wording('There are too many contacts.'),
    next: wording('Nothing was changed. Remove some, then choose the file again.'),
  },
  'known-account': {
    what: wording('It is in the wallet already.'),
    next: wording('Look for it among your accounts: it may be hidden.'),
  },
  'full-vault': {
    what: wording('There is no room for more accounts.'),
    next: wording('Remove one first.'),
  },
  checksum: {
    what: wording('These words do not make a phrase.'),
    next: wording('Its checksum fails: a word is wrong, or two are swapped. Compare each with your paper.'),
  },
  'no-keystore': {
    what: wording('This is no keystore file.'),
    next: wording('Choose the JSON file that the other wallet exported.'),
  },
  'unknown-keystore': {
    what: wording('This keystore file is locked in a way that Sluice does not know.'),
    next: wording('Export the private key from the other wallet, and import that.'),
  },
  'damaged-keystore': {
    what: wording('This keystore file is damaged.'),
    next: wording('Export it again from the other wallet.'),
  },
  'keystore-password': {
    what: wording('That is not the password of this file.'),
    next: wording('Use the one that it was exported with.'),
  },
}
