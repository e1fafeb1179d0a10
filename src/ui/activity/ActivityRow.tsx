import {
  type ActivityAmount,
  activityAmounts,
  activityState,
  isUnreadable,
} from '../../domain/activity/activity.ts'
import {
  type ActivityEntry,
  getEntryChainId,
  getEntryId,
  isIncoming,
} from '../../domain/activity/incoming.ts'
import { isSwap } from '../../domain/activity/intent.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../components/Icon.tsx'
import { TokenIcon } from '../components/TokenIcon.tsx'
import { shortAddress } from '../format/address.ts'
import { formatTime } from '../format/time.ts'
import { useNames } from '../hooks/data/useContacts.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { activityStateIcons, activityTitle, statusLabel } from '../messages/activity.ts'
import { TokenAmount } from '../tokens/TokenAmount.tsx'
import type { Tokens } from '../tokens/useTokens.ts'

type Props = { entry: ActivityEntry; tokens: Tokens; isElsewhere: boolean; when?: string }

export function ActivityRow({ entry, tokens, isElsewhere, when = formatTime(entry.createdAt) }: Props) {
  const { router } = useStores()
  const chainId = getEntryChainId(entry)
  const network = useNetwork(chainId)
  const nameOf = useNames()
  const state = activityState(entry)
  const isUnread = !isIncoming(entry) && entry.outcome.status === 'done' && entry.outcome.isLeast
  const hasMoved = state === 'done' || state === 'below-minimum'
  const { out, in: into } = isUnreadable(entry) ? {} : activityAmounts(entry)
  const face = out ?? into ?? revoked(entry)
  const symbolOf = (token: ActivityAmount['token']) => tokens.symbolOf(chainId, token)
  const details = [
    entry.createdAt > 0 && when,
    toDetail(entry, nameOf),
    isElsewhere && chainId > 0 && (network?.name ?? String(chainId)),
  ].filter(Boolean)
  return (
    <li>
      <button
        type="button"
        class="list-row entry-row"
        data-state={state}
        onClick={() => router.go('entry', getEntryId(entry))}
      >
        <span class="entry-face">
          {face ? (
            <TokenIcon
              token={{ address: face.token, symbol: symbolOf(face.token) }}
              chainId={chainId}
              size={34}
            />
          ) : (
            <span class="entry-blank" />
          )}
          <span class="entry-mark">
            <Icon name={isIncoming(entry) ? 'receive' : activityStateIcons[state]} size={12} />
          </span>
        </span>
        <span class="who">
          <span class="who-name">{activityTitle(entry, symbolOf)}</span>
          <span class="small dim entry-line">
            <span class="entry-state">{statusLabel(entry)}</span>
            {details.map((detail) => ` · ${detail}`)}
          </span>
        </span>
        <span class="entry-amounts small">
          {out && <Moved part={out} sign={hasMoved ? '−' : ''} tokens={tokens} chainId={chainId} />}
          {into && (
            <Moved
              part={into}
              sign={hasMoved && !isUnread ? '+' : state === 'waiting' ? '≥ ' : ''}
              tokens={tokens}
              chainId={chainId}
            />
          )}
        </span>
      </button>
    </li>
  )
}

type MovedProps = { part: ActivityAmount; sign: string; tokens: Tokens; chainId: number }

function Moved({ part: { token, amount }, sign, tokens, chainId }: MovedProps) {
  return (
    <span class={sign === '+' ? 'num entry-gain' : 'num'}>
      {sign}
      <TokenAmount amount={amount} address={token} token={tokens.tokenOf(chainId, token)} />
    </span>
  )
}

function revoked(entry: ActivityEntry): Pick<ActivityAmount, 'token'> | undefined {
  return isIncoming(entry) || isSwap(entry) ? undefined : entry.intent.purpose
}

/** Counterparty, where the title does not name it. */
function toDetail(entry: ActivityEntry, nameOf: ReturnType<typeof useNames>): string | undefined {
  const who = (address: Address) => nameOf(address) ?? shortAddress(address)
  if (isIncoming(entry)) return entry.from && t('from {address}', { address: who(entry.from) })
  if (isSwap(entry)) return undefined
  const { purpose, calls } = entry.intent
  if (purpose?.kind === 'transfer') return t('to {address}', { address: who(purpose.to) })
  if (purpose?.kind === 'revoke') return who(purpose.spender)
  const [to] = calls.flatMap((call) => call.to ?? [])
  return to && who(to)
}
