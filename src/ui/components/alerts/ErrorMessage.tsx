import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { WalletError } from '../../../errors.ts'
import { t } from '../../../i18n/translate.ts'
import { useErrorMessage } from '../../messages/useMessages.ts'

type Props = {
  error: WalletError
  /** Replaces the default advice. */
  next?: ComponentChildren
  children?: ComponentChildren
}

/** Message, advice and collapsed details of an error. */
export function ErrorMessage({ error, next, children }: Props) {
  const { what, next: usual, details } = useErrorMessage(error)
  const note = useRef<HTMLDivElement>(null)
  // May be outside the visible part.
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
