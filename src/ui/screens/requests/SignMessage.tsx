import { useState } from 'preact/hooks'
import { sizeOf } from '../../../domain/hex.ts'
import type { Approval } from '../../../domain/page/approval.ts'
import { checkSiwe, parseSiwe, type Siwe, type SiweFault } from '../../../domain/signing/siwe.ts'
import type { Address, Hex } from '../../../domain/token/token.ts'
import { plural, t } from '../../../language/translate.ts'
import { shortOrigin } from '../../format/origin.ts'
import { useStores } from '../../hooks/use.ts'
import { Fold } from '../../parts/Fold.tsx'
import { Note } from '../../parts/Note.tsx'
import { Marked } from '../../parts/requests/Marked.tsx'
import { readMessage } from '../../parts/requests/messageText.ts'
import { Request, type ScreenProps } from '../../parts/requests/Request.tsx'
import { SiweRows } from '../../parts/requests/SiweRows.tsx'
import { Stop } from '../../parts/Stop.tsx'
import { Tick } from '../../parts/Tick.tsx'
import { sayBytes } from '../../words/sayBytes.ts'
import { faultOfSiwe } from '../../words/siweWords.ts'

/** A page asks for the signature of a text, most often to sign in. */
export function SignMessage({ approval, ask }: ScreenProps<'sign-message'>) {
  const message = readMessage(ask.message)
  const siwe = message.kind === 'text' ? parseSiwe(message.text) : undefined
  if (siwe !== undefined) {
    return <SignIn approval={approval} account={ask.account} siwe={siwe} text={message.text} />
  }
  return <Plain approval={approval} message={ask.message} />
}

function Plain({ approval, message }: { approval: Approval; message: Hex }) {
  const sign = useSign(approval)
  const { kind, text } = readMessage(message)
  const [isTicked, setTicked] = useState(false)
  // Bytes that are no text cannot be judged either.
  const isUnreadable = kind !== 'text'
  return (
    <Request
      approval={approval}
      title={kind === 'hash' ? t('Sign a hash') : t('Sign a message')}
      accept={{ label: t('Sign'), run: sign, danger: isUnreadable, disabled: isUnreadable && !isTicked }}
      note={isUnreadable && <Tick label={t('Sign anyway')} isTicked={isTicked} onTick={setTicked} />}
    >
      {isUnreadable && (
        <Stop what={t('Look twice.')}>
          <ul class="doubts">
            <li>
              {kind === 'hash'
                ? t(
                    'This is a hash or packed data. What it stands for cannot be seen, and it may be worth all you have.',
                  )
                : t('This is not a text. Only somebody who knows what it means should sign it.')}
            </li>
          </ul>
        </Stop>
      )}
      <Words text={text} />
      <p class="dim small aside">{measure(message, text)}</p>
    </Request>
  )
}

type SignInProps = { approval: Approval; account: Address; siwe: Siwe; text: string }

function SignIn({ approval, account, siwe, text }: SignInProps) {
  const sign = useSign(approval)
  const [now] = useState(Date.now)
  const [isTicked, setTicked] = useState(false)
  const { origin, chainId } = approval
  const faults = checkSiwe(siwe, { origin, account, chainId, now })
  // Sites often write one chain or one address of theirs into every message: worth a word, and no more.
  const isSmall = (fault: SiweFault) => fault === 'chain' || fault === 'uri'
  const notes = faults.filter(isSmall)
  const grave = faults.filter((fault) => !isSmall(fault))
  const isFaulty = grave.length > 0
  return (
    <Request
      approval={approval}
      title={isFaulty ? t('Sign in') : t('Sign in to {site}', { site: shortOrigin(origin) })}
      accept={{ label: t('Sign in'), run: sign, danger: isFaulty, disabled: isFaulty && !isTicked }}
      note={isFaulty && <Tick label={t('Sign anyway')} isTicked={isTicked} onTick={setTicked} />}
    >
      {isFaulty && (
        <Stop
          what={
            grave.includes('domain') ? t('This is for another site.') : t('Something is wrong with this.')
          }
        >
          {grave.map((fault) => (
            <p key={fault}>{faultOfSiwe(fault, siwe)}</p>
          ))}
        </Stop>
      )}
      {notes.map((fault) => (
        <Note key={fault}>{faultOfSiwe(fault, siwe)}</Note>
      ))}
      <SiweRows siwe={siwe} />
      {siwe.details === undefined ? (
        <Words text={text} />
      ) : (
        <Fold title={t('The message itself')}>
          <Words text={text} />
        </Fold>
      )}
    </Request>
  )
}

function useSign({ id }: Approval) {
  const { approvals } = useStores()
  return () => approvals.approve(id, { kind: 'sign-message' })
}

/** A stranger's words, whole, in a box that scrolls. */
function Words({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys.
    <pre class="panel message" dir="auto" tabIndex={0} translate={false}>
      {text === '' ? <span class="dim">{t('Empty')}</span> : <Marked text={text} />}
    </pre>
  )
}

function measure(message: Hex, text: string): string {
  const lines = text.split('\n').length
  const bytes = sizeOf(message)
  const size = sayBytes(bytes)
  return lines > 1 ? plural(lines, '{count} line, {size}', '{count} lines, {size}', { size }) : size
}
