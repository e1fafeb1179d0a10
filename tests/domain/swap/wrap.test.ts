import { describe, expect, it } from 'vitest'
import { isWrap, wrapKind } from '../../../src/domain/swap/wrap.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'

const weth: Address = `0x${'c'.repeat(40)}`
const dai: Address = `0x${'d'.repeat(40)}`

describe('wrap detection', () => {
  it.each([
    [nativeTokenAddress, weth, 'wrap'],
    [weth, nativeTokenAddress, 'unwrap'],
    [nativeTokenAddress, dai, undefined],
    [weth, dai, undefined],
    [dai, weth, undefined],
  ] as const)('recognises only the native token against its wrapped token: %s for %s', (sell, buy, kind) => {
    expect(wrapKind({ sell, buy }, weth)).toBe(kind)
    expect(isWrap({ sell, buy }, { wrapped: weth })).toBe(kind !== undefined)
  })

  it('detects no wrap when the wrapped token is unknown', () => {
    expect(isWrap({ sell: nativeTokenAddress, buy: weth }, {})).toBe(false)
  })
})
