import type { ComponentChildren } from 'preact'
import { PublicAddress } from '../PublicAddress.tsx'
import { Row } from '../Row.tsx'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import { TokenSide } from '../tokens/TokenSide.tsx'
import type { TokenOf } from '../tokens/useTokens.ts'
import type { CallView, Fact } from './callView.ts'

type Props = { view: CallView; tokenOf: TokenOf; children?: ComponentChildren }

/** What one call does, in words. `children` are rows that belong to it. */
export function CallCard({ view: { sides, facts }, tokenOf, children }: Props) {
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
              <FactValue fact={fact} />
            </Row>
          ))}
          {children}
        </dl>
      )}
    </>
  )
}

/** What several calls do, a line each, in the order they are sent. */
export function CallList({ views, tokenOf }: { views: CallView[]; tokenOf: TokenOf }) {
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
                  <FactValue fact={fact} />
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function FactValue({ fact }: { fact: Fact }) {
  if ('text' in fact) return <span>{fact.text}</span>
  return (
    <span class={fact.isBad ? 'bad' : ''}>
      <PublicAddress address={fact.address} of={fact.name} />
    </span>
  )
}
