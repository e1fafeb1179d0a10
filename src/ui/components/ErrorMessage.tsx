import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { WalletError } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import { useErrorMessage } from '../messages/useMessages.ts'

type Props = {
  error: WalletError
  /** In place of the usual sentence about what to do next. */
  next?: ComponentChildren
  children?: ComponentChildren
}

/** An error in words, what to do next, and behind a fold the facts for whoever asks for help. */
export function ErrorNote({ error, next, children }: Props) {
  const { what, next: usual, details } = useErrorMessage(error)
  const note = useRef<HTMLDivElement>(null)
  // Below the fold nobody would see it.
  useEffect(() => note.current?.scrollIntoView({ block: 'nearest' }), [error])
  return (
    <div ref={note} class="note note-bad" role="alert">
      <p>
        <strong>{what}</strong> {next ?? usual}
      </p>
      {children}
      <details>
        <summary>{t('Details')}</summary>
        <pre>{details}</pre>
      </details>
    </div>
  )
}
