import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Approval, DappRequest, RequestByKind } from '../../domain/dapp/approval.ts'
import { encode } from '../../domain/json.ts'
import type { Address } from '../../domain/token/token.ts'
import { SiteOrigin } from '../components/address/SiteOrigin.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { ConfirmButton } from '../components/fields/ConfirmButton.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useId } from '../hooks/useId.ts'
import { RejectButton } from './RejectButton.tsx'
import { RequestContext } from './RequestContext.tsx'
import { RequestQueue } from './RequestQueue.tsx'

export type ScreenProps<Kind extends DappRequest['kind']> = { approval: Approval; ask: RequestByKind<Kind> }

export type RequestProps = {
  approval: Approval
  /** Asks what `accept` answers. */
  question: string
  /** Directly below the head. */
  warnings?: ComponentChildren
  children: ComponentChildren
  /** `run` starts within the click: browser prompts need a user gesture. Ends with `approvals.approve`. */
  accept: { label: string; run(): Promise<unknown>; disabled?: boolean; danger?: boolean }
  /** Above the buttons, always visible. */
  note?: ComponentChildren
  /** Reviewed data. Each change makes the accept button rest again. */
  content?: unknown
}

/** Frames every dapp request. */
export function Request({ approval, question, warnings, children, accept, note, content }: RequestProps) {
  const { approvals } = useStores()
  const heading = useRef<HTMLHeadingElement>(null)
  const origin = useId()
  const approve = useMutation(accept.run)
  const reject = useMutation(() => approvals.reject(approval.id))
  const error = approve.error ?? reject.error
  const isBusy = approve.isRunning || reject.isRunning
  // Not on a button: stray keys must not answer the request.
  useEffect(() => heading.current?.focus(), [])
  return (
    <main class="page request">
      <header class="request-head">
        <RequestQueue approval={approval} />
        <SiteOrigin id={origin} origin={approval.origin} />
        <h1 ref={heading} tabIndex={-1} aria-describedby={origin}>
          {question}
        </h1>
      </header>
      <div class="page-body">
        {warnings}
        <RequestContext account={toAccount(approval.ask)} chainId={approval.chainId} />
        {children}
        {error && <ErrorMessage error={error} />}
      </div>
      <footer class="page-foot">
        {note && <div class="request-note">{note}</div>}
        <div class="request-acts">
          <RejectButton isDisabled={isBusy} onPress={() => reject.run()} />
          <ConfirmButton
            content={encode([
              approval.id,
              accept.label,
              accept.danger === true,
              accept.disabled === true,
              content ?? null,
            ])}
            isDanger={accept.danger === true}
            isDisabled={isBusy || accept.disabled === true}
            onPress={() => approve.run()}
          >
            <span key={accept.label}>{accept.label}</span>
          </ConfirmButton>
        </div>
      </footer>
    </main>
  )
}

function toAccount(ask: DappRequest): Address | undefined {
  if (ask.kind === 'swap') return ask.request.from
  return 'account' in ask ? ask.account : undefined
}
