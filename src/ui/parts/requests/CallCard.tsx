import type { ComponentChildren } from 'preact'
import type { Address } from '../../../domain/token/token.ts'
import { PublicAddress } from '../PublicAddress.tsx'
import { Row } from '../Row.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { TokenSide } from '../tokens/TokenSide.tsx'
import type { TokenOf } from '../tokens/useTokens.ts'
import type { CallView, Fact } from './callView.ts'
import { Recipient } from './Recipient.tsx'

type Shared = { tokenOf: TokenOf; isNew: IsNew }

/** True for an address that nothing was sent to before. */
type IsNew = (address: Address) => boolean

type Props = Shared & { view: CallView; children?: ComponentChildren }

/** What one call does, in words. `children` are rows that belong to it. */
export function CallCard({ view: { sides, facts }, tokenOf, isNew, children }: Props) {
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
              <FactValue fact={fact} isNew={isNew} />
            </Row>
          ))}
          {children}
        </dl>
      )}
    </>
  )
}

/** What several calls do, a line each, in the order they are sent. */
export function CallList({ views, tokenOf, isNew }: Shared & { views: CallView[] }) {
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
                  <FactValue fact={fact} isNew={isNew} />
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function FactValue({ fact, isNew }: { fact: Fact; isNew: IsNew }) {
  if ('text' in fact) return <span>{fact.text}</span>
  const { address, name, isBad, isRecipient } = fact
  return (
    <span class={isBad ? 'bad' : ''}>
      {isRecipient ? (
        <Recipient address={address} of={name} isNew={isNew(address)} />
      ) : (
        <PublicAddress address={address} of={name} />
      )}
    </span>
  )
}
