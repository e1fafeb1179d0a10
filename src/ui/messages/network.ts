import type { WalletError } from '../../errors.ts'
import { defineMessage, spokenLocale, t } from '../../i18n/translate.ts'
import type { EndpointHealth, NetworkEndpoint } from '../../state/networks/health.ts'
import type { NetworkState } from '../../state/networks/networkList.ts'
import { formatSecondsAgo } from '../format/relativeTime.ts'

export const networkStates: Record<NetworkState, string> = {
  'in-use': defineMessage('Active'),
  ready: defineMessage('Ready'),
  'node-only': defineMessage('No swap service'),
  'not-set-up': defineMessage('Not set up'),
}

export const partNames: Record<NetworkEndpoint, string> = {
  node: defineMessage('RPC'),
  spare: defineMessage('Backup RPC'),
  service: defineMessage('Swap service'),
}

/** Formats latency and latest block. */
export function formatHealth(
  health: Extract<EndpointHealth, { ms: unknown }>,
  now: number = Date.now(),
): string {
  const { part, ms, block } = health
  const words = [
    ms === undefined
      ? t('Connected')
      : part === 'service'
        ? t('Connected · under {time}', { time: formatMs(ms) })
        : t('Connected · {time}', { time: formatMs(ms) }),
    ...(block === undefined
      ? []
      : [
          t('block {number}, {ago}', {
            number: block.number.toLocaleString(spokenLocale()),
            ago: formatSecondsAgo(now - block.timestamp * 1_000),
          }),
        ]),
  ]
  return words.join(' · ')
}

function formatMs(ms: number): string {
  const unit = ms < 1_000 ? 'millisecond' : 'second'
  const value = ms < 1_000 ? Math.max(1, Math.round(ms)) : ms / 1_000
  return new Intl.NumberFormat(spokenLocale(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(value)
}

type NodeFault = { field: 'rpcUrl' | 'spareRpcUrl'; says: string; isSilent: boolean }

/** Returns the error of an RPC's chain check, for its URL field. */
export function validateNode({ code, facts }: WalletError): NodeFault | undefined {
  const { field, expected = '', found = '' } = facts
  if (field !== 'rpcUrl' && field !== 'spareRpcUrl') return undefined
  if (code === 'wrong-chain') {
    const says = t('This RPC is on chain {found}, not {expected}. Nothing was saved. Use another RPC.', {
      found,
      expected,
    })
    return { field, isSilent: false, says }
  }
  const says =
    code === 'node-refused'
      ? t('This URL isn’t an RPC endpoint. Nothing was saved. Check the URL.')
      : t(
          'This RPC isn’t responding. Nothing was saved. Check the URL and your connection, or use another RPC.',
        )
  return { field, isSilent: true, says }
}
