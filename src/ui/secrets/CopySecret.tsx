import { useState } from 'preact/hooks'
import { defineMessage, t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { type Copied, copySecret } from './secretClipboard.ts'

const sayings: Record<Copied, string> = {
  held: defineMessage('Copied. Keep this window open: the clipboard will be cleared in 1 minute.'),
  stuck: defineMessage('The browser blocked clearing the clipboard. Click here, or copy something else.'),
  emptied: defineMessage('Clipboard cleared'),
}

/** Copies after a warning. */
export function CopySecret({ text }: { text: string }) {
  const [isAsking, setAsking] = useState(false)
  const [copied, setCopied] = useState<Copied | undefined>()
  const copy = useMutation(async () => {
    await copySecret(text, setCopied)
    setAsking(false)
  })
  if (!isAsking) {
    return (
      <div class="stack">
        <button type="button" class="second" onClick={() => setAsking(true)}>
          {t('Copy to clipboard')}
        </button>
        <p class={copied === 'stuck' ? 'line line-bad' : 'line'} role="status">
          {copied ? t(sayings[copied]) : ''}
        </p>
      </div>
    )
  }
  return (
    <div class="stack">
      <Warning>
        {t(
          'Any app on this computer can read the clipboard. If this window stays open, the clipboard is cleared after 1 minute, even if you’ve copied something else by then.',
        )}
      </Warning>
      {copy.error && <ErrorMessage error={copy.error} />}
      <button type="button" class="second second-danger" disabled={copy.isRunning} onClick={() => copy.run()}>
        {t('Copy anyway')}
      </button>
      <button type="button" class="plain" onClick={() => setAsking(false)}>
        {t('Cancel')}
      </button>
    </div>
  )
}
