import * as v from 'valibot'
import { type Contact, changeContacts, maxContacts } from '../../domain/address/contact.ts'
import { isSame } from '../../domain/isSame.ts'
import { parseJson } from '../../domain/json.ts'
import type { Network, Settings, SettingsChanges } from '../../domain/network/network.ts'
import { isSameOrigin } from '../../domain/network/networkTexts.ts'
import { type Favourites, networkUrls, type PermittedChange } from '../../domain/network/permittedChange.ts'
import { knownRouters } from '../../domain/swap/routers.ts'
import type { Address } from '../../domain/token/token.ts'
import { maxFavourites } from '../../domain/token/token.ts'
import { holdsKey } from '../../domain/urlSecrets.ts'
import { WalletError } from '../../errors.ts'
import type { WalletApi } from '../../protocol.ts'
import { isConfigured, isSameNetwork } from '../networks/networkForm.ts'
import { type Backup, backupSchema, backupVersion } from './backupSchema.ts'

const named = [
  'autoLockMinutes',
  'pageSwaps',
  'defaultWallet',
  'strictCalldata',
  'accessLists',
  'language',
  'theme',
  'currency',
  'showValues',
  'shortcuts',
] as const
export type Preferences = Pick<Settings, (typeof named)[number] | 'slippageBps'>

/** `favourites` lists only new ones. */
export type ImportPlan = {
  choices: Partial<Omit<Preferences, 'slippageBps'>> & { slippageBps?: number | null }
  networks: { before: Network | undefined; after: Network }[]
  favourites: Favourites
  /** New or changed contacts. */
  contacts: Contact[]
}

/** Excludes accounts, activity and vault keys. */
export function createBackup(wallet: WalletApi) {
  const favouritesOf = async ({ networks }: Settings): Promise<Favourites> =>
    Promise.all(
      networks.map(async ({ chainId }) => ({
        chainId,
        tokens: (await wallet.tokenPreferences(chainId)).favourites,
      })),
    )

  return {
    /** `leftOut` counts omitted keys and the URLs that contain one. */
    async write(settings: Settings, withKeys: boolean): Promise<{ text: string; leftOut: number }> {
      return writeBackup(settings, await favouritesOf(settings), withKeys)
    },

    /** Throws `invalid-input` with the reason in `why`. */
    async plan(text: string, settings: Settings): Promise<ImportPlan> {
      return planImport(readBackup(text), settings, await favouritesOf(settings))
    },
  }
}

/** The change is rejected when a network has changed since. */
export function toImportChange(
  { choices, networks, favourites, contacts }: ImportPlan,
  settings: Settings,
): PermittedChange {
  const after = (isNew: boolean) =>
    networks.filter(({ before }) => (before === undefined) === isNew).map((one) => one.after)
  const changes: SettingsChanges = {
    ...choices,
    networks: after(false),
    added: after(true),
    contacts,
    forgotten: renamed(settings, contacts),
  }
  const before = networks.flatMap((one) => one.before ?? [])
  return { kind: 'import', changes, before, favourites }
}

export function writeBackup(
  settings: Settings,
  favourites: Favourites,
  withKeys: boolean,
  now: Date = new Date(),
): { text: string; leftOut: number } {
  const choices = Object.fromEntries(named.map((name) => [name, settings[name]]))
  const { networks, slippageBps = null } = settings
  let leftOut = 0
  const keep = <Value>(value: Value, isSecret: boolean): Value | undefined => {
    if (!isSecret || withKeys) return value
    leftOut += 1
    return undefined
  }
  const url = (text: string | undefined) => (text ? keep(text, holdsKey(text)) : undefined)
  const written = networks.filter(isConfigured).map((network) => ({
    chainId: network.chainId,
    name: network.name,
    coin: network.coin,
    serviceUrl: url(network.serviceUrl),
    serviceVersion: network.serviceVersion ?? '6.1',
    serviceKey: network.serviceKey && keep(network.serviceKey, true),
    rpcUrl: url(network.rpcUrl),
    spareRpcUrl: url(network.spareRpcUrl),
    explorerUrl: url(network.explorerUrl),
    router: network.router,
    options: network.options && {
      ...network.options,
      gasPrice: network.options.gasPrice?.toString(),
    },
    confirmations: network.confirmations,
    quoteEveryMs: network.quoteEveryMs,
  }))
  const file = {
    kind: 'sluice-settings',
    version: backupVersion,
    madeAt: now.toISOString(),
    settings: { ...choices, slippageBps },
    networks: written,
    favourites: favourites.filter(({ tokens }) => tokens.length > 0),
    contacts: settings.contacts,
  }
  return { text: `${JSON.stringify(file, null, 2)}\n`, leftOut }
}

