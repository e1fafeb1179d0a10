import { concatHex, type Hex, numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { SwapTransaction } from '../../../src/domain/swap/quote.ts'
import { raiseMinReturn } from '../../../src/domain/swap/raiseMinReturn.ts'
import { readWord, writeWord } from '../../helpers/service/lyingService.ts'

const word = (value: number) => numberToHex(BigInt(value), { size: 32 })
const swapWith = (data: Hex): SwapTransaction => ({
  trade: { chainId: 1, sell: '0x01', buy: '0x02', amount: 1n },
  returns: 900n,
  from: '0x03',
  to: '0x04',
  data,
  value: 5n,
  gas: 6n,
  route: [],
})
const words = [...Array(12).keys()].map((index) => word(100 + index))
const general = swapWith(concatHex(['0x07ed2379', ...words]))

describe('raiseMinReturn', () => {
  it('changes only the minReturn word of the general entry point', () => {
    const raised = raiseMinReturn(general, 777n)
    expect(raised).toEqual({ ...general, data: concatHex(['0x07ed2379', ...words.with(6, word(777))]) })
    expect(readWord(raised!.data, 'floor')).toBe(777n)
  })

  it('keeps calldata with the same or a higher minReturn', () => {
    for (const floor of [777n, 778n, 2n ** 256n - 1n]) {
      const high = swapWith(writeWord(general.data, 'floor', floor))
      expect(raiseMinReturn(high, 777n)).toEqual(high)
    }
  })

  it('returns undefined for other entry points and calldata without the word', () => {
    for (const data of [
      '0x',
      '0x07ed2379',
      concatHex(['0x07ed2379', ...words.slice(0, 6)]),
      concatHex(['0x83800a8e', ...words]),
    ] as const)
      expect(raiseMinReturn(swapWith(data), 777n)).toBeUndefined()
  })
})
