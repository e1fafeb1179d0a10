import {
  type Address,
  concat,
  encodeAbiParameters,
  type Hex,
  pad,
  parseAbiParameters,
  parseEther,
  parseSignature,
  size,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { daiPermitTypes, eip2612Types } from '../helpers/samples/permitTypes.ts'
import { type Ask, native, v2, wrap } from './fuzz/ask.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let before: Hex
let ask: Ask
const amount = 1_000_000_000n
const never = 2n ** 64n

beforeAll(async () => {
  stage = await openStage()
  const { WETH, USDC } = stage.tokens
  const pool = await stage.pair(WETH, USDC)
  ask = { tokens: [USDC, WETH], hops: [{ kind: v2, from: 0, to: 1, pool, fee: 3_000 }], amount }
  await stage.write(USDC, 'approve', [stage.router, 0n], stage.seller)
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

describe('swap with a permit', () => {
  it('reverts without an allowance or a permit', async () => {
    expect((await stage.refusal(ask))[0]).toBe('TransferFailed')
  })

  it('sells with a signature only and uses up the allowance', async () => {
    const done = await stage.swap({ ...ask, permit: await sign() })
    expect(done).toMatchObject({ paid: amount, arrived: done.returned })
    expect(await allowance()).toBe(0n)
  })

  it('keeps the signed allowance beyond the amount', async () => {
    await stage.swap({ ...ask, permit: await sign({ value: amount + 5n }) })
    expect(await allowance()).toBe(5n)
  })

  it('sells with a DAI permit', async () => {
    const { WETH } = stage.tokens
    const dai = await stage.deploy('DaiLikeToken', ['Dai-like', 'DLT'])
    for (const to of [stage.seller, stage.client.account.address]) {
      await stage.write(dai, 'mint', [to, parseEther('50000')], stage.stranger)
    }
    const pool = await stage.openPair(dai, parseEther('30000'), WETH, parseEther('10'))
    const permit = await signDai(dai)
    expect(size(permit)).toBe(8 * 32)
    const quoted = await stage.quoteV2(dai, WETH, parseEther('300'))
    const hops = [{ kind: v2, from: 0, to: 1, pool, fee: 3_000 }]
    const sold = { tokens: [dai, WETH], hops, amount: parseEther('300') }
    expect((await stage.refusal(sold))[0]).toBe('TransferFailed')
    expect(await stage.swap({ ...sold, permit })).toMatchObject({ arrived: quoted, paid: parseEther('300') })
  })

  it('succeeds when the permit was submitted before', async () => {
    const permit = await sign()
    const data = concat(['0xd505accf', permit])
    await stage.send({ from: stage.stranger, to: stage.tokens.USDC, data })
    expect(await allowance()).toBe(amount)
    expect(await stage.swap({ ...ask, permit })).toMatchObject({ paid: amount })
  })

  it('succeeds with an invalid permit when the allowance exists', async () => {
    await stage.write(stage.tokens.USDC, 'approve', [stage.router, amount], stage.seller)
    const permit = await sign({ deadline: 1n })
    expect(await stage.swap({ ...ask, permit })).toMatchObject({ paid: amount })
  })

  it('rejects a permit that was used before', async () => {
    const permit = await sign()
    await stage.swap({ ...ask, permit })
    expect((await stage.refusal({ ...ask, permit }))[0]).toBe('TransferFailed')
  })

  it('rejects an expired permit, one for less, and one of another signer', async () => {
    expect((await stage.refusal({ ...ask, permit: await sign({ deadline: 1n }) }))[0]).toBe('TransferFailed')
    expect((await stage.refusal({ ...ask, permit: await sign({ value: amount - 1n }) }))[0]).toBe(
      'TransferFailed',
    )
    const permit = await sign({ signer: stage.accounts[3]!.privateKey })
    expect((await stage.refusal({ ...ask, permit }))[0]).toBe('TransferFailed')
  })

  it("rejects another account's valid permit", async () => {
    const { seller, stranger, router } = stage
    const permit = await sign()
    expect(await stage.refusal({ ...ask, permit, from: stranger })).toEqual(['WrongPermit', seller, router])
    expect(await allowance()).toBe(0n)
  })

  it('rejects a permit for another spender', async () => {
    const { seller, stranger } = stage
    const permit = await sign({ spender: stranger })
    expect(await stage.refusal({ ...ask, permit })).toEqual(['WrongPermit', seller, stranger])
  })

  it('rejects a permit of any other length', async () => {
    const permit = await sign()
    const refused = async (permit: Hex) => stage.refusal({ ...ask, permit })
    expect(await refused(pad('0x'))).toEqual(['WrongPermitLength', 32n])
    expect(await refused(permit.slice(0, -64) as Hex)).toEqual(['WrongPermitLength', 192n])
    expect(await refused(concat([permit, pad('0x'), pad('0x')]))).toEqual(['WrongPermitLength', 288n])
  })

  it('rejects a number too large for its field', async () => {
    const permit = await sign()
    const v = `${permit.slice(0, 2 + 64 * 4)}${'f'.repeat(64)}${permit.slice(2 + 64 * 5)}` as Hex
    expect(await stage.refusal({ ...ask, permit: v })).toEqual([''])
    const owner = `0x${'f'.repeat(64)}${permit.slice(2 + 64)}` as Hex
    expect(await stage.refusal({ ...ask, permit: owner })).toEqual([''])
  })

  it('ignores the permit when native tokens are sold', async () => {
    const tokens = [native, stage.tokens.WETH]
    const done = await stage.swap({
      tokens,
      hops: [{ kind: wrap, from: 0, to: 1 }],
      amount: 7n,
      permit: pad('0x'),
    })
    expect(done).toMatchObject({ arrived: 7n })
  })
})

function allowance(): Promise<bigint> {
  return stage.read(stage.tokens.USDC, 'allowance', [stage.seller, stage.router])
}

type Terms = { value: bigint; deadline: bigint; spender: Address; signer: Hex }

/** EIP-2612 permit, 7 words. */
async function sign(terms: Partial<Terms> = {}): Promise<Hex> {
  const { value = amount, deadline = never, spender = stage.router, signer = sellerKey() } = terms
  const { seller: owner, tokens } = stage
  const message = { owner, spender, value, nonce: await nonceOf(tokens.USDC), deadline }
  const signature = await privateKeyToAccount(signer).signTypedData({
    domain: domain('USD Coin', '2', tokens.USDC),
    types: eip2612Types,
    primaryType: 'Permit',
    message,
  })
  const shape = parseAbiParameters('address, address, uint256, uint256')
  return concat([encodeAbiParameters(shape, [owner, spender, value, deadline]), words(signature)])
}

/** DAI permit, 8 words. */
async function signDai(token: Address): Promise<Hex> {
  const { seller: holder, router: spender } = stage
  const message = { holder, spender, nonce: await nonceOf(token), expiry: never, allowed: true }
  const signature = await privateKeyToAccount(sellerKey()).signTypedData({
    domain: domain('Dai-like', '1', token),
    types: daiPermitTypes,
    primaryType: 'Permit',
    message,
  })
  const shape = parseAbiParameters('address, address, uint256, uint256, bool')
  const { nonce, expiry } = message
  return concat([encodeAbiParameters(shape, [holder, spender, nonce, expiry, true]), words(signature)])
}

function words(signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return concat([toHex(27 + yParity, { size: 32 }), r, s])
}

function domain(name: string, version: string, verifyingContract: Address) {
  return { name, version, chainId: stage.client.chain.id, verifyingContract }
}

const sellerKey = () => stage.accounts[1]!.privateKey
const nonceOf = (token: Address) => stage.read<bigint>(token, 'nonces', [stage.seller])
