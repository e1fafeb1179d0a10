/// <reference types="wxt/vite-builder-env" />
interface ImportMetaEnv {
  readonly WXT_SERVICE_URL?: string
  readonly WXT_RPC_URL?: string
  readonly WXT_FAUCET_URL?: string
  readonly WXT_STABLE?: string
  readonly WXT_WRAPPED?: string
  readonly WXT_ROUTER?: string
  readonly WXT_ORACLE?: string
  readonly WXT_CURRENCY_FEEDS?: string
  readonly WXT_V2_FACTORY?: string
  readonly WXT_V3_FACTORY?: string
  readonly WXT_QUOTER?: string
  readonly WXT_SWAP_ROUTER?: string
}
