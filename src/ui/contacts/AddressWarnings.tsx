import { AddressGroups } from '../components/AddressGroups.tsx'
import { Stop } from '../components/Alert.tsx'
import { Note } from '../components/Warning.tsx'
import type { RecipientWord } from '../messages/recipient.ts'

/** What is to be known of a receiver, what weighs most first. */
export function RecipientNotes({ words }: { words: RecipientWord[] }) {
  return (
    <>
      {words.map(({ tone, words: sentence, of }) => {
        if (tone === 'warn') return <Note key={sentence}>{sentence}</Note>
        if (tone === 'plain') {
          return (
            <p key={sentence} class="aside small dim">
              {sentence}
            </p>
          )
        }
        return (
          <Stop key={sentence} what={sentence}>
            {of && <AddressGroups address={of} />}
          </Stop>
        )
      })}
    </>
  )
}
