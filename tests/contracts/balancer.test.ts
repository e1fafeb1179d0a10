import {
  type Address,
  encodeErrorResult,
  parseEther as ether,
  type Hex,
  parseAbi,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { through, type VaultPool } from './balancer.ts'
import { balancer, v3 } from './fuzz/ask.ts'
import { cues } from './fuzz/puppets.ts'
import { openStage, patience, type Stage } from './stage.ts'

let stage: Stage
let before: Hex
let weighted: VaultPool
let stable: VaultPool

beforeAll(async () => {
  stage = await openStage()
  const { WETH, USDC, USDT, DAI } = stage.tokens
  weighted = await stage.openWeighted(
    new Map([
      [WETH, ether('1000')],
      [USDC, 3_000_000_000_000n],
      [DAI, ether('3000000')],
    ]),
  )
  stable = await stage.openStable(
    new Map([
      [USDC, 1_000_000_000_000n],
      [USDT, 1_000_000_000_000n],
      [DAI, ether('1000000')],
    ]),
  )
}, patience)
beforeEach(async () => {
  before = await stage.client.snapshot()
})
afterEach(() => stage.client.revert({ id: before }))
afterAll(() => stage.stop())

/** `PoolFailed` with the reason of the vault. */
function vaultError(message: string) {
  const reason = encodeErrorResult({
    abi: parseAbi(['error Error(string)']),
    errorName: 'Error',
    args: [message],
  })
  return ['PoolFailed', stage.contracts.vault, reason]
}

describe('Balancer hops', () => {
  it('buys from a weighted pool at the vault’s quote, in both directions', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    for (const [sell, buy, amount] of [
      [WETH, USDC, ether('1')],
      [USDC, WETH, 3_000_000_001n],
      [DAI, USDC, ether('777')],
    ] as const) {
      const quoted = await stage.queryVault(weighted, sell, buy, amount)
      const done = await stage.swap({ tokens: [sell, buy], hops: [through(weighted)], amount, least: quoted })
      expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: amount, paid: amount })
    }
  })

  it('buys from a stable pool at the vault’s quote, also a token whose calls return nothing', async () => {
    const { USDC, USDT, DAI } = stage.tokens
    for (const [sell, buy, amount] of [
      [USDC, DAI, 5_000_000_001n],
      [DAI, USDC, ether('12345.6')],
      [USDC, USDT, 5_000_000_000n],
    ] as const) {
      const quoted = await stage.queryVault(stable, sell, buy, amount)
      const done = await stage.swap({ tokens: [sell, buy], hops: [through(stable)], amount, least: quoted })
      expect(done).toMatchObject({ returned: quoted, arrived: quoted, spent: amount, paid: amount })
    }
  })

  it('sells a USDT-like token twice in one swap and leaves no allowance', async () => {
    const { USDT, DAI } = stage.tokens
    const amount = 4_000_000_000n
    const half = await stage.queryVault(stable, USDT, DAI, amount / 2n)
    const hops = [{ ...through(stable), weight: 500_000 }, through(stable)]
    const done = await stage.swap({ tokens: [USDT, DAI], hops, amount })
    expect(done).toMatchObject({ spent: amount, paid: amount, arrived: done.returned })
    expect(done.returned).toBeGreaterThan(half)
    expect(await stage.read(USDT, 'allowance', [stage.router, stage.contracts.vault])).toBe(0n)
  })

  it('trades a fee-on-transfer token for the amount that arrives', async () => {
    const { DTT, WETH } = stage.tokens
    const pool = await stage.openWeighted(
      new Map([
        [DTT, ether('10000')],
        [WETH, ether('10')],
      ]),
    )
    const afterTax = (amount: bigint) => amount - amount / 100n
    const sold = await stage.queryVault(pool, DTT, WETH, afterTax(ether('100')))
    const ask = { hops: [through(pool)], amount: ether('100'), least: sold }
    expect(await stage.swap({ ...ask, tokens: [DTT, WETH] })).toMatchObject({
      arrived: sold,
      paid: ether('100'),
    })
    const bought = await stage.queryVault(pool, WETH, DTT, ether('0.1'))
    const least = afterTax(bought)
    const done = await stage.swap({ ...ask, tokens: [WETH, DTT], amount: ether('0.1'), least })
    expect(done).toMatchObject({ returned: least, arrived: least })
  })

  it('combines a Balancer hop with a v3 hop', async () => {
    const { WETH, USDC, DAI } = stage.tokens
    const usdc = await stage.quoteV3(WETH, USDC, 500, ether('2'))
    const dai = await stage.queryVault(stable, USDC, DAI, usdc)
    const hops = [
      { kind: v3, from: 0, to: 1, pool: await stage.pool(WETH, USDC, 500) },
      through(stable, 1, 2),
    ]
    const done = await stage.swap({ tokens: [WETH, USDC, DAI], hops, amount: ether('2'), least: dai })
    expect(done).toMatchObject({ returned: dai, arrived: dai })
  })

  it("forms the pool's id from the pool's address and the hop's specialization and nonce", async () => {
    const { WETH, USDC } = stage.tokens
    const ask = { tokens: [WETH, USDC], amount: ether('1') }
    const { pool, aux } = weighted
    const [specialization, nonce] = [aux.slice(42, 46), aux.slice(46)]
    const other = (text: string) => (BigInt(`0x${text}`) ^ 1n).toString(16).padStart(text.length, '0')
    for (const [named, suffix] of [
      [stable.pool, `${specialization}${nonce}`],
      [pool, `${other(specialization)}${nonce}`],
      [pool, `${specialization}${other(nonce)}`],
    ] as const) {
      const hops = [through({ pool: named, aux: `${named}${suffix}` as Hex })]
      expect(await stage.refusal({ ...ask, hops }), suffix).toEqual(vaultError('BAL#500'))
    }
    expect((await stage.simulate({ ...ask, hops: [through(weighted)] })).returned).toBeGreaterThan(0n)
  })

  it("reverts with the vault's own errors", async () => {
    const { WETH, USDC, LINK } = stage.tokens
    const unknown = { pool: zeroAddress, aux: zeroHash }
    const ask = { tokens: [WETH, USDC], hops: [through(unknown)], amount: ether('1') }
    expect(await stage.refusal(ask)).toEqual(vaultError('BAL#500'))
    const other = { ...ask, tokens: [WETH, LINK], hops: [through(weighted)] }
    expect(await stage.refusal(other)).toEqual(vaultError('BAL#521'))
  })

  it('rejects a Balancer hop on a chain without the vault', async () => {
    const { WETH, USDC } = stage.tokens
    const router = await stage.deploy('SwapRouter', [
      WETH,
      stage.contracts.permit2,
      zeroAddress,
      zeroAddress,
      zeroAddress,
    ])
    const ask = { tokens: [WETH, USDC], hops: [through(weighted)], amount: ether('1') }
    await stage.write(WETH, 'approve', [router, ether('1')], stage.seller)
    expect(await stage.refusal({ ...ask, router })).toEqual(['UnknownKind', 0n, BigInt(balancer)])
  })
})

