import { expect, it } from 'vitest'
import { builtInNetworks } from '../../../src/config.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import {
  createDiagnostics,
  describeBrowser,
  diagnose,
  urlKind,
  type View,
} from '../../../src/state/backup/diagnostics.ts'
import { swap, transfer } from '../../helpers/samples/activitySamples.ts'
import { settings, standInAround, standInWallet, token } from '../../helpers/state/fakes.ts'

const view: View = {
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.7700.12 Safari/537.36',
  width: 360,
  height: 600,
  pixelRatio: 2,
  language: 'de-AT',
  isOnline: true,
  faults: [{ code: 'node-timeout', at: 0 }],
}

const canary = 'cANARY7f3a9e51'
const address = `0x${'c0ffee'.repeat(6)}beef` as Address

function planted() {
  const name = `My ${canary}`
  const url = (kind: string) => `https://${kind}-${canary}.example:8443/${canary}`
  const network = {
    ...builtInNetworks()[0]!,
    name,
    coin: { symbol: canary.slice(0, 8), name },
    serviceUrl: url('service'),
    serviceKey: canary,
    rpcUrl: url('node'),
    spareRpcUrl: url('spare'),
    explorerUrl: url('explorer'),
    router: address,
    options: { protocols: [canary], referrer: address, feeBps: 10 },
  }
  const own = { ...network, chainId: 987_654_321 }
  const account = { address, name, kind: 'seed', secret: canary, path: canary, isHidden: false } as const
  const spoiled = <Record>(record: Record): Record =>
    JSON.parse(
      JSON.stringify(record, (_key, item) => (typeof item === 'bigint' ? `#${item}` : item)).replaceAll(
        /0x[0-9a-f]{40}/g,
        address,
      ),
    )
  const failed = {
    status: 'failed',
    code: 'reverted',
    message: `${canary} ${address}`,
    facts: { canary },
  } as const
  return {
    settings: { ...settings, account: address, networks: [network, own] },
    wallet: standInWallet({
      status: async () => ({
        vault: 'unlocked',
        accounts: [account, { ...account, isHidden: true }],
        seeds: [{ id: canary, backedUp: false }],
        backedUp: false,
      }),
      tokenPreferences: async () => ({ favourites: [address], recents: [address], listedAt: 0 }),
      tokens: async () => [{ ...token('a', canary, 6, false), address, name }],
      swaps: async () => [spoiled({ ...swap(), outcome: failed })],
      callBatches: async () => [spoiled(transfer)],
      sites: async () => [
        { origin: `https://${canary}.example`, accounts: [address], chainId: 1, connectedAt: 0 },
      ],
      approvals: async () => [],
    }),
    around: {
      ...standInAround,
      sizes: async () => ({
        settings: 100,
        'tokens.1': 20,
        'vault.damaged': 7,
        [`call-id.${canary}.damaged`]: 1,
        [`calls.${canary}`]: 3,
        [canary]: 4,
        [address]: 5,
      }),
      hosts: async () => [`https://${canary}.example/*`, 'http://127.0.0.1/*'],
    },
  }
}

it('contains no name, address, host, key or custom chain id of the user', async () => {
  const { settings, wallet, around } = planted()
  const text = await createDiagnostics(wallet).write(around, { ...view, language: canary }, settings)
  const low = text.toLowerCase()
  for (const secret of [canary, canary.slice(0, 8), address, 'c0ffee', 'example', '8443', '987654321']) {
    expect(low, secret).not.toContain(secret.toLowerCase())
  }
  expect(text).not.toMatch(/0x[0-9a-f]/i)
})

it('reports kinds, counts, codes and sizes', async () => {
  const { settings, wallet, around } = planted()
  const told = await diagnose(wallet, around, view, settings)
  expect(told).toMatchObject({
    version: '1.2.3',
    browser: 'Chrome 156 Linux',
    view: { size: '360 × 600', language: 'de-AT' },
    vault: { state: 'unlocked', phrases: 1, backedUp: false, accounts: { seed: 2 }, hidden: 1 },
    swaps: { failed: 1 },
    failures: { reverted: 1 },
    errorsShown: ['1970-01-01T00:00:00.000Z node-timeout'],
    sites: 1,
    hostsAllowed: { https: 1, localhost: 1 },
    storageBytes: { all: 140, settings: 100, tokens: 20, vault: 7, calls: 3, 'call-id': 1, other: 9 },
    setAside: ['vault.damaged'],
  })
  expect(told.networks[0]).toMatchObject({
    chain: 31337,
    name: 'Local',
    isChosen: true,
    service: 'https',
    hasKey: true,
    hasOwnRouter: true,
    routeOptions: ['feeBps', 'protocols', 'referrer'],
    tokens: 1,
    unlistedTokens: 1,
  })
  expect(told.networks[1]).toMatchObject({ chain: 'custom', name: undefined, node: 'https' })
})

it('reports the remaining parts when some cannot be read', async () => {
  const told = await diagnose(standInWallet({}), standInAround, view, settings)
  expect(told).toMatchObject({ version: '1.2.3', vault: { state: 'unknown' }, swaps: undefined })
})

it('names a browser only by product, major version and platform', () => {
  expect(describeBrowser('Mozilla/5.0 (Windows NT 10.0; rv:144.0) Gecko/20100101 Firefox/144.0')).toBe(
    'Firefox 144 Windows',
  )
  expect(
    describeBrowser('Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.3485.54'),
  ).toBe('Edg 140 Windows')
  expect(describeBrowser('')).toBe('')
})

it('classifies a URL without naming its host', () => {
  expect([undefined, '', 'http://127.0.0.1:1', 'https://a.b/c', 'ftp://a', '://'].map(urlKind)).toEqual([
    'none',
    'none',
    'localhost',
    'https',
    'other',
    'unreadable',
  ])
})
