import type { Siwe } from '../../domain/siwe.ts'
import { formatMoment } from '../time.ts'
import { Marked } from './Marked.tsx'
import { PublicAddress } from './PublicAddress.tsx'
import { Row } from './Row.tsx'

/** What a message to sign in with says, line by line. */
export function SiweRows({ siwe: { domain, address, details } }: { siwe: Siwe }) {
  if (details === undefined) return null
  const { statement, uri, chainId, nonce, issuedAt, expiresAt, notBefore, requestId, resources } = details
  return (
    <>
      {statement !== undefined && (
        <p class="panel said">
          <Marked text={statement} />
        </p>
      )}
      <dl class="rows panel rows-wrap">
        <Row name="Site">
          <Marked text={domain ?? '–'} />
        </Row>
        <Row name="URI">
          <Marked text={uri} />
        </Row>
        {address && (
          <Row name="Account">
            <PublicAddress address={address} of="the account" />
          </Row>
        )}
        <Row name="Network">Chain {chainId}</Row>
        <Row name="Nonce">{nonce}</Row>
        <Row name="Issued">{formatMoment(issuedAt)}</Row>
        {notBefore !== undefined && <Row name="Valid from">{formatMoment(notBefore)}</Row>}
        <Row name="Expires">{expiresAt === undefined ? 'Never' : formatMoment(expiresAt)}</Row>
        {requestId !== undefined && (
          <Row name="Request">
            <Marked text={requestId} />
          </Row>
        )}
        {resources.map((resource, at) => (
          <Row key={at} name={at === 0 ? 'Resources' : ''}>
            <Marked text={resource} />
          </Row>
        ))}
      </dl>
    </>
  )
}
