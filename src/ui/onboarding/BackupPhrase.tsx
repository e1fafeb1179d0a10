import { useEffect, useState } from 'preact/hooks'
import { freshPhrase } from '../../state/router.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { Quiz } from '../secrets/Quiz.tsx'
import { WriteDownPhrase } from '../secrets/WriteDownPhrase.tsx'
import { useOnboardingSteps } from './onboarding.ts'

export function BackupPhrase({ phrase }: { phrase: string }) {
  const { account, router, purpose } = useStores()
  const [isWritten, setWritten] = useState(false)
  const leave = async (done: { written: boolean }) => {
    if (purpose === 'form') router.replace('begin', 'create')
    await account.leavePhrase(done)
  }
  const later = useMutation(() => leave({ written: false }))
  // After a reload the phrase takes the password.
  useEffect(() => {
    if (purpose === 'form') router.replace('phrase', freshPhrase)
  }, [])
  const of = useOnboardingSteps().create
  if (isWritten) {
    return (
      <Quiz
        phrase={phrase}
        step={{ at: 3, of }}
        onBack={() => setWritten(false)}
        onRight={() => leave({ written: true })}
        onLater={() => later.run()}
      />
    )
  }
  return (
    <WriteDownPhrase
      phrase={phrase}
      step={{ at: 2, of }}
      onWritten={() => setWritten(true)}
      onLater={() => later.run()}
      error={later.error}
    />
  )
}
