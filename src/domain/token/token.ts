/** 20-byte address as 0x-prefixed lower-case hex. */
export type Address = `0x${string}`

/** 0x-prefixed hex: calldata, hashes, signed transactions. */
export type Hex = `0x${string}`

/** Address that stands for the native token (service-interface, Conventions). */
export const nativeTokenAddress: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

export const zeroAddress: Address = '0x0000000000000000000000000000000000000000'

export type Token = {
  address: Address
  symbol: string
  name: string
  decimals: number
  /** From the service's list; false for tokens read from the chain by address. */
  listed: boolean
  eip2612: boolean
  /** Fee-on-transfer token. */
  taxed: boolean
  tags: string[]
}

/**
 * Returns the listed description of `own`, unless its decimals differ from the contract's: amounts depend on
 * them.
 */
export function withListMetadata(own: Token, listed: Token | undefined): Token {
  return listed?.decimals === own.decimals ? listed : own
}

/** Tag of a token without decimals in its contract: its amounts are base units. */
export const noDecimals = 'no-decimals'

/** Maximum stored lengths in characters: a bytes32, and twice that. */
export const maxSymbol = 32
export const maxName = 64

export function isNative(address: Address): boolean {
  return address === nativeTokenAddress
}

/** Parses an address of any letter case to lower case; undefined if invalid. */
export function parseAddress(text: string): Address | undefined {
  const trimmed = text.trim()
  return /^0x[0-9a-fA-F]{40}$/.test(trimmed) ? (trimmed.toLowerCase() as Address) : undefined
}

export const maxFavourites = 100
