import { useEffect, useState } from 'preact/hooks'
import { freshPhrase } from '../../state/router.ts'
import { useMutation } from '../hooks/useMutation.ts'
import { useStores } from '../hooks/useStore.ts'
import { WriteDown } from '../secrets/BackupPhrase.tsx'
import { Quiz } from '../secrets/Quiz.tsx'
import { stepsFor } from './onboarding.ts'

/** The phrase of a fresh wallet: to write down, then three words of it to tell. */
export function Phrase({ phrase }: { phrase: string }) {
  const { account, place, purpose } = useStores()
  const [isWritten, setWritten] = useState(false)
  const leave = async (done: { written: boolean }) => {
    if (purpose === 'form') place.replace('begin', 'create')
    await account.leavePhrase(done)
  }
  const later = useMutation(() => leave({ written: false }))
  // The words are in this page alone: loaded anew, it asks for them behind the password.
  useEffect(() => {
    if (purpose === 'form') place.replace('phrase', freshPhrase)
  }, [])
  const of = stepsFor(purpose).create
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
    <WriteDown
      phrase={phrase}
      step={{ at: 2, of }}
      onWritten={() => setWritten(true)}
      onLater={() => later.run()}
      error={later.error}
    />
  )
}
