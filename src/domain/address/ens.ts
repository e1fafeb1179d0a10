import type { Address } from '../token/token.ts'

/** Where names are registered: at one place on Ethereum and its test chains (and on a local copy of one), at its own on Linea. */
const usual: Address = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'

const registries: Readonly<Record<number, Address>> = {
  1: usual,
  17000: usual,
  31337: usual,
  59144: '0x50130b669b28c339991d8676fa73cf122a121267',
  11155111: usual,
}

/** The registry of the Ethereum Name Service on a chain; undefined where the wallet knows of none. */
export function ensRegistry(chainId: number): Address | undefined {
  return registries[chainId]
}

/** Whether a text is meant as a name: labels with dots between them. */
export function isName(text: string): boolean {
  return /^[^\s.]+(\.[^\s.]+)+$/u.test(text.trim())
}
