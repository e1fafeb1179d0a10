import { readMessage } from '../../../domain/signing/messageText.ts'
import type { Address, Hex } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { HighlightedText } from '../HighlightedText.tsx'
import { AddressRow } from './AddressRow.tsx'

/** Safe message, decoded if text. */
export function SignedMessage({ message, safe }: { message: Hex; safe: Address | undefined }) {
  const { text } = readMessage(message)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys. */}
      <pre class="panel message" dir="auto" tabIndex={0} translate={false}>
        {text === '' ? <span class="dim">{t('Empty message')}</span> : <HighlightedText text={text} />}
      </pre>
      {safe && (
        <dl class="rows panel rows-wrap">
          <AddressRow name={t('On behalf of')} address={safe} />
        </dl>
      )}
    </>
  )
}
