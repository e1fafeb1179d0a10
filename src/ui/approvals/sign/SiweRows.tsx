import type { Siwe } from '../../../domain/signing/siwe.ts'
import { t } from '../../../i18n/translate.ts'
import { CopyableAddress } from '../../components/address/CopyableAddress.tsx'
import { Row } from '../../components/Row.tsx'
import { formatMoment } from '../../format/time.ts'
import { HighlightedText } from './HighlightedText.tsx'

/** Fields of a Sign-In with Ethereum message (EIP-4361). */
export function SiweRows({ siwe: { domain, address, details } }: { siwe: Siwe }) {
  if (details === undefined) return null
  const { statement, uri, chainId, nonce, issuedAt, expiresAt, notBefore, requestId, resources } = details
  return (
    <>
      {statement !== undefined && (
        <p class="panel said">
          <HighlightedText text={statement} />
        </p>
      )}
      <dl class="rows panel rows-wrap">
        <Row name={t('Site')}>
          <HighlightedText text={domain ?? '–'} />
        </Row>
        <Row name={t('URI')}>
          <HighlightedText text={uri} />
        </Row>
        {address && (
          <Row name={t('Account')}>
            <CopyableAddress address={address} of={t('the account')} />
          </Row>
        )}
        <Row name={t('Network')}>{t('Chain ID {chainId}', { chainId })}</Row>
        <Row name={t('Nonce')}>{nonce}</Row>
        <Row name={t('Issued at')}>{formatMoment(issuedAt)}</Row>
        {notBefore !== undefined && <Row name={t('Valid from')}>{formatMoment(notBefore)}</Row>}
        <Row name={t('Expires')}>{expiresAt === undefined ? t('Never') : formatMoment(expiresAt)}</Row>
        {requestId !== undefined && (
          <Row name={t('Request ID')}>
            <HighlightedText text={requestId} />
          </Row>
        )}
        {resources.map((resource, at) => (
          <Row key={at} name={at === 0 ? t('Resources') : ''}>
            <HighlightedText text={resource} />
          </Row>
        ))}
      </dl>
    </>
  )
}
