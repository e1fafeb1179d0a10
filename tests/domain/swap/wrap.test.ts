import { describe, expect, it } from 'vitest'
import { isWrap, wrapKind } from '../../../src/domain/swap/wrap.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'

const weth: Address = `0x${'c'.repeat(40)}`
const dai: Address = `0x${'d'.repeat(40)}`

describe('a wrap', () => {
  it.each([
    [nativeTokenAddress, weth, 'wrap'],
    [weth, nativeTokenAddress, 'unwrap'],
    [nativeTokenAddress, dai, undefined],
    [weth, dai, undefined],
    [dai, weth, undefined],
  ] as const)('is the coin against the same coin as a token: %s for %s', (sell, buy, kind) => {
    expect(wrapKind({ sell, buy }, weth)).toBe(kind)
    expect(isWrap({ sell, buy }, { wrapped: weth })).toBe(kind !== undefined)
  })

  it('is none where the coin’s token is not known', () => {
    expect(isWrap({ sell: nativeTokenAddress, buy: weth }, {})).toBe(false)
  })
})
