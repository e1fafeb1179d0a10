import type { Address } from '../token/token.ts'

/** Registry on Ethereum, its testnets and local forks; Linea has its own. */
const usual: Address = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e'

const registries: Readonly<Record<number, Address>> = {
  1: usual,
  17000: usual,
  31337: usual,
  59144: '0x50130b669b28c339991d8676fa73cf122a121267',
  11155111: usual,
}

export function ensRegistry(chainId: number): Address | undefined {
  return registries[chainId]
}

/** True for labels separated by dots. */
export function isName(text: string): boolean {
  return /^[^\s.]+(\.[^\s.]+)+$/u.test(text.trim())
}
