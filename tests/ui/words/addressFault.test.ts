import { expect, it } from 'vitest'
import { faultOfAddress } from '../../../src/ui/words/addressFault.ts'

// EIP-55's own example.
const good = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

it('finds nothing wrong with an address in one case or with its checksum, nor with an empty field', () => {
  for (const text of [good, good.toLowerCase(), `0x${good.slice(2).toUpperCase()}`, ` ${good} `, '', '  '])
    expect(faultOfAddress(text)).toBeUndefined()
})

it('says what is no address, and which capitals do not fit', () => {
  for (const text of ['0x12', good.slice(2), `${good}0`]) expect(faultOfAddress(text)).toContain('40 digits')
  expect(faultOfAddress(good.replace('aA', 'AA'))).toContain('capitals')
  expect(faultOfAddress(`${good.slice(0, -1)}e`)).toContain('capitals')
})
