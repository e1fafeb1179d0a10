import { expect, it } from 'vitest'
import { checkDecimals } from '../../../src/background/swap/reviewStore.ts'
import { type Address, nativeTokenAddress, type Token } from '../../../src/domain/token/token.ts'
import type { Chain } from '../../../src/evm/client.ts'

const gold: Address = `0x${'1'.repeat(40)}`
const tin: Address = `0x${'2'.repeat(40)}`

const token = (address: Address, decimals: number): Token => ({
  address,
  symbol: 'GOLD',
  name: 'Gold',
  decimals,
  listed: true,
  eip2612: false,
  taxed: false,
  tags: [],
})

const chain = { token: async (address: Address) => token(address, 6) } as unknown as Chain

it('rejects a traded token whose decimals differ between list and contract', async () => {
  await expect(checkDecimals(chain, [token(gold, 18)], [gold, nativeTokenAddress])).rejects.toMatchObject({
    code: 'unsafe-transaction',
    facts: { fact: 'decimals', expected: '6', found: '18', token: gold },
  })
})

it('ignores the native token and tokens that are not traded', async () => {
  const list = [token(gold, 6), token(tin, 18), token(nativeTokenAddress, 18)]
  expect(await checkDecimals(chain, list, [gold, nativeTokenAddress])).toBeUndefined()
})
