import { defineMessage } from '../../../i18n/translate.ts'

/** Messages by `facts.why`. */
export const inputErrorSentences: Record<string, { what: string; next: string }> = {
  chosen: {
    what: defineMessage('This is your current network.'),
    next: defineMessage('Switch to another network before removing it.'),
  },
  busy: {
    what: defineMessage('This network has a pending transaction.'),
    next: defineMessage('Remove the network once it’s finished.'),
  },
  'built-in': {
    what: defineMessage('This network is built in and can’t be removed.'),
    next: defineMessage('Clear its URLs to stop all requests.'),
  },
  'not-allowed': {
    what: defineMessage('The browser denied access to these hosts.'),
    next: defineMessage('Nothing was saved. Save again and allow access when the browser asks.'),
  },
  'too-late': {
    what: defineMessage('Browser access was granted more than 5 minutes after saving.'),
    next: defineMessage('Nothing was saved. Save again.'),
  },
  'no-backup': {
    what: defineMessage('This isn’t a Sluice settings file.'),
    next: defineMessage('Choose a settings file exported from Sluice.'),
  },
  'newer-backup': {
    what: defineMessage('This file was saved by a newer version of Sluice.'),
    next: defineMessage('Nothing was changed. Update Sluice, then import it again.'),
  },
  'broken-backup': {
    what: defineMessage('This file has an invalid entry: {where}.'),
    next: defineMessage('Choose a settings file exported from Sluice.'),
  },
  'other-settings': {
    what: defineMessage('The settings were changed elsewhere in the meantime.'),
    next: defineMessage('Nothing was changed here. Choose the file again.'),
  },
  'too-many-contacts': {
    what: defineMessage('Contact limit reached.'),
    next: defineMessage('Nothing was changed. Remove some, then choose the file again.'),
  },
  'known-account': {
    what: defineMessage('Already in your wallet.'),
    next: defineMessage('Check your accounts: it may be hidden.'),
  },
  'full-vault': {
    what: defineMessage('Account limit reached.'),
    next: defineMessage('Remove an account first.'),
  },
  checksum: {
    what: defineMessage('Invalid recovery phrase.'),
    next: defineMessage(
      'The checksum doesn’t match: a word is wrong, or two are swapped. Compare each word with your written backup.',
    ),
  },
  'no-keystore': {
    what: defineMessage('This isn’t a keystore file.'),
    next: defineMessage('Choose the JSON file exported from the other wallet.'),
  },
  'unknown-keystore': {
    what: defineMessage('This keystore’s encryption isn’t supported.'),
    next: defineMessage('Export the private key from the other wallet and import that instead.'),
  },
  'damaged-keystore': {
    what: defineMessage('This keystore file is corrupted.'),
    next: defineMessage('Export it again from the other wallet.'),
  },
  'keystore-password': {
    what: defineMessage('Incorrect keystore password.'),
    next: defineMessage('Use the password it was exported with.'),
  },
}
