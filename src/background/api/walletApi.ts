import type { WalletApi } from '../../protocol.ts'
import { createAccountsApi } from './accountsApi.ts'
import { type AllowancesApiDeps, createAllowancesApi } from './allowancesApi.ts'
import { createDappsApi, type DappsApiDeps } from './dappsApi.ts'
import { createNetworksApi } from './networksApi.ts'
import { createPortfolioApi, type PortfolioApiDeps } from './portfolioApi.ts'
import { createPricesApi, type PricesApiDeps } from './pricesApi.ts'
import { createQuotesApi, type QuotesApiDeps } from './quotesApi.ts'
import { createSettingsApi, type SettingsApiDeps } from './settingsApi.ts'
import { createSwapsApi, type SwapsApiDeps } from './swapsApi.ts'
import { createTokensApi, type TokensApiDeps } from './tokensApi.ts'
import { createTransactionsApi, type TransactionsApiDeps } from './transactionsApi.ts'
import { createNotifier, createStatusReader, createVaultApi, type VaultApiDeps } from './vaultApi.ts'

export type WalletApiDeps = Omit<VaultApiDeps, 'readStatus' | 'notify'> &
  SettingsApiDeps &
  TokensApiDeps &
  PricesApiDeps &
  PortfolioApiDeps &
  QuotesApiDeps &
  SwapsApiDeps &
  AllowancesApiDeps &
  TransactionsApiDeps &
  DappsApiDeps

/** Creates the methods that the popup may call. Each part parses its arguments once. */
export function createWalletApi(deps: WalletApiDeps): WalletApi {
  const { vault, networks, events } = deps
  const readStatus = createStatusReader(vault)
  const notify = createNotifier(vault, events, readStatus)
  return {
    ...createVaultApi({ ...deps, readStatus, notify }),
    ...createAccountsApi(vault, notify, deps.snapshots),
    ...createSettingsApi(deps),
    ...createNetworksApi(networks, vault, deps.heads),
    ...createTokensApi(deps),
    ...createPricesApi(deps),
    ...createPortfolioApi(deps),
    ...createQuotesApi(deps),
    ...createSwapsApi(deps),
    ...createAllowancesApi(deps),
    ...createTransactionsApi(deps),
    ...createDappsApi(deps),
  }
}