describe('allowance to the Balancer vault', () => {
  /** Takes `taken` and pays 10 base units of USDC. */
  async function withVaultTaking(token: Address, taken: bigint) {
    const { WETH, USDC } = stage.tokens
    const vault = await stage.deploy('Puppet')
    const router = await stage.deploy('SwapRouter', [
      WETH,
      stage.contracts.permit2,
      vault,
      zeroAddress,
      zeroAddress,
    ])
    await stage.write(USDC, 'transfer', [vault, 10n], stage.seller)
    await stage.write(token, 'approve', [router, ether('1')], stage.seller)
    await stage.teach(vault, cues.vaultSwap, [
      { target: token, data: stage.encode('transferFrom', [router, vault, taken]) },
      { target: USDC, data: stage.encode('transfer', [stage.seller, 10n]) },
    ])
    return { router, vault }
  }
  const pool = { pool: zeroAddress, aux: zeroHash }

  it('clears the allowance when the vault took less, also for a token that returns nothing', async () => {
    for (const token of [stage.tokens.USDT, stage.tokens.WETH]) {
      const { router, vault } = await withVaultTaking(token, 400n)
      const ask = { tokens: [token, stage.tokens.USDC], hops: [through(pool)], amount: 1_000n, router }
      expect(await stage.swap(ask)).toMatchObject({ paid: 400n, spent: 1_000n, arrived: 10n })
      expect(await stage.read(token, 'allowance', [router, vault])).toBe(0n)
    }
  })

  it('covers exactly the amount that the hop sells', async () => {
    const { USDT, USDC } = stage.tokens
    const other = { kind: v3, from: 0, to: 1, pool: await stage.pool(USDC, USDT, 100) }
    const hops = [{ ...through(pool), weight: 500_000 }, other]
    for (const [asked, taken] of [
      [501n, 0n],
      [500n, 500n],
    ] as const) {
      const { router, vault } = await withVaultTaking(USDT, asked)
      await stage.swap({ tokens: [USDT, USDC], hops, amount: 1_000n, router })
      expect(await stage.balance(USDT, vault)).toBe(taken)
    }
  })

  it('reverts the swap when the token rejects the approval', async () => {
    const { USDC } = stage.tokens
    const token = await stage.deploy('PuppetToken')
    await stage.write(token, 'mint', [stage.seller, 1_000n], stage.stranger)
    await stage.write(token, 'approve', [stage.router, 1_000n], stage.seller)
    await stage.write(token, 'setRefuses', [cues.approve, true], stage.stranger)
    const ask = { tokens: [token, USDC], hops: [through(weighted)], amount: 7n }
    const { vault } = stage.contracts
    expect(await stage.refusal(ask)).toEqual(['ApprovalFailed', token, vault, 7n, zeroHash])
  })
})
