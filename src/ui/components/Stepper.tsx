import { t } from '../../i18n/translate.ts'
import '../style/lazy/stepper.css'

export type StepperProps = { at: number; of: number }

export function Stepper({ at, of }: StepperProps) {
  return (
    <div class="step-of">
      <p class="dim small">{t('Step {at} of {of}', { at, of })}</p>
      <div class="step-of-bars" aria-hidden="true">
        {Array.from({ length: of }, (_, index) => (
          <span key={index} data-done={index < at} />
        ))}
      </div>
    </div>
  )
}
