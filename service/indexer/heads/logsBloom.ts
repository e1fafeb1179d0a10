import { type Hex, hexToBytes, keccak256 } from 'viem'

/** False if no log of the block has the address or topic `value` (yellow paper, section 4.4.1: M3:2048). */
export function mayContain(logsBloom: Hex, value: Hex): boolean {
  const hash = hexToBytes(keccak256(value))
  return [0, 2, 4].every((i) => {
    const bit = (((hash[i] as number) << 8) | (hash[i + 1] as number)) & 2_047
    // Bit 0 is the lowest of the last byte.
    const digit = logsBloom.length - 1 - (bit >> 2)
    return (Number.parseInt(logsBloom[digit] as string, 16) >> (bit & 3)) & 1
  })
}

/** True for a bloom without a bit, also reported by chains that do not compute it. */
export function isEmptyBloom(logsBloom: Hex): boolean {
  return /^0x0*$/.test(logsBloom)
}
