import { decodeFunctionData, erc20Abi, type Hex, maxUint256, numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { poolAddress, pools } from '../../../dev/pools/pools.ts'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import type { Address } from '../../../service/config.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { deadlineIn, withoutDeadline } from '../../helpers/service/deadline.ts'
import { createPermits } from '../../helpers/service/permits.ts'
import { type Query, type Running, startRunning } from '../../helpers/service/runService.ts'

let running: Running
let ask: Running['ask']
let chain: Running['chain']
let tokens: Running['localnet']['tokens']
/** Has approved everything by default. */
let owner: Address
/** Has approved nothing. */
let other: Address
const friend = `0x${'f1'.repeat(20)}` as const
const partner = `0x${'fa'.repeat(20)}` as const
const pauper = `0x${'9a'.repeat(20)}` as const

beforeAll(async () => {
  running = await startRunning()
  ask = running.ask
  chain = running.chain
  tokens = running.localnet.tokens
  owner = running.localnet.accounts[0]!.address
  other = running.localnet.accounts[1]!.address
  for (const token of Object.values(tokens)) await chain.approve(token, owner)
})
afterAll(() => running.stop())

const whole: Record<string, bigint> = { ETH: 10n ** 18n, USDC: 10n ** 6n, USDT: 10n ** 6n, WBTC: 10n ** 8n }

function addressOf(symbol: string): Address {
  return symbol === 'ETH' ? nativeTokenAddress : tokens[symbol as TokenSymbol]
}

function swap(sell: string, buy: string, units = 1, query: Query = {}): Query {
  const amount = (BigInt(Math.round(units * 1000)) * (whole[sell] ?? 10n ** 18n)) / 1000n
  const trade = { src: addressOf(sell), dst: addressOf(buy), amount: String(amount) }
  return { ...trade, from: owner, origin: owner, slippage: '1', ...query }
}

const abi = parseAbi([
  'struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256, uint256)',
])

function descriptionOf(data: Hex) {
  return decodeFunctionData({ abi, data }).args[1]
}

describe('swap', () => {
  it.each([
    ['USDC', 'WETH', 1_000],
    ['USDC', 'WETH', 10_000],
    ['USDT', 'DAI', 500],
    ['WETH', 'BROOK', 0.5],
    ['BROOK', 'USDT', 900],
    ['LINK', 'WBTC', 400],
    ['ETH', 'USDC', 1],
    ['ETH', 'WETH', 2],
    ['WETH', 'ETH', 1],
    ['ETH', 'BROOK', 0.25],
    ['DAI', 'ETH', 750],
  ])('swaps %s for %s and delivers exactly the stated amount', async (sell, buy, units) => {
    const { status, body } = await ask('swap', swap(sell, buy, units, { receiver: friend }))
    expect(status).toBe(200)
    const before = await chain.balance(addressOf(buy), friend)
    const soldBefore = await chain.balance(addressOf(sell), owner)
    await chain.execute(body.tx)
    expect(String((await chain.balance(addressOf(buy), friend)) - before)).toBe(body.dstAmount)
    if (sell !== 'ETH') {
      const sold = soldBefore - (await chain.balance(addressOf(sell), owner))
      expect(String(sold)).toBe(swap(sell, buy, units).amount)
    }
  })

  it('returns the complete transaction to send', async () => {
    const { body } = await ask('swap', swap('ETH', 'USDC', 1))
    expect(Object.keys(body).sort()).toEqual(['dstAmount', 'tx'])
    expect(Object.keys(body.tx).sort()).toEqual(['data', 'from', 'gas', 'gasPrice', 'to', 'value'])
    expect(body.tx).toMatchObject({
      from: owner,
      to: running.config.router,
      value: String(10n ** 18n),
      gasPrice: String(running.engine.gasPrice()),
      gas: expect.any(Number),
    })
    expect(body.tx.data.slice(0, 10)).toBe('0x07ed2379')
    expect(descriptionOf(body.tx.data)).toMatchObject({ amount: 10n ** 18n, flags: 0n })
    expect(descriptionOf(body.tx.data).dstReceiver.toLowerCase()).toBe(owner)
  })

  it('returns the amount of the quote at the same block, and the same bytes each time', async () => {
    const query = swap('USDC', 'WETH', 2_000)
    const [quote, one, two] = [await ask('quote', query), await ask('swap', query), await ask('swap', query)]
    expect(one.body.dstAmount).toBe(quote.body.dstAmount)
    // The deadline may differ by a second.
    expect(JSON.stringify(withoutDeadline(two.body))).toBe(JSON.stringify(withoutDeadline(one.body)))
  })

  it('simulates at the block of the route, even if the chain has moved on', async () => {
    const query = swap('BROOK', 'DAI', 200)
    const [before, ahead] = [await ask('swap', query), await ask('swap', swap('BROOK', 'DAI', 3_000))]
    const block = running.engine.block()
    await chain.send(ahead.body.tx)
    const { body } = await ask('swap', query)
    expect(running.engine.block()).toEqual(block)
    expect(withoutDeadline(body)).toEqual(withoutDeadline(before.body))

    await running.engine.refresh()
    const after = await ask('swap', query)
    expect(BigInt(after.body.dstAmount)).toBeLessThan(BigInt(body.dstAmount))
    await chain.execute(after.body.tx)
  })

  it('expires 15 minutes after it was built, or after its block if that is ahead of the clock', async () => {
    const query = swap('ETH', 'DAI', 1)
    const from = Math.floor(Date.now() / 1_000)
    const deadline = deadlineIn((await ask('swap', query)).body.tx.data)
    const block = Number(running.engine.block()!.timestamp)
    expect(deadline).toBeGreaterThanOrEqual(Math.max(from, block) + 900)
    expect(deadline).toBeLessThanOrEqual(Math.max(Math.ceil(Date.now() / 1_000), block) + 900)
  })

  it('estimates the gas it needs, also when its pools were traded within the same second', async () => {
    await chain.execute((await ask('swap', swap('ETH', 'LINK', 1))).body.tx)
    const { body } = await ask('swap', swap('ETH', 'LINK', 1))
    await running.localnet.client.increaseTime({ seconds: 60 })
    const { gasUsed } = await chain.send(body.tx)
    await running.engine.refresh()
    // The simulation's minReturn differs: up to 32 nonzero bytes at 12 gas (EIP-2028).
    const tried = (body.tx.gas * 3) / 4
    expect(Number(gasUsed)).toBeGreaterThanOrEqual(Math.floor(tried) - 1)
    expect(Number(gasUsed)).toBeLessThanOrEqual(tried + 32 * 12)
  })

  it('describes tokens and route on request', async () => {
    const { body } = await ask(
      'swap',
      swap('ETH', 'USDC', 1, {
        ...{ includeTokensInfo: 'true', includeProtocols: 'true', protocols: 'WETH,UNISWAP_V3' },
      }),
    )
    expect(body.srcToken).toMatchObject({ address: nativeTokenAddress, symbol: 'ETH' })
    expect(body.dstToken).toMatchObject({ address: tokens.USDC, symbol: 'USDC' })
    expect(body.protocols[0]).toMatchObject({
      token: nativeTokenAddress,
      hops: [{ part: 100, dst: tokens.WETH }],
    })
  })

  it('uses the given gas price', async () => {
    const { body } = await ask('swap', swap('ETH', 'USDC', 1, { gasPrice: '123456789' }))
    expect(body.tx.gasPrice).toBe('123456789')
  })
})

describe('minReturn', () => {
  it.each(['0', '0.3333', '1', '0.0001', '49.999999', '50'])(
    'lies %s percent of slippage below the stated amount, rounded down',
    async (slippage) => {
      const { body } = await ask('swap', swap('USDC', 'WETH', 1_000, { slippage }))
      const [digits = '', fraction = ''] = slippage.split('.')
      const scale = 10n ** BigInt(fraction.length)
      const kept = 100n * scale - BigInt(digits + fraction)
      const expected = (BigInt(body.dstAmount) * kept) / (100n * scale)
      expect(descriptionOf(body.tx.data).minReturnAmount).toBe(expected)
    },
  )

  it('equals the given minReturn, and rejects one above the stated amount', async () => {
    const { body: quote } = await ask('quote', swap('USDC', 'WETH', 1_000))
    const exact = { slippage: undefined, minReturn: quote.dstAmount }
    const { body } = await ask('swap', swap('USDC', 'WETH', 1_000, exact))
    expect(String(descriptionOf(body.tx.data).minReturnAmount)).toBe(quote.dstAmount)

    const minReturn = String(BigInt(quote.dstAmount) + 1n)
    const { status, body: refusal } = await ask('swap', swap('USDC', 'WETH', 1_000, { ...exact, minReturn }))
    expect(status).toBe(400)
    expect(refusal).toMatchObject({
      code: 'INSUFFICIENT_RETURN',
      meta: [
        { type: 'dstAmount', value: quote.dstAmount },
        { type: 'minReturn', value: minReturn },
      ],
    })
  })

  it('reverts the swap on chain when the price has moved too far', async () => {
    const { body } = await ask('swap', swap('BROOK', 'DAI', 100, { slippage: '0.5' }))
    const { body: ahead } = await ask('swap', swap('BROOK', 'DAI', 5_000))
    await chain.execute(ahead.tx)
    await expect(chain.execute(body.tx)).rejects.toThrow()
  })
})

describe('fees', () => {
  it('pays the fee to the referrer in the sold token, and the rest to the recipient', async () => {
    const { body } = await ask(
      'swap',
      swap('USDC', 'WETH', 1_000, { fee: '1.25', referrer: partner, receiver: friend }),
    )
    const before = await chain.balance(tokens.WETH, friend)
    await chain.execute(body.tx)
    expect(await chain.balance(tokens.USDC, partner)).toBe(12_500_000n)
    expect(String((await chain.balance(tokens.WETH, friend)) - before)).toBe(body.dstAmount)
  })

  it('pays the fee in the native token when that is sold', async () => {
    const { body } = await ask('swap', swap('ETH', 'USDC', 1, { fee: '3', referrer: partner }))
    await chain.execute(body.tx)
    expect(await chain.balance(nativeTokenAddress, partner)).toBe(3n * 10n ** 16n)
  })

  it.each([undefined, `0x${'00'.repeat(20)}`])(
    'requires a referrer for a fee: rejects %s',
    async (referrer) => {
      const { body } = await ask('swap', swap('USDC', 'WETH', 1_000, { fee: '1', referrer }))
      expect(body).toMatchObject({ code: 'FEE_WITHOUT_REFERRER', statusCode: 400 })
      const { status } = await ask('swap', swap('USDC', 'WETH', 1_000, { fee: '0', referrer }))
      expect(status).toBe(200)
    },
  )
})

// Permit nonces count up.
describe('permits', { shuffle: false }, () => {
  const permitsOf = (account: number) =>
    createPermits(running.localnet, running.localnet.accounts[account]!.privateKey)
  const signPermit = (value: bigint, account: number, spender?: Address) =>
    permitsOf(account).usdc({ value, ...(spender && { spender }) })

  it('swaps without an approval (EIP-2612)', async () => {
    const from = running.localnet.accounts[2]!.address
    const query = swap('USDC', 'WETH', 100, { from, origin: from })
    expect((await ask('swap', query)).body.code).toBe('NOT_ENOUGH_ALLOWANCE')

    const { status, body } = await ask('swap', { ...query, permit: await signPermit(100_000_000n, 2) })
    expect(status).toBe(200)
    const before = await chain.balance(tokens.WETH, from)
    await chain.execute(body.tx)
    expect(String((await chain.balance(tokens.WETH, from)) - before)).toBe(body.dstAmount)
  })

  it('accepts a used permit when the allowance suffices', async () => {
    const from = running.localnet.accounts[2]!.address
    await chain.approve(tokens.USDC, from)
    const query = swap('USDC', 'WETH', 100, { from, origin: from, permit: await signPermit(100_000_000n, 2) })
    const { status, body } = await ask('swap', query)
    expect(status).toBe(200)
    await chain.execute(body.tx)
  })

  it('answers ESTIMATION_FAILED to a permit for too little or for another spender', async () => {
    const from = running.localnet.accounts[3]!.address
    const query = swap('USDC', 'WETH', 100, { from, origin: from })
    const little = await ask('swap', { ...query, permit: await signPermit(99_999_999n, 3) })
    expect(little.body).toMatchObject({
      code: 'ESTIMATION_FAILED',
      description: expect.stringMatching(/^cannot estimate/),
    })
    const foreign = await ask('swap', { ...query, permit: await signPermit(maxUint256, 3, friend) })
    expect(foreign.body).toMatchObject({
      code: 'ESTIMATION_FAILED',
      description: 'cannot estimate: WrongPermit',
    })
  })

  it('swaps without an approval (DAI style)', async () => {
    const from = running.localnet.accounts[6]!.address
    const permit = await permitsOf(6).dai()
    const query = swap('DAI', 'WETH', 100, { from, origin: from })
    expect((await ask('swap', query)).body.code).toBe('NOT_ENOUGH_ALLOWANCE')
    const { status, body } = await ask('swap', { ...query, permit })
    expect(status).toBe(200)
    const before = await chain.balance(tokens.WETH, from)
    await chain.execute(body.tx)
    expect(String((await chain.balance(tokens.WETH, from)) - before)).toBe(body.dstAmount)
  })

  it('rejects a permit for the native token', async () => {
    const { body } = await ask('swap', swap('ETH', 'USDC', 1, { permit: await signPermit(1n, 3) }))
    expect(body.code).toBe('PERMIT_NOT_ALLOWED_FOR_NATIVE')
  })
})

describe('balances and allowances', () => {
  it('reports an insufficient balance with the amounts', async () => {
    const { body } = await ask('swap', swap('USDC', 'WETH', 100, { from: pauper }))
    expect(body).toMatchObject({
      code: 'NOT_ENOUGH_BALANCE',
      description: 'Not enough balance. Amount: 100000000. Balance: 0.',
      meta: [
        { type: 'amount', value: '100000000' },
        { type: 'balance', value: '0' },
      ],
    })
    const coin = await ask('swap', swap('ETH', 'USDC', 1, { from: pauper }))
    expect(coin.body).toMatchObject({ code: 'NOT_ENOUGH_BALANCE' })
  })

  it('reports an insufficient allowance with the amounts and the spender', async () => {
    await chain.approve(tokens.DAI, other, 5n)
    const { body } = await ask('swap', swap('DAI', 'WETH', 1, { from: other }))
    expect(body).toMatchObject({
      code: 'NOT_ENOUGH_ALLOWANCE',
      description: `Not enough allowance. Amount: ${10n ** 18n}. Allowance: 5. Spender: ${running.config.router}.`,
      meta: [
        { type: 'amount', value: String(10n ** 18n) },
        { type: 'allowance', value: '5' },
        { type: 'spender', value: running.config.router },
      ],
    })
  })

  it('counts an approval in a block that the engine has not read yet', async () => {
    const { client } = running.localnet
    const from = running.localnet.accounts[5]!.address
    const query = swap('LINK', 'WETH', 1, { from, origin: from })
    expect((await ask('swap', query)).body.code).toBe('NOT_ENOUGH_ALLOWANCE')
    await client.impersonateAccount({ address: from })
    const args = [running.config.router, maxUint256] as const
    const call = { address: tokens.LINK, abi: erc20Abi, functionName: 'approve', args } as const
    const block = running.engine.block()
    await client.writeContractSync({ account: from, ...call })
    expect(running.engine.block()).toEqual(block)

    const { status, body } = await ask('swap', query)
    expect(status).toBe(200)
    const before = await chain.balance(tokens.WETH, from)
    await chain.execute(body.tx)
    expect(String((await chain.balance(tokens.WETH, from)) - before)).toBe(body.dstAmount)
  })

  it('skips the balance check with disableEstimate', async () => {
    const query = swap('USDC', 'WETH', 100, { from: pauper, disableEstimate: 'true' })
    const { status, body } = await ask('swap', query)
    expect(status).toBe(200)
    expect(body.dstAmount).toBe((await ask('quote', query)).body.dstAmount)
    expect(body.tx.gas).toBeGreaterThan(100_000)
  })
})

describe('forceApprove', () => {
  it.each(['USDC', 'USDT', 'DAI', 'LINK'])('simulates %s as if it were approved', async (sell) => {
    const from = running.localnet.accounts[4]!.address
    const query = swap(sell, 'WETH', 1, { from, forceApprove: 'true' })
    const { status, body } = await ask('swap', query)
    expect(status).toBe(200)
    await chain.approve(addressOf(sell), from)
    const before = await chain.balance(tokens.WETH, from)
    await chain.execute(body.tx)
    expect(String((await chain.balance(tokens.WETH, from)) - before)).toBe(body.dstAmount)
  })

  it('accepts the native token', async () => {
    expect((await ask('swap', swap('ETH', 'USDC', 1, { forceApprove: 'true' }))).status).toBe(200)
  })

  it('answers FORCE_APPROVE_NOT_SUPPORTED for a token without a storage slot for allowances', async () => {
    const { client } = running.localnet
    // Returns 7: PUSH1 7, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN.
    await client.setCode({ address: friend, bytecode: '0x60075f5260205ff3' })
    const { body } = await ask('swap', swap('USDC', 'WETH', 1, { src: friend, forceApprove: 'true' }))
    expect(body.code).toBe('FORCE_APPROVE_NOT_SUPPORTED')
    await client.setCode({ address: friend, bytecode: '0x' })
  })
})

describe('createAccessList', () => {
  it('returns the accessed storage slots', async () => {
    const { body } = await ask('swap', swap('USDC', 'WETH', 1_000, { createAccessList: 'true' }))
    const addresses = body.tx.accessList.map(({ address }: { address: Address }) => address)
    expect(addresses).toContain(tokens.USDC)
    expect(body.tx.accessList[0].storageKeys[0]).toMatch(/^0x[0-9a-f]{64}$/)
    expect(body.tx.gasUsed).toBeGreaterThan(50_000)
  })

  it('returns an empty list and the gas limit when the swap cannot be executed yet', async () => {
    const query = swap('USDC', 'WETH', 1_000, {
      from: pauper,
      disableEstimate: 'true',
      createAccessList: 'true',
    })
    const { body } = await ask('swap', query)
    expect(body.tx).toMatchObject({ accessList: [], gasUsed: body.tx.gas })
  })
})

describe('fee-on-transfer tokens', () => {
  it.each([
    ['DTT', 'WETH', 100],
    ['ETH', 'DTT', 0.1],
    ['DTT', 'USDC', 100],
    ['USDC', 'DTT', 100],
  ])('rejects a swap without compatibility: %s for %s', async (sell, buy, units) => {
    const { status, body } = await ask('swap', swap(sell, buy, units))
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'ESTIMATION_FAILED',
      description: `cannot estimate: ${tokens.DTT} charges a fee on transfer, which only version 6.1 with compatibility=true swaps`,
      meta: [{ type: 'token', value: tokens.DTT }],
    })
  })

  it.each([
    ['DTT', 'WETH', 100],
    ['ETH', 'DTT', 0.1],
    ['DTT', 'USDC', 100],
    ['USDC', 'DTT', 100],
  ])('swaps with compatibility and states the received amount: %s for %s', async (sell, buy, units) => {
    const query = swap(sell, buy, units, { compatibility: 'true', slippage: '0' })
    const { status, body } = await ask('swap', query)
    expect(status).toBe(200)
    expect(String(descriptionOf(body.tx.data).minReturnAmount)).toBe(body.dstAmount)
    const before = await chain.balance(addressOf(buy), owner)
    await chain.execute(body.tx)
    expect(String((await chain.balance(addressOf(buy), owner)) - before)).toBe(body.dstAmount)
  })

  it('compares the received amount with minReturn', async () => {
    const query = swap('DTT', 'WETH', 100, { compatibility: 'true' })
    const { body } = await ask('swap', query)
    const minReturn = String(BigInt(body.dstAmount) + 1n)
    const refused = await ask('swap', { ...query, slippage: undefined, minReturn })
    expect(refused.body.code).toBe('INSUFFICIENT_RETURN')
    const accepted = await ask('swap', { ...query, slippage: undefined, minReturn: body.dstAmount })
    expect(accepted.status).toBe(200)
  })

  it('states the same amount for ordinary tokens with compatibility', async () => {
    const query = swap('USDC', 'WETH', 1_000)
    const { body } = await ask('swap', { ...query, compatibility: 'true' })
    expect(body.dstAmount).toBe((await ask('swap', query)).body.dstAmount)
  })
})

