import {
  type ActivityAmount,
  activityAmounts,
  activityKind,
  activityState,
  isUnreadable,
} from '../../../domain/activity/activity.ts'
import {
  type ActivityEntry,
  getEntryChainId,
  getEntryId,
  isIncoming,
} from '../../../domain/activity/incoming.ts'
import { isSwap } from '../../../domain/activity/intent.ts'
import { getPastValue } from '../../../domain/activity/pastValue.ts'
import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Icon, type IconName } from '../../components/Icon.tsx'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { shortAddress } from '../../format/address.ts'
import { formatTime } from '../../format/time.ts'
import { useNames } from '../../hooks/data/useContacts.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { useStores } from '../../hooks/data/useStore.ts'
import {
  activityKindNames,
  activityStateIcons,
  activityTitle,
  isPlain,
  statusLabel,
} from '../../messages/activity.ts'
import { TokenAmount } from '../../tokens/TokenAmount.tsx'
import type { Tokens } from '../../tokens/useTokens.ts'
import { usePastValue } from '../PastValue.tsx'

type Props = { entry: ActivityEntry; tokens: Tokens; isElsewhere: boolean; when?: string }

/** Each `act-` class is one column of the table in wide views. Of two tokens the pair is the title. */
export function ActivityRow({ entry, tokens, isElsewhere, when = formatTime(entry.createdAt) }: Props) {
  const { router } = useStores()
  const chainId = getEntryChainId(entry)
  const network = useNetwork(chainId)
  const nameOf = useNames()
  const state = activityState(entry)
  const isUnread = !isIncoming(entry) && entry.outcome.status === 'done' && entry.outcome.isLeast
  const hasMoved = state === 'done' || state === 'below-minimum'
  const { out, in: into } = isUnreadable(entry) ? {} : activityAmounts(entry)
  const symbolOf = (token: ActivityAmount['token']) => tokens.symbolOf(chainId, token)
  const pair =
    out && into && t('{sold} → {bought}', { sold: symbolOf(out.token), bought: symbolOf(into.token) })
  const kind = t(activityKindNames[activityKind(entry)])
  const who = toDetail(entry, nameOf)
  const value = usePastValue()(getPastValue(entry))
  const valueCell = value && <span class="act-value num">{value}</span>
  return (
    <li>
      <button
        type="button"
        class="list-row entry-row"
        data-state={state}
        onClick={() => router.go('entry', getEntryId(entry))}
      >
        <Faces entry={entry} chainId={chainId} out={out} into={into} symbolOf={symbolOf} />
        <span class="act-main">
          <span class={pair ? 'act-title act-who' : 'act-title act-what'}>
            {pair ?? activityTitle(entry, symbolOf)}
          </span>
          <span class="act-meta small dim">
            <span class="act-status entry-state" data-plain={isPlain(entry)}>
              {statusLabel(entry)}
            </span>
            {pair && <span class="act-what">{kind}</span>}
            {entry.createdAt > 0 && <span class="act-date">{when}</span>}
            {!pair && who && <span class="act-who">{who}</span>}
            {isElsewhere && chainId > 0 && <span class="act-net">{network?.name ?? String(chainId)}</span>}
            {pair && valueCell}
          </span>
        </span>
        <span class="act-figures">
          <span class="act-amounts">
            {into && (
              <Moved
                part={into}
                sign={hasMoved && !isUnread ? '+' : state === 'waiting' ? '≥ ' : ''}
                tokens={tokens}
                chainId={chainId}
              />
            )}
            {out && <Moved part={out} sign={hasMoved ? '−' : ''} tokens={tokens} chainId={chainId} />}
          </span>
          {!pair && valueCell}
        </span>
      </button>
    </li>
  )
}

type FacesProps = {
  entry: ActivityEntry
  chainId: number
  out: ActivityAmount | undefined
  into: ActivityAmount | undefined
  symbolOf(token: Address): string
}

/** A pair overlaps: the sold token under the bought one. */
function Faces({ entry, chainId, out, into, symbolOf }: FacesProps) {
  const front = into ?? out ?? revoked(entry)
  const mark = toMark(entry)
  const token = ({ token }: Pick<ActivityAmount, 'token'>) => ({ address: token, symbol: symbolOf(token) })
  return (
    <span class={out && into ? 'entry-face entry-pair' : 'entry-face'}>
      {out && into && <TokenIcon token={token(out)} chainId={chainId} size={26} />}
      {front ? (
        <TokenIcon token={token(front)} chainId={chainId} size={out && into ? 26 : 36} />
      ) : (
        <span class="entry-blank" />
      )}
      {mark && (
        <span class="entry-mark">
          <Icon name={mark} size={11} />
        </span>
      )}
    </span>
  )
}

/** A completed swap needs none. */
function toMark(entry: ActivityEntry): IconName | undefined {
  if (isIncoming(entry)) return 'receive'
  const state = activityState(entry)
  if (state !== 'done') return activityStateIcons[state]
  if (isSwap(entry)) return undefined
  return entry.intent.purpose?.kind === 'transfer' ? 'send' : 'check'
}

type MovedProps = { part: ActivityAmount; sign: string; tokens: Tokens; chainId: number }

function Moved({ part: { token, amount }, sign, tokens, chainId }: MovedProps) {
  return (
    <span class={sign === '+' ? 'num entry-gain' : 'num'} dir="ltr">
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
