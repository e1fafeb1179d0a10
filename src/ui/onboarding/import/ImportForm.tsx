import type { WalletError } from '../../../errors.ts'
import type { ImportSource } from '../../../state/account.ts'
import type { StepperProps } from '../../components/Stepper.tsx'
import { ImportAddress } from './ImportAddress.tsx'
import { ImportKeystore } from './ImportKeystore.tsx'
import { ImportPhrase } from './ImportPhrase.tsx'
import { ImportPrivateKey } from './ImportPrivateKey.tsx'
import type { ImportMethod } from './importMethods.ts'

export type ImportFormProps = {
  step?: StepperProps | undefined
  /** Label of the submit button. */
  act: string
  onBack(): void
  onBrought(origin: ImportSource): void
  isBusy?: boolean
  error?: WalletError | undefined
}

export function ImportForm({ method, ...props }: ImportFormProps & { method: ImportMethod }) {
  switch (method) {
    case 'phrase':
      return <ImportPhrase {...props} />
    case 'key':
      return <ImportPrivateKey {...props} />
    case 'keystore':
      return <ImportKeystore {...props} />
    case 'watched':
      return <ImportAddress {...props} />
  }
}
