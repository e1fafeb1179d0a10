import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Artifact } from '../../../contracts/artifact.ts'
import type { Address } from '../../../service/config.ts'
import { isRounding } from '../../../service/swap/simulate.ts'
import { compileFile } from '../../evm/contracts/compiled.ts'
import { type Query, type Running, startRunning } from '../../helpers/service/runService.ts'

const poolAbi = parseAbi([
  'function createPair(address, address) returns (address)',
  'function getPair(address, address) view returns (address)',
  'function mint(address) returns (uint256)',
  'function open(address)',
])
const swapAbi = parseAbi([
  'struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
  'function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256, uint256)',
])

let running: Running
let owner: Address
let contracts: Record<'Taxed' | 'Shares', Artifact>
beforeAll(async () => {
  running = await startRunning()
  owner = running.localnet.accounts[0]!.address
  contracts = await compileFile('Taxes.sol', ['Taxed', 'Shares'])
  await running.chain.approve(running.localnet.tokens.DAI, owner)
})
afterAll(() => running.stop())

/** 10,000 against 1,000 DAI on Uniswap V2. */
async function issue({ abi, bytecode }: Artifact, args: unknown[]): Promise<Address> {
  const { client, contracts: places, tokens } = running.localnet
  await client.impersonateAccount({ address: owner })
  const hash = await client.deployContract({ abi, bytecode, args, account: owner } as never)
  const token = (await client.receiptOf(hash)).contractAddress!.toLowerCase() as Address
  const send = async (to: Address, data: Hex) => client.execute({ account: owner, to, data })
  const pair = [token, tokens.DAI] as const
  await send(places.v2Factory, encodeFunctionData({ abi: poolAbi, functionName: 'createPair', args: pair }))
  const pool = await client.readContract({
    address: places.v2Factory,
    abi: poolAbi,
    functionName: 'getPair',
    args: pair,
  })
  for (const [one, amount] of [
    [token, '10000'],
    [tokens.DAI, '1000'],
  ] as const) {
    const args = [pool, parseEther(amount)] as const
    await send(one, encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }))
  }
  await send(pool, encodeFunctionData({ abi: poolAbi, functionName: 'mint', args: [owner] }))
  if (args.length > 0)
    await send(token, encodeFunctionData({ abi: poolAbi, functionName: 'open', args: [pool] }))
  await running.chain.approve(token, owner)
  return token
}

function swap(src: Address, dst: Address, amount: bigint, query: Query = {}) {
  const terms = { from: owner, origin: owner, slippage: '1' }
  return running.ask('swap', { src, dst, amount: String(amount), ...terms, ...query })
}

async function received(token: Address, tx: Parameters<Running['chain']['execute']>[0]): Promise<bigint> {
  const before = await running.chain.balance(token, owner)
  await running.chain.execute(tx)
  return (await running.chain.balance(token, owner)) - before
}

describe('token taxes', () => {
  it.each([
    ['into the pool', 0, 'sell'],
    ['out of the pool', 1, 'buy'],
    ['where a spender pulls', 2, 'sell'],
    ['to an account', 3, 'buy'],
  ] as const)(
    'finds a tax that is charged only %s, and states the amount after it',
    async (_where, place, side) => {
      const { DAI } = running.localnet.tokens
      const token = await issue(contracts.Taxed, [place])
      const [src, dst] = side === 'sell' ? [token, DAI] : [DAI, token]

      const refused = await swap(src, dst, parseEther('10'))
      expect(refused.body).toMatchObject({
        code: 'ESTIMATION_FAILED',
        description: expect.stringContaining(`${token} charges a fee on transfer`),
        meta: [{ type: 'token', value: token }],
      })

      const { status, body } = await swap(src, dst, parseEther('10'), { compatibility: 'true' })
      expect(status).toBe(200)
      const quoted = await running.ask('quote', { src, dst, amount: String(parseEther('10')) })
      const kept = Number(body.dstAmount) / Number(quoted.body.dstAmount)
      expect(kept).toBeGreaterThan(0.949)
      expect(kept).toBeLessThan(0.951)
      const { minReturnAmount } = decodeFunctionData({ abi: swapAbi, data: body.tx.data }).args[1]
      expect(minReturnAmount).toBe((BigInt(body.dstAmount) * 99n) / 100n)
      expect(String(await received(dst, body.tx))).toBe(body.dstAmount)
    },
  )

  it('accepts a swap without compatibility when only the other side is taxed', async () => {
    const { DAI } = running.localnet.tokens
    const token = await issue(contracts.Taxed, [0])
    const { status, body } = await swap(DAI, token, parseEther('10'))
    expect(status).toBe(200)
    expect(String(await received(token, body.tx))).toBe(body.dstAmount)
  })
})

describe('rounding of transfers', () => {
  it('accepts swaps of a token with rounded balances without compatibility, for several amounts', async () => {
    const { DAI } = running.localnet.tokens
    const token = await issue(contracts.Shares, [])
    for (let i = 0; i < 8; i++) {
      const amount = parseEther('1') + BigInt(i) * 123_456_789_012_345n
      for (const [src, dst] of [
        [token, DAI],
        [DAI, token],
      ] as const) {
        for (const compatibility of [undefined, 'true']) {
          const { status, body } = await swap(src, dst, amount, { compatibility })
          expect(status, body.description).toBe(200)
          if (compatibility === undefined) expect(String(await received(dst, body.tx))).toBe(body.dstAmount)
        }
      }
    }
  })

  it('tolerates two units or a billionth, but not a tax on a small amount', () => {
    expect([0n, 1n, 2n].every((missing) => isRounding(missing, 10n ** 18n))).toBe(true)
    expect(isRounding(10n ** 9n, 10n ** 18n)).toBe(true)
    expect(isRounding(10n ** 10n, 10n ** 18n)).toBe(false)
    expect(isRounding(5n, 500n)).toBe(false)
    expect(isRounding(-5n, 500n)).toBe(true)
  })
})
