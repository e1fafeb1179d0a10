import { findPublicChain } from '../network/chains.ts'
import type { Network } from '../network/network.ts'
import type { Address } from '../token/token.ts'
import type { Currency, CurrencyFeeds } from './currency.ts'

/** Returns the built-in feed of a public chain; for others (localnet) the network's. */
export function getCurrencyFeed(
  { chainId, market }: Pick<Network, 'chainId' | 'market'>,
  currency: Currency,
): Address | undefined {
  return (findPublicChain(chainId) ? feeds[chainId] : market?.currencyFeeds)?.[currency]
}

/**
 * Source: `@aave-dao/aave-address-book` 4.68, `Chainlink<chain>` ("EUR__USD" …). It lists no others on
 * these chains. tests/domain/value/currencyFeeds.test.ts compares.
 */
const feeds: { [chainId: number]: CurrencyFeeds } = {
  8453: {
    EUR: '0xc91d87e81fab8f93699ecf7ee9b44d11e1d53f0f',
    GBP: '0xccea6576904c118037695eb71195a5425e69fa15',
    CHF: '0x3a1d6444fb6a402470098e23dad0b7e86e14252f',
  },
  1: {
    EUR: '0xb49f677943bc038e9857d61e7d053caa2c1734c1',
    GBP: '0x5c0ab2d9b5a7ed9f470386e82bb36a3613cdd4b5',
    JPY: '0xbce206cae7f0ec07b545edde332a47c2f75bbeb3',
    CHF: '0x449d117117838ffa61263b61da6301aa2a88b13a',
    CNY: '0xef8a4af35cd47424672e3c590abd37fbb7a7759a',
  },
  42161: {
    EUR: '0xa14d53bc1f1c0f31b4aa3bd109344e5009051a84',
    GBP: '0x9c4424fd84c6661f97d8d6b3fc3c1aac2bedd137',
    JPY: '0x3dd6e51cb9cae717d5a8778cf79a04029f9cfdf8',
    CHF: '0xe32accc8c4ec03f6e75bd3621bfc9fbb234e1fc3',
    CNY: '0xcc3370bde6afe51e1205a5038947b9836371eccb',
  },
  56: {
    EUR: '0x0bf79f617988c472dca68ff41efe1338955b9a80',
    GBP: '0x8faf16f710003e538189334541f5d4a391da46a0',
    JPY: '0x22db8397a6e77e41471de256a7803829fdc8bc57',
    CHF: '0x964261740356cb4aad0c3d2003ce808a4176a46d',
  },
  137: {
    EUR: '0x73366fe0aa0ded304479862808e02506fe556a98',
    GBP: '0x099a2540848573e94fb1ca0fa420b00acbbc845a',
    JPY: '0xd647a6fc9bc6402301583c91decc5989d8bc382d',
    CHF: '0xc76f762cedf0f78a439727861628e0fdfe1e70c2',
    CNY: '0x04bb437aa63e098236fa47365f0268547f6eab32',
  },
  10: {
    EUR: '0x3626369857a10ccc6cc3a6e4f5c2f5984a519f20',
    JPY: '0x536944c3a71feb7c1e5c66ee37d1a148d8d8f619',
  },
  43114: {
    EUR: '0x192f2dba961bb0277520c082d6bfa87d5961333e',
    JPY: '0xf8b283ad4d969ecfd70005714dd5910160565b94',
    CHF: '0xa418573ab5226711c8564eeb449c3618abfaf677',
  },
  59144: {
    EUR: '0x637cf12017219dd3a758818ed63185f7acf7d935',
  },
  100: {
    EUR: '0xab70bcb260073d036d1660201e9d5405f5829b7a',
    JPY: '0x2afb993c670c01e9da1550c58e8039c1d8b8a317',
    CHF: '0xfb00261af80adb1629d3869e377ae1eec7be659f',
  },
}
