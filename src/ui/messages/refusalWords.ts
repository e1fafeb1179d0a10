import { defineMessage } from '../../i18n/translate.ts'
import type { Sentence } from './errors.ts'

/** Why what the user gave cannot be taken, or a change be made (`facts.why`). */
export const refusalSentences: Record<string, Sentence> = {
  chosen: {
    what: defineMessage('This is the network you are on.'),
    next: defineMessage('Choose another one first, then remove it.'),
  },
  busy: {
    what: defineMessage('A transaction is under way on this network.'),
    next: defineMessage('Remove it when that is over.'),
  },
  'built-in': {
    what: defineMessage('This network came with the wallet and stays.'),
    next: defineMessage('Empty its addresses, and nobody is asked.'),
  },
  'not-allowed': {
    what: defineMessage('The browser was not allowed to reach these addresses.'),
    next: defineMessage('Nothing was saved. Save again, and allow it when the browser asks.'),
  },
  'too-late': {
    what: defineMessage('The browser’s permission came more than five minutes after you saved.'),
    next: defineMessage('Nothing was saved. Save again.'),
  },
  'no-backup': {
    what: defineMessage('This is no file of Sluice’s settings.'),
    next: defineMessage('Choose the file that “Save to a file” made.'),
  },
  'newer-backup': {
    what: defineMessage('A newer version of Sluice wrote this file.'),
    next: defineMessage('Nothing was changed. Update Sluice, then read it again.'),
  },
  'broken-backup': {
    what: defineMessage('The part {where} of this file cannot be used.'),
    next: defineMessage('Choose the file that “Save to a file” made.'),
  },
  'other-settings': {
    what: defineMessage('The settings were changed elsewhere meanwhile.'),
    next: defineMessage('Nothing was changed here. Choose the file again.'),
  },
  'too-many-contacts': {
    what: defineMessage('There are too many contacts.'),
    next: defineMessage('Nothing was changed. Remove some, then choose the file again.'),
  },
  'known-account': {
    what: defineMessage('It is in the wallet already.'),
    next: defineMessage('Look for it among your accounts: it may be hidden.'),
  },
  'full-vault': {
    what: defineMessage('There is no room for more accounts.'),
    next: defineMessage('Remove one first.'),
  },
  checksum: {
    what: defineMessage('These words do not make a phrase.'),
    next: defineMessage(
      'Its checksum fails: a word is wrong, or two are swapped. Compare each with your paper.',
    ),
  },
  'no-keystore': {
    what: defineMessage('This is no keystore file.'),
    next: defineMessage('Choose the JSON file that the other wallet exported.'),
  },
  'unknown-keystore': {
    what: defineMessage('This keystore file is locked in a way that Sluice does not know.'),
    next: defineMessage('Export the private key from the other wallet, and import that.'),
  },
  'damaged-keystore': {
    what: defineMessage('This keystore file is damaged.'),
    next: defineMessage('Export it again from the other wallet.'),
  },
  'keystore-password': {
    what: defineMessage('That is not the password of this file.'),
    next: defineMessage('Use the one that it was exported with.'),
  },
}
