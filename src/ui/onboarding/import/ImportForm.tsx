import type { WalletError } from '../../../errors.ts'
import type { ImportSource } from '../../../state/account.ts'
import type { StepOfProps } from '../../components/Stepper.tsx'
import { BringAddress } from './ImportAddress.tsx'
import { BringKeystore } from './ImportKeystore.tsx'
import { BringPhrase } from './ImportPhrase.tsx'
import { BringKey } from './ImportPrivateKey.tsx'
import type { ImportMethod } from './importMethods.ts'

/** Where something that somebody has is asked for, and what is done with it. */
export type BringProps = {
  step?: StepOfProps | undefined
  /** What the button says. */
  act: string
  onBack(): void
  onBrought(origin: ImportSource): void
  /** It is being brought. */
  isBusy?: boolean
  /** Why that failed. */
  error?: WalletError | undefined
}

/** The form for what somebody has. */
export function Bring({ method, ...props }: BringProps & { method: ImportMethod }) {
  switch (method) {
    case 'phrase':
      return <BringPhrase {...props} />
    case 'key':
      return <BringKey {...props} />
    case 'keystore':
      return <BringKeystore {...props} />
    case 'watched':
      return <BringAddress {...props} />
  }
}
