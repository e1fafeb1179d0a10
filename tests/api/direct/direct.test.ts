import { type Hex, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { compileContracts } from '../../../contracts/compile.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { findToken, tokens, unitsForUsd } from '../../../dev/pools/tokens.ts'
import type { SwapApi } from '../../../src/api/client.ts'
import { pathQuoterCode } from '../../../src/api/direct/pathQuoterCode.ts'
import type { Quote, Trade } from '../../../src/domain/swap/quote.ts'
import { maxUint256 } from '../../../src/domain/token/amount.ts'
import { type Address, isNative, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { createDirectStage } from '../../helpers/node/directSwaps.ts'
import { randomFrom } from '../../helpers/random.ts'

const account: Address = '0xdec0de0000000000000000000000000000000001'
const other: Address = '0xdec0de0000000000000000000000000000000002'

const abi = parseAbi([
  'function approve(address spender, uint256 value)',
  'function transfer(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
  'function deposit() payable',
])

let localnet: Localnet
let api: SwapApi
let start: Hex

beforeAll(async () => {
  localnet = await createLocalnet()
  const { WETH, USDC, USDT, DAI } = localnet.tokens
  api = createDirectStage(localnet, [WETH, USDC, USDT, DAI]).api
  await prepareAccount()
  start = await localnet.client.snapshot()
})

afterAll(() => localnet?.stop())

describe('createDirect', () => {
  it('runs the code of the compiled PathQuoter.sol', async () => {
    await compileContracts()
    expect(pathQuoterCode).toBe(readArtifact('PathQuoter').bytecode)
  })

  it('quotes to the wei what 200 random swaps pay, alone and split', async () => {
    const random = randomFrom(8453)
    const gas: number[] = []
    const legs = new Set<number>()
    for (let swaps = 0; swaps < 200; swaps++) {
      const trade = randomTrade(random)
      const { quote, received, used } = await quoteAndSwap(trade)
      expect(received, `${trade.sell} ${trade.buy} ${trade.amount}`).toBe(quote.returns)
      gas.push(Number(quote.gas) / used)
      legs.add(quote.route[0]?.hops.length ?? 0)
    }
    console.log(Math.min(...gas), Math.max(...gas), [...legs])
    expect(Math.min(...gas)).toBeGreaterThanOrEqual(1)
  }, 60_000)
})

/** Log-uniform between 10 and 1,000,000 dollars. */
function randomTrade(random: () => number): Trade {
  const choices = [nativeTokenAddress, ...tradable().map(({ address }) => address)]
  const pick = () => choices[Math.floor(random() * choices.length)] ?? nativeTokenAddress
  for (;;) {
    const [sell, buy] = [pick(), pick()]
    const isWrap = [sell, buy].every((token) => isNative(token) || token === localnet.tokens.WETH)
    if (sell === buy || isWrap) continue
    const usd = Math.round(10 ** (1 + 5 * random()))
    const symbol = tradable().find(({ address }) => address === sell)?.symbol ?? 'WETH'
    return { chainId: localnet.chainId, sell, buy, amount: unitsForUsd(findToken(symbol), usd) + 1n }
  }
}

/** Tokens that burn a part of each transfer have no exact quote. */
function tradable() {
  return tokens
    .filter(({ isFoT }) => !isFoT)
    .map(({ symbol }) => ({ symbol, address: localnet.tokens[symbol] }))
}

async function quoteAndSwap(trade: Trade): Promise<{ quote: Quote; received: bigint; used: number }> {
  const { client } = localnet
  const [quote, swap] = await Promise.all([
    api.quote(trade),
    api.swap(trade, { from: account, origin: account, receiver: other, slippageBps: 0 }),
  ])
  const before = await balanceOf(trade.buy, other)
  const { to, data, value } = swap
  const { gasUsed } = await client.execute({ account, to, data, value })
  const received = (await balanceOf(trade.buy, other)) - before
  await client.revert({ id: start })
  start = await client.snapshot()
  return { quote, received, used: Number(gasUsed) }
}

async function balanceOf(token: Address, owner: Address): Promise<bigint> {
  const { client } = localnet
  if (isNative(token)) return client.getBalance({ address: owner })
  return client.readContract({ address: token, abi, functionName: 'balanceOf', args: [owner] })
}

async function prepareAccount(): Promise<void> {
  const { client, contracts } = localnet
  await client.impersonateAccount({ address: account })
  await client.setBalance({ address: account, value: parseEther('1000000') })
  for (const { symbol, address } of tradable()) {
    const amount = unitsForUsd(findToken(symbol), 3_000_000)
    const call = { address, abi }
    if (symbol === 'WETH')
      await client.writeContractSync({ ...call, account, functionName: 'deposit', value: amount })
    else await client.writeContractSync({ ...call, functionName: 'transfer', args: [account, amount] })
    const args = [contracts.swapRouter, maxUint256] as const
    await client.writeContractSync({ ...call, account, functionName: 'approve', args })
  }
}
