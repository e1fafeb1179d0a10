import { expect, it } from 'vitest'
import type { Address } from '../../../src/domain/token/token.ts'
import { formatRisk } from '../../../src/ui/messages/risks.ts'

const collection: Address = `0x${'c0'.repeat(20)}`
const spender: Address = `0x${'5e'.repeat(20)}`

it.each([
  [false, '0x5e5e…5e5e can take every 0xc0c0…c0c0 NFT you own, now and in the future.'],
  [true, 'It lets 0x5e5e…5e5e take every 0xc0c0…c0c0 NFT you own, without saying so.'],
])('describes an approval for a whole collection as NFTs, not as a balance', (isHidden, words) => {
  const risk = { kind: 'beyond-balance', token: collection, spender, isHidden, isGrave: true } as const
  const tokenOf = () => null
  expect(formatRisk({ ...risk, isCollection: true, balance: 0n }, tokenOf)).toBe(words)
  expect(formatRisk({ ...risk, balance: 0n }, tokenOf)).not.toContain('NFT')
})