/**
 * Throws `invalid-input`; `why` is `no-backup`, `newer-backup` or `broken-backup`, `where` the invalid field.
 */
export function readBackup(text: string): Backup {
  const value = parseJson(text)
  const head = v.safeParse(headShape, value)
  if (!head.success) throw refused('no-backup')
  if (head.output.version > backupVersion) throw refused('newer-backup')
  const result = v.safeParse(backupSchema, value)
  if (result.success) return result.output
  const [issue] = result.issues
  throw refused('broken-backup', issue.message, v.getDotPath(issue) ?? '')
}

const headShape = v.object({ kind: v.literal('sluice-settings'), version: v.number() })

function refused(why: string, fault = '', where = ''): WalletError {
  return new WalletError('invalid-input', `The file cannot be used. ${fault}`, { why, where })
}

export function planImport(file: Backup, settings: Settings, favourites: Favourites): ImportPlan {
  const { slippageBps, ...rest } = file.settings
  const changed = Object.entries(rest).filter(
    ([name, value]) => value !== undefined && value !== settings[name as keyof typeof rest],
  )
  const isOther = slippageBps !== undefined && slippageBps !== (settings.slippageBps ?? null)
  const networks = file.networks.map((one) => {
    const before = settings.networks.find(({ chainId }) => chainId === one.chainId)
    return { before, after: mergeNetwork(one, before) }
  })
  const known = new Set(
    [...settings.networks, ...networks.map(({ after }) => after)].map((one) => one.chainId),
  )
  const unmarked = file.favourites.map(({ chainId, tokens }) => {
    const before = favourites.find((one) => one.chainId === chainId)?.tokens ?? []
    const others = [...new Set(tokens)].filter((token) => !before.includes(token))
    // Existing favourites stay.
    return { chainId, tokens: others.slice(0, Math.max(0, maxFavourites - before.length)) }
  })
  const contacts = file.contacts.filter((contact) => !settings.contacts.some((one) => isSame(one, contact)))
  if (changeContacts(settings.contacts, contacts, renamed(settings, contacts)).length > maxContacts)
    throw refused('too-many-contacts')
  return {
    choices: { ...Object.fromEntries(changed), ...(isOther && { slippageBps }) },
    networks: networks.filter(({ before, after }) => before === undefined || !isSameNetwork(before, after)),
    contacts,
    favourites: unmarked.filter(({ chainId, tokens }) => known.has(chainId) && tokens.length > 0),
  }
}

function renamed({ contacts }: Settings, others: Contact[]): Address[] {
  return contacts.map(({ address }) => address).filter((known) => others.some((one) => one.address === known))
}

/** Keeps a known chain's own facts; the file sets its endpoints. */
function mergeNetwork(file: Backup['networks'][number], before: Network | undefined): Network {
  const { name, coin, confirmations, quoteEveryMs, serviceVersion, ...setUp } = file
  const blank = { name, coin, confirmations, quoteEveryMs, serviceUrl: '', rpcUrl: '' }
  const { serviceVersion: _, ...kept } = before ?? { ...blank, chainId: file.chainId, serviceVersion }
  const { serviceKey, ...rest } = kept
  // A file naming another service must not get the user's key.
  const isTheirs = isSameOrigin(setUp.serviceUrl ?? kept.serviceUrl, kept.serviceUrl)
  const own = serviceKey && isTheirs ? { serviceKey } : {}
  return { ...rest, ...own, ...setUp, ...(serviceVersion !== '6.1' && { serviceVersion }) }
}

export function planHosts({ networks }: ImportPlan): string[] {
  return networks.flatMap(({ after }) => networkUrls(after))
}

/** True when the import requires the password, as in settings. */
export function weakensSafety({ choices, networks }: ImportPlan): boolean {
  return choices.strictCalldata === false || networks.some(trustsAnother)
}

/** True for a router that is not built in. */
function trustsAnother({ before, after: { router, chainId } }: ImportPlan['networks'][number]): boolean {
  return router !== undefined && router !== before?.router && !knownRouters(chainId).includes(router)
}

export function isEmptyPlan({ choices, networks, favourites, contacts }: ImportPlan): boolean {
  return Object.keys(choices).length + networks.length + favourites.length + contacts.length === 0
}
