import type { TypedDataDescription } from '../../../domain/signing/description.ts'
import { readMessage } from '../../../domain/signing/messageText.ts'
import type { Address, Hex } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Row } from '../../components/Row.tsx'
import { Lookalikes } from '../../tokens/Lookalikes.tsx'
import { useTokenList } from '../../tokens/useTokenList.ts'
import { useTokenLookup } from '../../tokens/useTokens.ts'
import { HighlightedText } from '../sign/HighlightedText.tsx'
import { AddressRow, type SignedProps, Until } from './AddressRow.tsx'
import { OrderWords } from './OrderWords.tsx'
import { PermitWords } from './PermitWords.tsx'
import { SignedCalls } from './SignedCalls.tsx'
import { TransferWords } from './TransferWords.tsx'

type Props = {
  description: TypedDataDescription
  chainId: number
  account: Address
  now: number
  isSpenderKnown: boolean
  /** True without an earlier transfer. */
  isNew(address: Address): boolean
}

export function SignedWords({ description, isSpenderKnown, isNew, ...rest }: Props) {
  useTokenList(rest.chainId)
  const tokens = toTokens(description)
  const tokenOf = useTokenLookup(rest.chainId, tokens)
  const props: SignedProps = { ...rest, tokenOf }
  switch (description.kind) {
    case 'permit':
    case 'transfer':
    case 'order':
      return (
        <>
          <Lookalikes chainId={rest.chainId} tokens={tokens.map(tokenOf)} />
          {description.kind === 'permit' ? (
            <PermitWords {...props} permit={description} isSpenderKnown={isSpenderKnown} />
          ) : description.kind === 'transfer' ? (
            <TransferWords {...props} transfer={description} isNew={isNew} />
          ) : (
            <OrderWords {...props} order={description} />
          )}
        </>
      )
    case 'authorization': {
      const { protocol, manager, owner, isAllowed, until } = description
      return (
        <dl class="rows panel rows-wrap">
          <Row name={t('Protocol')}>{protocol}</Row>
          <AddressRow name={isAllowed ? t('Manager') : t('Removed manager')} address={manager} />
          <Row name={t('Allowed to')}>
            {isAllowed ? (
              <span class="bad">{t('Withdraw and borrow everything')}</span>
            ) : (
              t('Nothing (revoked)')
            )}
          </Row>
          {owner !== rest.account && <AddressRow name={t('Owner')} address={owner} isBad />}
          {isAllowed && <Row name={t('Validity')}>{t('Until you revoke it')}</Row>}
          <Row name={t('Signature validity')}>
            <Until until={until} now={rest.now} />
          </Row>
        </dl>
      )
    }
    case 'cancellation':
      return (
        <dl class="rows panel rows-wrap">
          <Row name={t('Cancels')}>{t('A previously signed transfer')}</Row>
          {description.owner !== rest.account && (
            <AddressRow name={t('Owner')} address={description.owner} isBad />
          )}
        </dl>
      )
    case 'calls':
      return <SignedCalls {...props} calls={description} isNew={isNew} />
    case 'safe-message':
      return <SignedMessage message={description.message} safe={description.contract} />
    default:
      return null
  }
}

function toTokens(description: TypedDataDescription): Address[] {
  if (description.kind === 'calls') return description.fee ? [description.fee.token] : []
  if (!('terms' in description)) return []
  const { leaves, arrives, fees } = description.terms
  // Collections have no decimals.
  const amounts = [...leaves, ...arrives, ...fees].filter(({ item }) => item === undefined)
  return [...new Set(amounts.map(({ token }) => token))]
}

/** Message of a Safe, decoded if it is text. */
function SignedMessage({ message, safe }: { message: Hex; safe: Address | undefined }) {
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
