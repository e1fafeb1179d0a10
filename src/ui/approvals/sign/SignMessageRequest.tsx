import { useState } from 'preact/hooks'
import { size as sizeOf } from 'viem'
import type { Approval, RequestByKind } from '../../../domain/dapp/approval.ts'
import { messageRisks } from '../../../domain/dapp/risks/messageRisks.ts'
import { keysToAcknowledge } from '../../../domain/dapp/risks/risk.ts'
import { readMessage } from '../../../domain/signing/messageText.ts'
import { parseSiwe, type Siwe } from '../../../domain/signing/siwe.ts'
import { toWalletError } from '../../../errors.ts'
import { plural, t } from '../../../i18n/translate.ts'
import { Alert } from '../../components/alerts/Alert.tsx'
import { Warning } from '../../components/alerts/Warning.tsx'
import { Disclosure } from '../../components/Disclosure.tsx'
import { Checkbox } from '../../components/fields/Checkbox.tsx'
import { formatBytes } from '../../format/bytes.ts'
import { shortOrigin } from '../../format/origin.ts'
import { useStores } from '../../hooks/data/useStore.ts'
import { validateSiwe } from '../../messages/siwe.ts'
import { Request, type ScreenProps } from '../Request.tsx'
import { HighlightedText } from './HighlightedText.tsx'
import { SiweRows } from './SiweRows.tsx'

/** Dapp request for `personal_sign`. */
export function SignMessageRequest({ approval, ask }: ScreenProps<'sign-message'>) {
  const message = readMessage(ask.message)
  const siwe = message.kind === 'text' ? parseSiwe(message.text) : undefined
  if (siwe !== undefined) {
    return <SignIn approval={approval} ask={ask} siwe={siwe} text={message.text} />
  }
  return <Plain approval={approval} ask={ask} />
}

function Plain({ approval, ask }: ScreenProps<'sign-message'>) {
  const { message } = ask
  const { sign } = useSign(approval, ask)
  const { kind, text } = readMessage(message)
  const [isTicked, setTicked] = useState(false)
  // Bytes that are not text cannot be reviewed.
  const isUnreadable = kind !== 'text'
  const length = kind === 'bytes' ? formatBytes(sizeOf(message)) : formatLength(text)
  return (
    <Request
      approval={approval}
      question={kind === 'hash' ? t('Sign this hash?') : t('Sign this message?')}
      accept={{ label: t('Sign'), run: sign, danger: isUnreadable, disabled: isUnreadable && !isTicked }}
      note={
        isUnreadable && (
          <Checkbox
            label={t('I understand the risk and want to sign')}
            isTicked={isTicked}
            onTick={setTicked}
          />
        )
      }
      warnings={
        isUnreadable && (
          <Alert what={t('Proceed with caution')}>
            <ul class="doubts">
              <li>
                {kind === 'hash'
                  ? t(
                      'This is a hash or packed data. Its meaning can’t be seen, and signing it could cost you everything you have.',
                    )
                  : t('This is binary data, not text. Only sign it if you know exactly what it means.')}
              </li>
            </ul>
          </Alert>
        )
      }
    >
      <Words text={text} />
      {length !== undefined && <p class="dim small aside">{length}</p>}
      {!isUnreadable && (
        <p class="dim small aside">
          {t(
            'This signature sends no transaction and costs no fee. It proves to anyone that this account agreed to the message, so only sign what you understand.',
          )}
        </p>
      )}
    </Request>
  )
}

type SignInProps = ScreenProps<'sign-message'> & { siwe: Siwe; text: string }

function SignIn({ approval, ask, siwe, text }: SignInProps) {
  const { sign, risks } = useSign(approval, ask)
  const [ticked, setTicked] = useState('')
  const { origin } = approval
  const faultsOf = (isGrave: boolean) =>
    risks.flatMap((risk) => (risk.kind === 'sign-in' && risk.isGrave === isGrave ? [risk.fault] : []))
  const [notes, grave] = [faultsOf(false), faultsOf(true)]
  // A tick holds for the warnings it was set for.
  const isTicked = ticked === grave.join()
  const isFaulty = grave.length > 0
  return (
    <Request
      approval={approval}
      question={isFaulty ? t('Sign in?') : t('Sign in to {site}?', { site: shortOrigin(origin) })}
      accept={{ label: t('Sign in'), run: sign, danger: isFaulty, disabled: isFaulty && !isTicked }}
      note={
        isFaulty && (
          <Checkbox
            label={t('I understand the risk and want to sign')}
            isTicked={isTicked}
            onTick={(isSet) => setTicked(isSet ? grave.join() : '')}
          />
        )
      }
      warnings={
        <>
          {isFaulty && (
            <Alert
              what={
                grave.includes('domain')
                  ? t('This sign-in is for a different site.')
                  : t('Suspicious sign-in request')
              }
            >
              {grave.map((fault) => (
                <p key={fault}>{validateSiwe(fault, siwe)}</p>
              ))}
            </Alert>
          )}
          {notes.map((fault) => (
            <Warning key={fault}>{validateSiwe(fault, siwe)}</Warning>
          ))}
        </>
      }
    >
      <SiweRows siwe={siwe} />
      {siwe.details === undefined ? (
        <Words text={text} />
      ) : (
        <Disclosure title={t('Message')}>
          <Words text={text} />
        </Disclosure>
      )}
    </Request>
  )
}

/** Returns the risks and `sign`, which acknowledges them. `stale-review` recomputes them. */
function useSign({ id, origin, chainId }: Approval, { message, account }: RequestByKind<'sign-message'>) {
  const { approvals } = useStores()
  const [now, setNow] = useState(Date.now)
  const risks = messageRisks(message, { origin, account, chainId, now })
  const sign = async () => {
    const acknowledged = keysToAcknowledge(risks)
    await approvals.approve(id, { kind: 'sign-message', acknowledged }).catch((error: unknown) => {
      if (toWalletError(error).code === 'stale-review') setNow(Date.now())
      throw error
    })
  }
  return { sign, risks }
}

function Words({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keys.
    <pre class="panel message" dir="auto" tabIndex={0} translate={false}>
      {text === '' ? <span class="dim">{t('Empty message')}</span> : <HighlightedText text={text} />}
    </pre>
  )
}

/** Most that fits into view. */
const maxUncounted = { lines: 12, characters: 400 }

/** Length of a text whose end may be out of view. Undefined for a short one. */
export function formatLength(text: string): string | undefined {
  const lines = text.split('\n').length
  const characters = Array.from(text).length
  if (lines <= maxUncounted.lines && characters <= maxUncounted.characters) return undefined
  const size = plural(characters, '{count} character', '{count} characters')
  return lines > 1 ? plural(lines, '{count} line, {size}', '{count} lines, {size}', { size }) : size
}
