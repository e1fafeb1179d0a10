import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { Alert } from '../components/alerts/Alert.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import type { RecipientNotice } from '../messages/recipient.ts'

/** Lists warnings, most severe first. */
export function AddressWarnings({ words }: { words: RecipientNotice[] }) {
  return (
    <>
      {words.map(({ tone, words: sentence, of }) => {
        if (tone === 'warn') return <Warning key={sentence}>{sentence}</Warning>
        if (tone === 'plain') {
          return (
            <p key={sentence} class="aside small dim">
              {sentence}
            </p>
          )
        }
        return (
          <Alert key={sentence} what={sentence}>
            {of && <AddressGroups address={of} />}
          </Alert>
        )
      })}
    </>
  )
}
