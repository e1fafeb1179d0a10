import { describe, expect, it } from 'vitest'
import type { Network } from '../../../src/domain/network/network.ts'
import { editNetwork, toFormValues } from '../../../src/domain/network/networkTexts.ts'
import { canSwap, getDirectContracts } from '../../../src/domain/network/swapSource.ts'
import type { Address } from '../../../src/domain/token/token.ts'

const contractOf = (digit: string): Address => `0x${digit.repeat(40)}`
const own: Network = {
  chainId: 777,
  name: 'Mine',
  coin: { symbol: 'ME', name: 'ME' },
  serviceUrl: '',
  rpcUrl: 'https://rpc.example',
  confirmations: 3,
  quoteEveryMs: 6_000,
}
const typed = {
  wrapped: ` ${contractOf('a')} `,
  v3Factory: contractOf('b'),
  quoter: contractOf('c'),
  swapRouter: contractOf('d'),
}

describe('Uniswap contracts of an own network', () => {
  it('allow direct swaps once all four are typed, and no longer once one is cleared', () => {
    expect(canSwap(own)).toBe(false)
    const edited = editNetwork(own, typed)
    expect(getDirectContracts(edited)).toEqual({
      wrapped: contractOf('a'),
      v3Factory: contractOf('b'),
      quoter: contractOf('c'),
      router: contractOf('d'),
      connectors: [contractOf('a')],
    })
    expect(canSwap(edited)).toBe(true)
    expect(toFormValues(edited)).toMatchObject({ ...typed, wrapped: contractOf('a') })
    const cleared = editNetwork(edited, { quoter: '' })
    expect(canSwap(cleared)).toBe(false)
    expect(cleared.market).toEqual({ v3Factory: contractOf('b'), swapRouter: contractOf('d') })
    expect(editNetwork(edited, { wrapped: '', v3Factory: '', quoter: '', swapRouter: '' })).toEqual(own)
  })

  it('keep what the form does not show, and change nothing on a public chain', () => {
    const market = { oracle: contractOf('1'), v2Factory: contractOf('2') }
    expect(editNetwork({ ...own, market }, { quoter: contractOf('c') }).market).toEqual({
      ...market,
      quoter: contractOf('c'),
    })
    const base: Network = { ...own, chainId: 8453, wrapped: contractOf('9'), market }
    expect(editNetwork(base, typed)).toEqual(base)
  })
})
