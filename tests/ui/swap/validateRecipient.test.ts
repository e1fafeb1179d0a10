import { getAddress } from 'viem'
import { expect, it } from 'vitest'
import { parseRecipient } from '../../../src/ui/swap/TradeOptions.tsx'
import { eth, usdc } from '../../helpers/state/fakes.ts'

const account = `0x${'1'.repeat(40)}` as const
const friend = getAddress(`0x${'fe'.repeat(20)}`)
const read = (text: string) => parseRecipient(text, account, [eth, usdc, undefined])

it('accepts another address in a single case or with a valid checksum', () => {
  const plain = friend.toLowerCase()
  expect(plain).not.toBe(friend)
  for (const text of [` ${friend} `, plain, `0x${plain.slice(2).toUpperCase()}`])
    expect(read(text)).toBe(plain)
  for (const text of [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])
    expect(read(text)).toBe(text.toLowerCase())
})

it('rejects an address with one character that does not match the checksum', () => {
  const last = friend.slice(-1)
  for (const text of [
    friend.slice(0, -1) + (last === '1' ? '2' : '1'),
    '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ])
    expect(read(text)).toEqual({ fault: expect.stringContaining('Invalid checksum') })
})

it.each([account, '0x12', friend.slice(2), `0x${'0'.repeat(40)}`, usdc.address])(
  'rejects %s with an error message',
  (text) => {
    const fault = read(text)
    expect(typeof fault === 'object' && fault.fault).toMatch(/\.$/)
  },
)

it('reads an address with a network prefix and rejects one for another network', () => {
  const plain = friend.toLowerCase()
  const on = (text: string) => parseRecipient(text, account, [eth, usdc, undefined], 8453)
  for (const text of [`base:${friend}`, `ethereum:${friend}@8453`, `"${friend}"`])
    expect(on(text)).toBe(plain)
  expect(on(`eth:${friend}`)).toEqual({ fault: expect.stringContaining('another network: Ethereum') })
  expect(on(`xyz:${friend}`)).toEqual({ fault: expect.stringContaining('xyz') })
})

it('returns an empty error for an empty field', () => {
  expect(read('  ')).toEqual({ fault: '' })
})
