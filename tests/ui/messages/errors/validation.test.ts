import { expect, it } from 'vitest'
import { validateAddress } from '../../../../src/ui/messages/errors/validation.ts'

const good = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

it('accepts an address in a single case or with a valid checksum, and an empty field', () => {
  for (const text of [good, good.toLowerCase(), `0x${good.slice(2).toUpperCase()}`, ` ${good} `, '', '  '])
    expect(validateAddress(text)).toBeUndefined()
})

it('accepts a network prefix unless it is unknown or names another network than the current one', () => {
  expect(validateAddress(`base:${good}`)).toBeUndefined()
  expect(validateAddress(`base:${good}`, 8453)).toBeUndefined()
  expect(validateAddress(`base:${good}`, 1)).toContain('another network: Base')
  expect(validateAddress(`eip155:5:${good}`, 1)).toContain('another network: Chain ID 5')
  expect(validateAddress(`xyz:${good}`)).toContain('network “xyz”')
  expect(validateAddress(`ethereum:${good}@1/transfer?address=${good}`)).toContain('contract')
})

it('rejects text that is not an address, and capitals that do not match the checksum', () => {
  for (const text of ['0x12', good.slice(2), `${good}0`])
    expect(validateAddress(text)).toContain('40 characters')
  expect(validateAddress(good.replace('aA', 'AA'))).toContain('Invalid checksum')
  expect(validateAddress(`${good.slice(0, -1)}e`)).toContain('Invalid checksum')
})
