import type { ComponentChildren } from 'preact'
import type { WalletError } from '../../errors.ts'
import { ErrorMessage } from './alerts/ErrorMessage.tsx'
import { Page } from './Page.tsx'
import { Stepper, type StepperProps } from './Stepper.tsx'

type Props = {
  title: string
  step?: StepperProps | undefined
  onBack(): void
  /** Label of the submit button. */
  act: string
  isDanger?: boolean
  isReady: boolean
  onSubmit(): void
  error?: WalletError | undefined
  below?: ComponentChildren
  children: ComponentChildren
}

/** Disables browser autocomplete. */
export function FormPage({
  title,
  step,
  onBack,
  act,
  isDanger = false,
  isReady,
  onSubmit,
  error,
  below,
  children,
}: Props) {
  return (
    <form
      class="fill"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onSubmit()
      }}
    >
      <Page
        title={title}
        onBack={onBack}
        foot={
          <div class="stack">
            <button class={isDanger ? 'main main-danger' : 'main'} type="submit" disabled={!isReady}>
              {act}
            </button>
            {below}
          </div>
        }
      >
        {step && <Stepper {...step} />}
        {children}
        {error && <ErrorMessage error={error} />}
      </Page>
    </form>
  )
}
