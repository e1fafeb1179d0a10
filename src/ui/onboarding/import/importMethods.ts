import type { WalletError } from '../../../errors.ts'
import { defineMessage } from '../../../i18n/translate.ts'
import type { ImportSource } from '../../../state/account.ts'
import type { StepperProps } from '../../components/Stepper.tsx'

export type ImportFormProps = {
  step?: StepperProps | undefined
  /** Label of the submit button. */
  act: string
  onBack(): void
  onBrought(origin: ImportSource): void
  isBusy?: boolean
  error?: WalletError | undefined
}

export const importMethods = [
  {
    method: 'phrase',
    name: defineMessage('Recovery phrase'),
    hint: defineMessage('12–24 words, from any wallet'),
  },
  {
    method: 'key',
    name: defineMessage('Private key'),
    hint: defineMessage('64 characters, for a single account'),
  },
  {
    method: 'keystore',
    name: defineMessage('Keystore file'),
    hint: defineMessage('Password-protected JSON file'),
  },
  {
    method: 'watched',
    name: defineMessage('Watch an address'),
    hint: defineMessage('View only, without the private key'),
  },
] as const

export type ImportMethod = (typeof importMethods)[number]['method']

export function parseImportMethod(text: string | undefined): ImportMethod | undefined {
  return importMethods.find(({ method }) => method === text)?.method
}
