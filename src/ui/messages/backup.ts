import type { Contact } from '../../domain/address/contact.ts'
import { isSame } from '../../domain/isSame.ts'
import type { Network, Settings } from '../../domain/network/network.ts'
import { holdsKey } from '../../domain/urlSecrets.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import type { ImportPlan, Preferences } from '../../state/backup/backup.ts'
import { showInvisible } from '../format/address.ts'
import { formatPercent } from '../format/numbers.ts'
import { currencyName, languageName, themeNames } from './display.ts'

export type ChangeRow = { name: string; before: string; after: string }

const names: Record<keyof Preferences, string> = {
  slippageBps: defineMessage('Default slippage'),
  autoLockMinutes: defineMessage('Auto-lock (minutes)'),
  pageSwaps: defineMessage('Let sites request swaps'),
  defaultWallet: defineMessage('Default wallet (window.ethereum)'),
  strictCalldata: defineMessage('Strict transaction checks'),
  accessLists: defineMessage('Use access lists'),
  language: defineMessage('Language'),
  theme: defineMessage('Theme'),
  currency: defineMessage('Currency'),
  showValues: defineMessage('Show values'),
  shortcuts: defineMessage('Keyboard shortcuts'),
}

export function preferenceRows({ choices }: ImportPlan, settings: Settings): ChangeRow[] {
  return (Object.keys(names) as (keyof Preferences)[])
    .filter((name) => name in choices)
    .map((name) => ({
      name: t(names[name]),
      before: say(name, settings[name]),
      after: say(name, choices[name]),
    }))
}

function say(name: keyof Preferences, value: unknown): string {
  if (name === 'slippageBps') return typeof value === 'number' ? formatPercent(value) : t('Auto')
  if (name === 'language') return languageName(value as Settings['language'])
  if (name === 'currency') return currencyName(value as Settings['currency'])
  if (name === 'theme') return t(themeNames[value as Settings['theme']])
  if (typeof value === 'boolean') return value ? t('On') : t('Off')
  return String(value)
}

export function contactRows({ address, name }: Contact, { contacts }: Settings): ChangeRow[] {
  const before = contacts.find((one) => one.address === address)?.name
  return [
    { name: t('Contact'), before: before ? showInvisible(before) : t('None'), after: showInvisible(name) },
  ]
}

const fields = {
  serviceUrl: defineMessage('Swap service'),
  serviceVersion: defineMessage('API version'),
  serviceKey: defineMessage('API key'),
  rpcUrl: defineMessage('RPC'),
  spareRpcUrl: defineMessage('Backup RPC'),
  explorerUrl: defineMessage('Block explorer'),
  router: defineMessage('Router'),
  options: defineMessage('Routes'),
} as const satisfies Partial<Record<keyof Network, string>>

type Field = keyof typeof fields

/** Lists a network's changes. Shows hosts instead of URLs, never keys. */
export function networkRows(before: Network | undefined, after: Network): ChangeRow[] {
  const changed = (Object.keys(fields) as Field[])
    .filter((field) => !isSame(before?.[field], after[field]))
    .map((field) => {
      const [old, next] = [before ? formatField(field, before) : t('None'), formatField(field, after)]
      const isSameHost = before !== undefined && old === next
      return {
        name: t(fields[field]),
        before: isSameHost ? formatWay(before[field]) : old,
        after: isSameHost ? formatWay(after[field]) : next,
      }
    })
  return before ? changed : [...rowsOfNew(after), ...changed]
}

function rowsOfNew({ chainId, coin, confirmations }: Network): ChangeRow[] {
  return [
    { name: t('Chain ID'), before: t('None'), after: String(chainId) },
    { name: t('Native token'), before: t('None'), after: showInvisible(`${coin.symbol} ${coin.name}`) },
    { name: t('Confirmations'), before: t('None'), after: String(confirmations) },
  ]
}

/** Adds the path, to tell URLs of one host apart. Hides possible keys. */
function formatWay(value: unknown): string {
  if (typeof value !== 'string' || !URL.canParse(value)) return t('Configured')
  const { host, pathname } = new URL(value)
  return holdsKey(value) ? `${host}/…` : host + pathname
}

function formatField(field: Field, network: Network): string {
  const value = network[field]
  if (field === 'serviceVersion') return network.serviceVersion ?? '6.1'
  if (!value || typeof value !== 'string') return value ? t('Configured') : t('None')
  if (field === 'serviceKey') return t('Configured')
  return URL.canParse(value) ? new URL(value).host : value
}

/** Warns of changes that benefit the file's author or weaken checks. */
export function importRisks(plan: ImportPlan): string[] {
  const { networks, contacts } = plan
  const isNew = (field: 'router' | 'rpcUrl' | 'spareRpcUrl' | 'serviceUrl') =>
    networks.some(({ before, after }) => after[field] && after[field] !== before?.[field])
  const paysOthers = networks.some(
    ({ before, after }) =>
      (after.options?.feeBps ?? 0) > 0 &&
      (after.options?.referrer !== before?.options?.referrer ||
        (after.options?.feeBps ?? 0) > (before?.options?.feeBps ?? 0)),
  )
  return [
    ...(isNew('rpcUrl') || isNew('spareRpcUrl') || isNew('serviceUrl')
      ? [
          t(
            'Adds new servers. Their operators can see your activity, and Sluice trusts the data their RPCs return.',
          ),
        ]
      : []),
    ...(isNew('router')
      ? [t('Sets the only router Sluice will sign swaps for on that network. Verify its address.')]
      : []),
    ...(paysOthers ? [t('Sets a partner fee: part of what you sell goes to a third party.')] : []),
    ...(contacts.length > 0
      ? [t('Contains contacts. The file’s author could have put their own address behind a name you trust.')]
      : []),
    ...(plan.choices.strictCalldata === false
      ? [
          t(
            'Turns off strict transaction checks: swaps whose data doesn’t state every term could be signed too.',
          ),
        ]
      : []),
  ]
}
