import {
  concatHex,
  encodeFunctionData,
  erc20Abi,
  maxUint128,
  pad,
  parseAbi,
  parseEther,
  parseUnits,
  size,
  toHex,
} from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../../../src/domain/token/token.ts'
import { useRiskStage } from '../../../helpers/background/riskStage.ts'

// Calls that pay the user's deposits to another recipient.

const { stage, made, sendBefore, ask } = useRiskStage()

const thief: Address = `0x${'bd'.repeat(20)}`
const late = 4_000_000_000n
const manager = parseAbi([
  'function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline) params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
  'function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params) payable',
  'function collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params) payable',
  'function sweepToken(address token, uint256 amountMinimum, address recipient) payable',
  'function multicall(bytes[] data) payable',
  'function positions(uint256 tokenId) view returns (uint96, address, address, address, uint24, int24, int24, uint128 liquidity, uint256, uint256, uint128, uint128)',
  'function tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
])
const positions = () => stage.localnet.contracts.positions
const encode = (functionName: string, args: unknown[]): Hex =>
  encodeFunctionData({ abi: manager, functionName, args } as never)

let tokenId: bigint
let liquidity: bigint
/** At Uniswap V3's real manager. */
beforeAll(async () => {
  const { client, tokens } = stage.localnet
  const [token0, token1] = [tokens.USDC, tokens.WETH].sort() as [Address, Address]
  const amountOf = (token: Address) => (token === tokens.USDC ? parseUnits('3000', 6) : parseEther('1'))
  const allow = (token: Address) => ({
    to: token,
    value: 0n,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'approve',
      args: [positions(), amountOf(token)],
    }),
  })
  const params = {
    token0,
    token1,
    fee: 500,
    tickLower: -887_270,
    tickUpper: 887_270,
    amount0Desired: amountOf(token0),
    amount1Desired: amountOf(token1),
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: made.browser.account,
    deadline: late,
  }
  const mint = { to: positions(), value: 0n, data: encode('mint', [params]) }
  await sendBefore(allow(token0), allow(token1), mint)
  const read = { address: positions(), abi: manager } as const
  const owned = [made.browser.account, 0n] as const
  tokenId = await client.readContract({ ...read, functionName: 'tokenOfOwnerByIndex', args: owned })
  liquidity = (await client.readContract({ ...read, functionName: 'positions', args: [tokenId] }))[7]
  expect(liquidity).toBeGreaterThan(0n)
}, 240_000)

const decrease = () =>
  encode('decreaseLiquidity', [{ tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: late }])
const collect = (recipient: Address) =>
  encode('collect', [{ tokenId, recipient, amount0Max: maxUint128, amount1Max: maxUint128 }])
const multicall = (...calls: Hex[]) => encode('multicall', [calls])
const nobody: Address = `0x${'00'.repeat(20)}`

const padded = (data: Hex): Hex => pad(data, { size: Math.ceil(size(data) / 32) * 32, dir: 'right' })

/** Its calls precede their list, at negative offsets. */
function backwards(...calls: Hex[]): Hex {
  const items = calls.map((data) => concatHex([toHex(size(data), { size: 32 }), padded(data)]))
  const places = items.map((_item, index) => 32 + size(concatHex(['0x', ...items.slice(0, index)])))
  const list = 32 + size(concatHex(items))
  return concatHex([
    '0xac9650d8',
    toHex(list, { size: 32 }),
    ...items,
    toHex(items.length, { size: 32 }),
    ...places.map((place) => toHex(2n ** 256n + BigInt(place - list - 32), { size: 32 })),
  ])
}

const drains: [string, () => Hex][] = [
  ['a multicall', () => multicall(decrease(), collect(thief))],
  ['a multicall in a multicall', () => multicall(multicall(decrease()), multicall(collect(thief)))],
  [
    'the manager, which pays it on',
    () =>
      multicall(
        decrease(),
        collect(nobody),
        encode('sweepToken', [stage.localnet.tokens.USDC, 0n, thief]),
        encode('sweepToken', [stage.localnet.tokens.WETH, 0n, thief]),
      ),
  ],
  ['a multicall whose calls stand in front of their list', () => backwards(decrease(), collect(thief))],
  ['an encoding that is not canonical', () => `${multicall(decrease(), collect(thief))}${'00'.repeat(31)}01`],
]

describe('position collected to another recipient', () => {
  it.each(drains)('requires acknowledgement that names the recipient for %s', async (_name, data) => {
    const asked = await ask({ to: positions(), data: data(), value: 1n })
    expect(asked.status).toBe('succeeds')
    expect(asked.risks).toContainEqual({ kind: 'foreign-recipient', recipient: thief, isGrave: true })
    const others = asked.ticks.filter((key) => !key.startsWith('foreign-recipient'))
    await expect(asked.approve(others)).rejects.toMatchObject({ code: 'stale-review' })
    const { client } = stage.localnet
    expect(await client.getTransactionCount({ address: made.browser.account })).toBe(3)
    await asked.reject()
  })

  it('requires acknowledgement in a batch with another call that moves tokens', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [thief, 1n] })
    const drain = multicall(decrease(), collect(thief))
    const asked = await ask({ to: stage.localnet.tokens.USDC, data }, { to: positions(), data: drain })
    expect(asked.ticks).toContain(`foreign-recipient ${thief}`)
    await asked.reject()
  })
})

describe('position collected to the account', () => {
  it.each<[string, () => Hex]>([
    ['at once', () => multicall(decrease(), collect(made.browser.account))],
    [
      'by the manager',
      () =>
        multicall(
          decrease(),
          collect(nobody),
          encode('sweepToken', [stage.localnet.tokens.USDC, 0n, made.browser.account]),
          encode('sweepToken', [stage.localnet.tokens.WETH, 0n, made.browser.account]),
        ),
    ],
  ])('requires no acknowledgement when paid %s', async (_name, data) => {
    const asked = await ask({ to: positions(), data: data() })
    expect(asked.status).toBe('succeeds')
    expect(asked.risks).toEqual([])
    await asked.reject()
  })
})
