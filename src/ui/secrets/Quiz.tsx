import { useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { FormPage } from '../components/FormPage.tsx'
import { RadioGroup } from '../components/fields/RadioGroup.tsx'
import type { StepperProps } from '../components/Stepper.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { drawBelow, isRight, makeQuiz } from './quiz.ts'
import '../style/lazy/phrase.css'

type Props = {
  phrase: string
  step?: StepperProps | undefined
  onBack(): void
  /** All answers are right. */
  onRight(): Promise<unknown>
  onLater?: (() => void) | undefined
}

/** Restarts with other words after a wrong answer. */
export function Quiz({ phrase, step, onBack, onRight, onLater }: Props) {
  const words = phrase.split(' ')
  const [quiz, setQuiz] = useState(() => makeQuiz(words, drawBelow))
  const [answers, setAnswers] = useState<Record<number, string>>({})
  const [isWrong, setWrong] = useState(false)
  const right = useMutation(onRight)
  const isFull = quiz.every(({ position }) => answers[position] !== undefined)

  const check = () => {
    if (isRight(words, quiz, answers)) {
      right.run()
      return
    }
    setWrong(true)
    setQuiz(makeQuiz(words, drawBelow))
    setAnswers({})
  }
  return (
    <FormPage
      title={t('Verify your recovery phrase')}
      step={step}
      onBack={onBack}
      act={t('Verify')}
      isReady={isFull && !right.isRunning}
      onSubmit={check}
      error={right.error}
      below={
        onLater && (
          <button type="button" class="plain" disabled={right.isRunning} onClick={onLater}>
            {t('Later')}
          </button>
        )
      }
    >
      <p class="dim">{t('Select the correct word for each number.')}</p>
      <div class="quiz">
        {quiz.map(({ position, choices }) => (
          <RadioGroup
            key={`${position} ${choices.join()}`}
            legend={t('Word {number}', { number: position + 1 })}
            options={choices.map((value) => ({ value, label: value }))}
            value={answers[position] ?? ''}
            onChange={(word) => {
              setAnswers({ ...answers, [position]: word })
              setWrong(false)
            }}
          />
        ))}
      </div>
      <p class="line line-bad" role="alert">
        {isWrong ? t('At least one word was wrong. Check your backup, then answer these new questions.') : ''}
      </p>
    </FormPage>
  )
}
