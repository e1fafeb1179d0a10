import type { Hex } from '../../../src/domain/token/token.ts'

export const returning = (data: Hex): Hex => ending(data, 'f3')

export const revertingWith = (data: Hex): Hex => ending(data, 'fd')

/** PUSH2 size, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, RETURN or REVERT, data. */
function ending(data: Hex, last: 'f3' | 'fd'): Hex {
  const size = ((data.length - 2) / 2).toString(16).padStart(4, '0')
  return `0x61${size}80600a5f395f${last}${data.slice(2)}`
}

/** bytes32 metadata: decimals() is 18, all else returns `label`. */
export function oldToken(label: string): Hex {
  const word = Buffer.from(label).toString('hex').padEnd(64, '0')
  return `0x5f3560e01c63313ce5671460355${'7'}7f${word}5f5260205ff35b60125f5260205ff3`
}
