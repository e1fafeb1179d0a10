import type { ComponentChildren } from 'preact'
import type { WalletError } from '../../errors.ts'
import { ErrorNote } from './ErrorMessage.tsx'
import { Page } from './Page.tsx'
import { StepCount, type StepOfProps } from './Stepper.tsx'

type Props = {
  title: string
  /** Where the form stands on a way of several screens. */
  step?: StepOfProps | undefined
  onBack(): void
  /** What the main button says. */
  act: string
  isDanger?: boolean
  /** It may be pressed. */
  isReady: boolean
  onSubmit(): void
  /** Why that failed. */
  error?: WalletError | undefined
  /** Stands below the main button. */
  below?: ComponentChildren
  children: ComponentChildren
}

/** A screen that asks for something and does one thing with it. The browser keeps nothing of what is typed there. */
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
        {step && <StepCount {...step} />}
        {children}
        {error && <ErrorNote error={error} />}
      </Page>
    </form>
  )
}