describe('swaps that cannot be executed', () => {
  it('reports the reason of the revert', async () => {
    const { body } = await ask('swap', swap('USDC', 'WETH', 1, { receiver: running.config.router }))
    expect(body).toMatchObject({
      code: 'ESTIMATION_FAILED',
      description: 'cannot estimate: WrongDstReceiver',
    })
  })

  it('answers NO_PROTOCOLS when the filter leaves no source', async () => {
    const filter = { protocols: 'UNISWAP_V2', excludedProtocols: 'UNISWAP_V2' }
    const { body } = await ask('swap', swap('USDC', 'WETH', 1, filter))
    expect(body.code).toBe('NO_PROTOCOLS')
  })

  it('rejects a gas price of zero', async () => {
    const { body } = await ask('swap', swap('USDC', 'WETH', 1, { gasPrice: '0' }))
    expect(body.code).toBe('GAS_PRICE_NOT_ALLOWED')
    expect((await ask('quote', swap('USDC', 'WETH', 1, { gasPrice: '0' }))).status).toBe(200)
  })

  it.each([
    ['WETH', 'USDC', 1],
    ['BROOK', 'DAI', 100],
  ] as const)('routes around a broken pool: %s for %s', async (sell, buy, units) => {
    const { client } = running.localnet
    const protocols = 'UNISWAP_V2,UNISWAP_V3,SUSHI'
    const query = swap(sell, buy, units, { includeProtocols: 'true', protocols })
    const { body: whole } = await ask('swap', query)
    const [{ name }] = whole.protocols[0].hops[0].protocols
    const kind = name === 'UNISWAP_V3' ? 'v3' : 'v2'
    // The first of its pair is best for small amounts.
    const plan = pools.find((pool) => pool.kind === kind && pool.pair.join() === `${sell},${buy}`)!
    const address = poolAddress(plan)
    const code = await client.getCode({ address })
    await client.setCode({ address, bytecode: '0x5f5ffd' })
    await expect(chain.send(whole.tx)).rejects.toThrow()

    try {
      const { status, body } = await ask('swap', query)
      expect(status).toBe(200)
      const before = await chain.balance(addressOf(buy), owner)
      await chain.execute(body.tx)
      expect(String((await chain.balance(addressOf(buy), owner)) - before)).toBe(body.dstAmount)
      // A fixed minReturn is not rerouted.
      const fixed = swap(sell, buy, units, { slippage: undefined, minReturn: '1', protocols })
      expect((await ask('swap', fixed)).body.code).toBe('ESTIMATION_FAILED')
    } finally {
      await client.setCode({ address, bytecode: code! })
    }
  })

  it('answers RE_ESTIMATED_RETURN_BELOW_SLIPPAGE when a pool pays less than its events state', async () => {
    const { client } = running.localnet
    const plan = pools.find(({ kind, pair }) => kind === 'v2' && pair.join() === 'BROOK,DAI')!
    const pool = poolAddress(plan)
    // Slot 8 of UniswapV2Pair: both reserves and the time. Without an event it is not read again.
    const slot = numberToHex(8, { size: 32 })
    const before = await client.getStorageAt({ address: pool, slot })
    const packed = BigInt(before!)
    const mask = 2n ** 112n - 1n
    const isFirst = BigInt(tokens.DAI) < BigInt(tokens.BROOK)
    const shift = isFirst ? 0n : 112n
    const reserve = (packed >> shift) & mask
    const lowered = (packed & ~(mask << shift)) | (((reserve * 97n) / 100n) << shift)
    await client.setStorageAt({ address: pool, index: slot, value: numberToHex(lowered, { size: 32 }) })

    const query = swap('BROOK', 'DAI', 100, { protocols: 'UNISWAP_V2' })
    const { body } = await ask('swap', query)
    expect(body).toMatchObject({
      code: 'RE_ESTIMATED_RETURN_BELOW_SLIPPAGE',
      meta: [{ type: 'dstAmount' }, { type: 'minReturn' }],
    })
    // `compatibility` accepts token taxes only.
    const { body: accepting } = await ask('swap', { ...query, compatibility: 'true' })
    expect(accepting.code).toBe('RE_ESTIMATED_RETURN_BELOW_SLIPPAGE')
    const { body: around } = await ask('swap', { ...query, protocols: undefined, compatibility: 'true' })
    const { body: plain } = await ask('swap', { ...query, protocols: undefined })
    expect(around.dstAmount).toBe(plain.dstAmount)
    const { body: patient } = await ask('swap', { ...query, slippage: '5' })
    expect(patient.dstAmount).toBe(body.meta[0].value)
    await client.setStorageAt({ address: pool, index: slot, value: before! })
  })
})
