import { encodeAbiParameters, parseAbiParameters, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../../../src/domain/token/token.ts'
import { nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import {
  account,
  bytes32,
  dai,
  encode,
  one,
  thief,
  two,
  usdc,
  v3b,
  weth,
  words,
} from '../../../helpers/samples/callSamples.ts'

const universal: Address = '0x66a9893cc07d91d95644aedd05d03f95e1dba8af'
const path = (from: Address, to: Address) => `${from}0001f4${to.slice(2)}` as Hex

const single = (floor: bigint, changes: { out?: Address; to?: Address; amount?: bigint } = {}) => {
  const { out = usdc, to = account, amount = 100n } = changes
  return encode('exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', [
    [dai, out, 500, to, amount, floor, 0n],
  ])
}
const multicall = (...calls: Hex[]) => encode('multicall(uint256,bytes[])', [1n, calls])
const unwrap = (min: bigint, to = account) => encode('unwrapWETH9(uint256,address)', [min, to])

describe('multicalls of the Uniswap V3 routers', () => {
  it('decodes steps that split one trade as a single swap', () => {
    expect(words(v3b, multicall(single(4n), single(5n)))).toEqual({
      kind: 'swap',
      router: v3b,
      sell: dai,
      buy: usdc,
      amount: 200n,
      floor: 9n,
      receiver: account,
      value: 0n,
      warnings: [],
    })
    for (const data of [
      encode('multicall(bytes[])', [[single(4n)]]),
      encode('multicall(bytes32,bytes[])', [bytes32, [single(4n)]]),
    ]) {
      expect(words(v3b, data)).toMatchObject({ kind: 'swap', floor: 4n })
    }
  })

  it('takes the minimum and the recipient from the final payout', () => {
    const swap = single(0n, { out: weth, to: two })
    expect(words(v3b, multicall(swap, unwrap(7n)))).toMatchObject({
      kind: 'swap',
      buy: nativeTokenAddress,
      floor: 7n,
      receiver: account,
      warnings: [],
    })
    expect(words(v3b, multicall(swap, unwrap(7n, thief))).warnings).toEqual(['foreign-receiver'])
    expect(words(v3b, multicall(swap, unwrap(0n))).warnings).toEqual(['no-floor'])
    const sweep = encode('sweepToken(address,uint256,address)', [usdc, 3n, account])
    expect(words(v3b, multicall(single(2n, { to: two }), sweep))).toMatchObject({ buy: usdc, floor: 3n })
  })

  it('counts the whole native value as sold when the sold token is the wrapped one', () => {
    const exactOut = encode('exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))', [
      [weth, usdc, 500, account, 9n, 80n, 0n],
    ])
    const data = multicall(exactOut, encode('refundETH()', []))
    expect(words(v3b, data, 100n)).toMatchObject({
      sell: nativeTokenAddress,
      amount: 100n,
      buy: usdc,
      floor: 9n,
      value: 100n,
    })
    expect(words(v3b, data)).toMatchObject({ sell: weth, amount: 80n })
  })

  it.each<[string, Hex, bigint]>([
    ['no step', multicall(), 0n],
    ['a step that is not known', multicall(single(4n), '0x12345678'), 0n],
    [
      'a transfer among its steps',
      multicall(single(4n), encode('transfer(address,uint256)', [thief, 1n])),
      0n,
    ],
    ['two bought tokens', multicall(single(4n), single(4n, { out: weth })), 0n],
    ['two receivers', multicall(single(4n), single(4n, { to: thief })), 0n],
    ['an output that stays in the router', multicall(single(4n, { to: two })), 0n],
    ['a payout before its swap', multicall(unwrap(7n), single(0n, { out: weth, to: two })), 0n],
    ['two payouts', multicall(single(0n, { out: weth, to: two }), unwrap(7n), unwrap(0n, thief)), 0n],
    ['an amount that is the router’s balance', multicall(single(4n, { amount: 0n })), 0n],
    ['native tokens for a token that is not wrapped', multicall(single(4n)), 100n],
    ['bytes behind a step', multicall(`${single(4n)}00`), 0n],
  ])('does not decode a multicall with %s', (_name, data, value) => {
    expect(words(v3b, data, value).kind).toBe('unknown')
  })
})

const v3Input = (
  changes: Partial<{ to: Address; amount: bigint; least: bigint; path: Hex; fromUser: boolean }> = {},
) => {
  const { to = one, amount = 100n, least = 9n, path: along = path(dai, usdc), fromUser = true } = changes
  return encodeAbiParameters(parseAbiParameters('address, uint256, uint256, bytes, bool'), [
    to,
    amount,
    least,
    along,
    fromUser,
  ])
}
const payInput = (to: Address, min: bigint) =>
  encodeAbiParameters(parseAbiParameters('address, uint256'), [to, min])
const sweepInput = (token: Address, to: Address, min: bigint) =>
  encodeAbiParameters(parseAbiParameters('address, address, uint256'), [token, to, min])
const permitInput = (spender: Address) =>
  encodeAbiParameters(
    parseAbiParameters([
      'P p, bytes s',
      'struct P { D d; address spender; uint256 end; }',
      'struct D { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
    ]),
    [{ d: { token: dai, amount: 1n, expiration: 1, nonce: 0 }, spender, end: 1n }, toHex(1, { size: 65 })],
  )
const execute = (commands: string, ...inputs: Hex[]) =>
  encode('execute(bytes,bytes[],uint256)', [`0x${commands}`, inputs, 1n])

describe('Universal Router', () => {
  it('decodes V2 and V3 swaps, exact in and exact out, and a permit for the router itself', () => {
    const swap = { kind: 'swap', router: universal, sell: dai, buy: usdc, receiver: account, warnings: [] }
    expect(words(universal, execute('00', v3Input()))).toMatchObject({ ...swap, amount: 100n, floor: 9n })
    expect(words(universal, execute('0a00', permitInput(universal), v3Input()))).toMatchObject(swap)
    const exactOut = v3Input({ amount: 9n, least: 100n, path: path(usdc, dai) })
    expect(words(universal, execute('01', exactOut))).toMatchObject({ ...swap, amount: 100n, floor: 9n })
    const v2Input = (first: bigint, second: bigint) =>
      encodeAbiParameters(parseAbiParameters('address, uint256, uint256, address[], bool'), [
        one,
        first,
        second,
        [dai, weth, usdc],
        true,
      ])
    expect(words(universal, execute('08', v2Input(100n, 9n)))).toMatchObject({
      ...swap,
      amount: 100n,
      floor: 9n,
    })
    expect(words(universal, execute('09', v2Input(9n, 100n)))).toMatchObject({
      ...swap,
      amount: 100n,
      floor: 9n,
    })
    const inputs = [v3Input()]
    expect(words(universal, encode('execute(bytes,bytes[])', ['0x00', inputs]))).toMatchObject(swap)
  })

  it('decodes swaps that wrap native tokens first or unwrap them at the end', () => {
    const fromCoin = execute(
      '0b00',
      payInput(two, 100n),
      v3Input({ path: path(weth, usdc), fromUser: false, amount: 2n ** 255n }),
    )
    expect(words(universal, fromCoin, 100n)).toMatchObject({
      sell: nativeTokenAddress,
      amount: 100n,
      buy: usdc,
      floor: 9n,
    })
    const toCoin = execute('000c', v3Input({ to: two, least: 0n, path: path(dai, weth) }), payInput(one, 8n))
    expect(words(universal, toCoin)).toMatchObject({ buy: nativeTokenAddress, floor: 8n, receiver: account })
    const fee = execute('0004', v3Input({ to: two }), sweepInput(usdc, thief, 8n))
    expect(words(universal, fee).warnings).toEqual(['foreign-receiver'])
  })

  it.each<[string, Hex, bigint]>([
    ['a command that may fail', execute('80', v3Input()), 0n],
    ['a V4 swap', execute('10', '0x'), 0n],
    ['a transfer', execute('0005', v3Input(), sweepInput(usdc, thief, 1n)), 0n],
    ['a permit for another spender', execute('0a00', permitInput(thief), v3Input()), 0n],
    ['fewer inputs than commands', execute('0000', v3Input()), 0n],
    ['an input with bytes behind', execute('00', `${v3Input()}00`), 0n],
    ['an input that is cut', execute('00', v3Input().slice(0, -2) as Hex), 0n],
    ['tokens of the router’s own', execute('00', v3Input({ fromUser: false })), 0n],
    ['all of a balance', execute('00', v3Input({ amount: 2n ** 255n })), 0n],
    ['coins that nothing sells', execute('00', v3Input()), 5n],
  ])('does not decode a call with %s', (_name, data, value) => {
    expect(words(universal, data, value).kind).toBe('unknown')
  })
})
