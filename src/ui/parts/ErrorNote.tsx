import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { WalletError } from '../../errors.ts'
import { t } from '../../language/translate.ts'
import { useSentence } from '../words/useWords.ts'

/** An error in words, what to do next, and behind a fold the facts for whoever asks for help. */
export function ErrorNote({ error, children }: { error: WalletError; children?: ComponentChildren }) {
  const { what, next, details } = useSentence(error)
  const note = useRef<HTMLDivElement>(null)
  // Below the fold nobody would see it.
  useEffect(() => note.current?.scrollIntoView({ block: 'nearest' }), [error])
  return (
    <div ref={note} class="note note-bad" role="alert">
      <p>
        <strong>{what}</strong> {next}
      </p>
      {children}
      <details>
        <summary>{t('Details')}</summary>
        <pre>{details}</pre>
      </details>
    </div>
  )
}
