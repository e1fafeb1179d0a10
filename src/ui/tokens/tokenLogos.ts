import { createContext } from 'preact'
import { useEffect, useReducer } from 'preact/hooks'
import type { Address } from '../../domain/token/token.ts'

/** public/tokenLogos/logos.json (scripts/tokenLogos.ts): SVG texts, and each token's by chain and address. */
type LogoFile = {
  drawings: string[]
  tokens: { [chainId: number]: { [address: Address]: number } }
}

/** `src` is a picture: drawings in pictures run no scripts and load nothing. */
export type TokenLogo = { src: string } | 'none' | 'reading'

/** Chain of the tokens inside. */
export const TokenChainContext = createContext<number | undefined>(undefined)
export const TokenChain = TokenChainContext.Provider

let file: LogoFile | 'failed' | undefined
let reading: Promise<void> | undefined

/** Returns a token's bundled logo. Reads the package's file on first use. */
export function useTokenLogo(chainId: number | undefined, address: Address): TokenLogo {
  const [, draw] = useReducer<number, void>((count) => count + 1, 0)
  useEffect(() => {
    if (file !== undefined) return
    let isGone = false
    readTokenLogos().then(() => isGone || draw())
    return () => {
      isGone = true
    }
  }, [])
  if (file === undefined) return 'reading'
  if (file === 'failed' || chainId === undefined) return 'none'
  const index = file.tokens[chainId]?.[address]
  const drawing = index === undefined ? undefined : file.drawings[index]
  return drawing === undefined ? 'none' : { src: `data:image/svg+xml,${encodeURIComponent(drawing)}` }
}

/** Single-flight. Without the file, tokens have letters. */
export function readTokenLogos(): Promise<void> {
  reading ??= fetch('/tokenLogos/logos.json')
    .then((response) => response.json())
    .then(
      (read) => {
        file = read
      },
      () => {
        file = 'failed'
      },
    )
  return reading
}
