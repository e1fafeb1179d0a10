/** A 20-byte address as 0x-prefixed lower-case hex. */
export type Address = `0x${string}`

/** Any 0x-prefixed hex: calldata, hashes, signed transactions. */
export type Hex = `0x${string}`

/** How the swap service writes a network's own coin (service-interface, Conventions). */
export const nativeTokenAddress: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** The zero address: how contracts write that there is none. */
export const zeroAddress: Address = '0x0000000000000000000000000000000000000000'

/** A token as the service's list, or the chain itself, describes it. */
export type Token = {
  address: Address
  symbol: string
  name: string
  decimals: number
  /** From the service's list. Tokens read from the chain by address are not listed. */
  listed: boolean
  /** Supports approval by signature (EIP-2612). */
  eip2612: boolean
  /** Takes a fee from each transfer. */
  taxed: boolean
  tags: string[]
}

/** `own` as a list describes it. One whose decimals are not the contract's is not believed: amounts are made of them. */
export function withListMetadata(own: Token, listed: Token | undefined): Token {
  return listed?.decimals === own.decimals ? listed : own
}

/** Tag of a token whose contract names no decimals: amounts of it are base units. */
export const noDecimals = 'no-decimals'

/** Longest symbol and name that are kept, in characters: as long as a bytes32 can be, and twice that. */
export const maxSymbol = 32
export const maxName = 64

export function isNative(address: Address): boolean {
  return address === nativeTokenAddress
}

/** `text` as a lower-case address, or `undefined` when it is not one. Any letter case is accepted. */
export function parseAddress(text: string): Address | undefined {
  const trimmed = text.trim()
  return /^0x[0-9a-fA-F]{40}$/.test(trimmed) ? (trimmed.toLowerCase() as Address) : undefined
}
