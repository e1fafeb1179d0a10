import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  pad,
  parseAbi,
  parseAbiParameters,
  size,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Ask, native, partialFill, usePermit2, v2, wrap } from './fuzz/ask.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let before: Hex
/** USDC is approved for Permit2 only. */
let ask: Ask
const amount = 1_000_000_000n
const never = 2n ** 47n

beforeAll(async () => {
  stage = await openStage()
  const { WETH, USDC } = stage.tokens
  const pool = await stage.pair(WETH, USDC)
  const hops = [{ kind: v2, from: 0, to: 1, pool, fee: 3_000 }]
  ask = { tokens: [USDC, WETH], hops, amount, flags: usePermit2 }
  await stage.write(USDC, 'approve', [stage.router, 0n], stage.seller)
  await stage.write(USDC, 'approve', [stage.contracts.permit2, amount * 3n], stage.seller)
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

describe('swap through Permit2', () => {
  it('sells with an allowance at Permit2 and deducts the amount from it', async () => {
    await allow(amount + 5n)
    const quoted = await stage.quoteV2(stage.tokens.USDC, stage.tokens.WETH, amount)
    expect(await stage.swap({ ...ask, least: quoted })).toMatchObject({ paid: amount, arrived: quoted })
    expect((await allowance()).amount).toBe(5n)
  })

  it('sells with a signature only', async () => {
    const permit = await sign()
    expect(size(permit)).toBe(12 * 32)
    expect(await stage.swap({ ...ask, permit })).toMatchObject({ paid: amount })
    expect(await allowance()).toMatchObject({ amount: 0n, nonce: 1 })
  })

  it('sells a token whose calls return nothing', async () => {
    const { USDT, WETH } = stage.tokens
    const hops = [{ kind: v2, from: 0, to: 1, pool: await stage.pair(USDT, WETH), fee: 3_000 }]
    await stage.write(USDT, 'approve', [stage.router, 0n], stage.seller)
    await stage.write(USDT, 'approve', [stage.contracts.permit2, amount], stage.seller)
    const permit = await sign({ token: USDT })
    const done = await stage.swap({ ...ask, tokens: [USDT, WETH], hops, permit })
    expect(done).toMatchObject({ paid: amount, arrived: done.returned })
  })

  it('supports partial fills', async () => {
    const paused = await stage.deploy('Puppet')
    const branches = [{ weight: 250_000, hops: [{ ...ask.hops![0]!, pool: paused }] }, { hops: ask.hops! }]
    const both = { ...ask, branches, flags: usePermit2 | partialFill, permit: await sign() }
    expect(await stage.swap(both)).toMatchObject({ paid: 750_000_000n, spent: 750_000_000n })
  })

  it('succeeds when the signature was submitted before', async () => {
    const permit = await sign()
    const data = concat(['0x2b67b570', permit])
    await stage.send({ from: stage.stranger, to: stage.contracts.permit2, data })
    expect(await allowance()).toMatchObject({ amount, nonce: 1 })
    expect(await stage.swap({ ...ask, permit })).toMatchObject({ paid: amount })
  })

  it('succeeds with an expired signature when the allowance exists', async () => {
    await allow(amount)
    expect(await stage.swap({ ...ask, permit: await sign({ deadline: 1n }) })).toMatchObject({ paid: amount })
  })

  it('ignores the permit when native tokens are sold', async () => {
    const { WETH } = stage.tokens
    const hops = [{ kind: wrap, from: 0, to: 1 }]
    const done = await stage.swap({ ...ask, tokens: [native, WETH], hops, amount: 7n, permit: pad('0x') })
    expect(done).toMatchObject({ arrived: 7n })
  })
})

describe('swap through Permit2: validation', () => {
  it('rejects an allowance at Permit2 that is too small, expired or missing', async () => {
    expect(await stage.refusal(ask)).toEqual(['AllowanceExpired', 0n])
    await allow(amount - 1n)
    expect(await stage.refusal(ask)).toEqual(['InsufficientAllowance', amount - 1n])
    await allow(amount, 1)
    expect(await stage.refusal(ask)).toEqual(['AllowanceExpired', 1n])
  })

  it('rejects a token allowance to Permit2 that is too small', async () => {
    await allow(amount)
    await stage.write(stage.tokens.USDC, 'approve', [stage.contracts.permit2, amount - 1n], stage.seller)
    expect(await stage.refusal(ask)).toEqual(['Error', 'TRANSFER_FROM_FAILED'])
  })

  it("rejects the router's own allowance instead of the one at Permit2, and vice versa", async () => {
    await allow(amount)
    expect((await stage.refusal({ ...ask, flags: 0n }))[0]).toBe('TransferFailed')
    await stage.write(stage.tokens.USDC, 'approve', [stage.router, amount], stage.seller)
    await allow(0n)
    expect(await stage.refusal(ask)).toEqual(['InsufficientAllowance', 0n])
  })

  it('rejects a signature that was used before', async () => {
    const permit = await sign()
    await stage.swap({ ...ask, permit })
    expect(await stage.refusal({ ...ask, permit })).toEqual(['InsufficientAllowance', 0n])
  })

  it('rejects a signature that is expired, for less, or of another signer', async () => {
    const refused = async (permit: Hex) => (await stage.refusal({ ...ask, permit }))[0]
    expect(await refused(await sign({ deadline: 1n }))).toBe('AllowanceExpired')
    expect(await refused(await sign({ expiration: 1 }))).toBe('AllowanceExpired')
    expect(await refused(await sign({ allowed: amount - 1n }))).toBe('InsufficientAllowance')
    expect(await refused(await sign({ signer: stage.accounts[3]!.privateKey }))).toBe('AllowanceExpired')
  })

  it("rejects another account's valid signature", async () => {
    const { seller, stranger, router } = stage
    const permit = await sign()
    expect(await stage.refusal({ ...ask, permit, from: stranger })).toEqual(['WrongPermit', seller, router])
  })

  it('rejects a signature for another spender', async () => {
    const { seller, stranger } = stage
    const permit = await sign({ spender: stranger })
    expect(await stage.refusal({ ...ask, permit })).toEqual(['WrongPermit', seller, stranger])
  })

  it('rejects a signature for another token', async () => {
    const { USDC, USDT } = stage.tokens
    const permit = await sign({ token: USDT })
    expect(await stage.refusal({ ...ask, permit })).toEqual(['WrongPermitToken', USDT, USDC])
  })

  it('rejects a permit of any other length, and a Permit2 permit without the flag', async () => {
    const permit = await sign()
    const refused = (permit: Hex, flags: bigint = usePermit2) => stage.refusal({ ...ask, permit, flags })
    expect(await refused(permit, 0n)).toEqual(['WrongPermitLength', 384n])
    expect(await refused(permit.slice(0, 2 + 7 * 64) as Hex)).toEqual(['WrongPermitLength', 224n])
    expect(await refused(permit.slice(0, 2 + 8 * 64) as Hex)).toEqual(['WrongPermitLength', 256n])
    expect(await refused(concat([permit, pad('0x')]))).toEqual(['WrongPermitLength', 416n])
  })

  it('rejects a malformed permit', async () => {
    const permit = await sign()
    const spoiled = (word: number, value: string) =>
      `${permit.slice(0, 2 + 64 * word)}${value}${permit.slice(2 + 64 * (word + 1))}` as Hex
    const refused = (word: number) => stage.refusal({ ...ask, permit: spoiled(word, 'f'.repeat(64)) })
    // Owner, 160-bit amount, 48-bit expiration, signature offset.
    for (const word of [0, 2, 3, 7]) expect(await refused(word)).toEqual([''])
    // A signature length beyond memory.
    expect(await refused(8)).toEqual(['Panic', 0x41n])
  })

  it('rejects an amount larger than Permit2 supports', async () => {
    const large = 2n ** 160n
    expect(await stage.refusal({ ...ask, amount: large })).toEqual(['AmountTooLarge', large])
    expect(await stage.refusal({ ...ask, amount: large - 1n })).toEqual(['AllowanceExpired', 0n])
  })
})

const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
])

