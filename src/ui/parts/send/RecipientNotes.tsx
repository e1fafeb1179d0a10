import type { RecipientWord } from '../../words/recipientWords.ts'
import { AddressGroups } from '../AddressGroups.tsx'
import { Note } from '../Note.tsx'
import { Stop } from '../Stop.tsx'

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
