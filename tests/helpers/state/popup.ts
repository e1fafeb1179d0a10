import { vi } from 'vitest'
import { changeSettings, type Settings } from '../../../src/domain/network/network.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import type { Status, WalletApi } from '../../../src/protocol.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createStores, type WindowKind } from '../../../src/state/stores.ts'
import {
  dai,
  quoteOf,
  settings,
  standInAround,
  standInBar,
  standInSession,
  standInWallet,
  usdc,
} from './fakes.ts'

export const own = { kind: 'seed', secret: '0x01', path: 'm', isHidden: false } as const
export const account = { address: `0x${'1'.repeat(40)}`, name: 'Account 1', ...own } as const
export const seeds = [{ id: '0x01', backedUp: true }]
export const open: Status = { vault: 'unlocked', accounts: [account], seeds, backedUp: true }
const refuse = () => Promise.reject(new Error('No password is typed here.'))

/** Stores of an unlocked popup after their first reads. */
export async function popup(
  methods: Partial<WalletApi> = {},
  purpose: WindowKind = 'form',
  bar = standInBar('#/swap'),
) {
  const given = methods.settings ?? (async () => settings)
  let stored: Settings | undefined
  const stores = createStores(
    standInWallet({
      status: async () => open,
      draft: async () => undefined,
      saveDraft: async () => {},
      tokens: async () => [usdc, dai],
      balances: async () => ({ [nativeTokenAddress]: 5n }),
      swaps: async () => [],
      approvals: async () => [],
      lock: async () => {},
      quote: async ({ trade }) => quoteOf(trade),
      priceImpact: async () => 5,
      marketReturns: async () => undefined,
      ...methods,
      settings: async () => stored ?? given(),
      async saveSettings(changes) {
        await methods.saveSettings?.(changes)
        stored = changeSettings(stored ?? (await given()), changes)
      },
    }),
    {
      clock: systemClock(),
      decimalMark: '.',
      purpose,
      browserApi: { ...standInAround, bar, session: standInSession() },
      keys: {
        addressOf: refuse,
        strength: refuse,
        createKey: refuse,
        tryWrap: refuse,
        changePassword: refuse,
        splitPhrase: refuse,
        suggestWords: refuse,
        readPrivateKey: refuse,
        openKeystore: refuse,
        upgrade: refuse,
        newSecret: refuse,
        readPhrase: refuse,
        showPhrase: refuse,
        unknownWords: refuse,
      },
    },
  )
  await stores.load()
  await vi.advanceTimersByTimeAsync(0)
  return stores
}