async function allow(allowed: bigint, expiration = Number(never)): Promise<void> {
  const args = [stage.tokens.USDC, stage.router, allowed, expiration] as const
  const data = encodeFunctionData({ abi: permit2Abi, functionName: 'approve', args })
  await stage.send({ from: stage.seller, to: stage.contracts.permit2, data })
}

async function allowance(token = stage.tokens.USDC) {
  const [amount, expiration, nonce] = await stage.client.readContract({
    ...{ address: stage.contracts.permit2, abi: permit2Abi, functionName: 'allowance' },
    args: [stage.seller, token, stage.router],
  })
  return { amount, expiration, nonce }
}

type Terms = {
  token: Address
  allowed: bigint
  expiration: number
  deadline: bigint
  spender: Address
  signer: Hex
}

const shape = parseAbiParameters([
  'address owner, PermitSingle single, bytes signature',
  'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
  'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
])

/** Permit2 permit, 12 words. */
async function sign(terms: Partial<Terms> = {}): Promise<Hex> {
  const { token = stage.tokens.USDC, allowed = amount, expiration = Number(never) } = terms
  const { deadline = never, spender = stage.router, signer = stage.accounts[1]!.privateKey } = terms
  const { nonce } = await allowance(token)
  const message = {
    details: { token, amount: allowed, expiration, nonce },
    ...{ spender, sigDeadline: deadline },
  }
  const signature = await privateKeyToAccount(signer).signTypedData({
    domain: {
      name: 'Permit2',
      chainId: stage.client.chain.id,
      verifyingContract: stage.contracts.permit2,
    },
    types: {
      PermitDetails: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint160' },
        { name: 'expiration', type: 'uint48' },
        { name: 'nonce', type: 'uint48' },
      ],
      PermitSingle: [
        { name: 'details', type: 'PermitDetails' },
        { name: 'spender', type: 'address' },
        { name: 'sigDeadline', type: 'uint256' },
      ],
    },
    primaryType: 'PermitSingle',
    message,
  })
  return encodeAbiParameters(shape, [stage.seller, message, signature])
}
