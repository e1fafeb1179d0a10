import type { ComponentChildren } from 'preact'
import type { Address } from '../../../domain/token/token.ts'
import { CopyableAddress } from '../../components/address/CopyableAddress.tsx'
import { Row } from '../../components/Row.tsx'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import { TokenSide } from '../../tokens/TokenSide.tsx'
import type { FindToken } from '../../tokens/useTokens.ts'
import { RouterTag } from '../swap/RouterTag.tsx'
import type { CallDetail, CallView } from './callView.ts'
import { Recipient } from './Recipient.tsx'

type Shared = FactProps & { tokenOf: FindToken }

type FactProps = {
  chainId: number
  isNew: IsNew
  /** True when the worker found another contract at a known router's address. */
  hasStranger?: boolean
}

/** True for an address without an earlier transfer. */
type IsNew = (address: Address) => boolean

type Props = Shared & { view: CallView; children?: ComponentChildren }

/** `children` are extra rows. */
export function CallCard({ view: { sides, facts }, tokenOf, children, ...rest }: Props) {
  return (
    <>
      {sides.length > 0 && (
        <section class="panel sides sides-apart">
          {sides.map((side) => (
            <TokenSide key={side.what} {...side} token={tokenOf(side.address)} />
          ))}
        </section>
      )}
      {facts.length > 0 && (
        <dl class="rows panel rows-wrap">
          {facts.map((fact) => (
            <Row key={fact.name} name={fact.name}>
              <FactValue fact={fact} {...rest} />
            </Row>
          ))}
          {children}
        </dl>
      )}
    </>
  )
}

export function CallList({ views, tokenOf, ...rest }: Shared & { views: CallView[] }) {
  return (
    <section class="panel plan call-list">
      <ol>
        {views.map(({ title, sides, facts }, at) => (
          <li key={at}>
            <span class="call-line">
              <strong>{title}</strong>
              {sides.map((side) => (
                <span key={side.what}>
                  <span class="dim">{side.what} </span>
                  <TokenAmount amount={side.amount} address={side.address} token={tokenOf(side.address)} />
                </span>
              ))}
              {facts.map((fact) => (
                <span key={fact.name}>
                  <span class="dim">{fact.name} </span>
                  <FactValue fact={fact} {...rest} />
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function FactValue({ fact, chainId, isNew, hasStranger = false }: FactProps & { fact: CallDetail }) {
  if ('text' in fact) return <span>{fact.text}</span>
  const { address, name, isBad, isRecipient, router } = fact
  return (
    <span class={isBad ? 'bad' : ''}>
      {isRecipient ? (
        <Recipient address={address} of={name} isNew={isNew(address)} />
      ) : (
        <span class="inline">
          {router && (router === 'unknown' || !hasStranger) && (
            <RouterTag address={address} chainId={chainId} isKnown={router === 'known'} />
          )}
          <CopyableAddress address={address} of={name} />
        </span>
      )}
    </span>
  )
}
