import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../Icon.tsx'

type Props = { text: string; label: string; children?: ComponentChildren }

/** Copies public text, never secrets. */
export function CopyButton({ text, label, children }: Props) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_600)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <button type="button" class="copy" title={text} onClick={copy}>
      <span class="unseen">{label} </span>
      {children}
      <Icon name={copied ? 'check' : 'copy'} size={15} />
      <span class="unseen" role="status">
        {copied ? t('Copied') : ''}
      </span>
    </button>
  )
}
