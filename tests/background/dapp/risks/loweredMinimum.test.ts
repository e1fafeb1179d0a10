import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Address, type Hex, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { approve, call, dollars, late, useHonestStage } from '../../../helpers/background/honestStage.ts'

// On Uniswap's real routers, in non-canonical calldata.

const { stage, made, ask, sendBefore, installAt, account, tokens, v2Router } = useHonestStage()
const swapRouter: Address = '0xe592427a0aece92de3edee1f18e0157c05861564'

beforeAll(async () => {
  const file = createRequire(import.meta.url).resolve(
    '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
  )
  const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8'))
  const { client, contracts } = stage.localnet
  const args = [contracts.v3Factory, tokens().WETH]
  const hash = await client.deployContract({ abi, bytecode, args } as never)
  await installAt(swapRouter, (await client.receiptOf(hash)).contractAddress as Address)
}, 240_000)

const onV2 = (minimum: bigint) =>
  call(
    'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
    [dollars('3000'), minimum, [tokens().USDC, tokens().WETH], account(), late],
  )
const onV3 = (minimum: bigint) =>
  call(
    'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable',
    [
      {
        tokenIn: tokens().USDC,
        tokenOut: tokens().WETH,
        fee: 500,
        recipient: account(),
        deadline: late,
        amountIn: dollars('3000'),
        amountOutMinimum: minimum,
        sqrtPriceLimitX96: 0n,
      },
    ],
  )
const multicall = (...calls: Hex[]) => call('multicall(bytes[] data) payable', [calls])
const kept = (minimum: bigint, data = onV3(minimum)) =>
  data.replace(account().slice(2), '00'.repeat(20)) as Hex

type Case = [name: string, to: () => Address, data: (minimum: bigint) => Hex]

describe.each<Case>([
  ['V2, with a byte behind its arguments', v2Router, (minimum) => `${onV2(minimum)}00`],
  ['V3, with a byte behind its arguments', () => swapRouter, (minimum) => `${onV3(minimum)}00`],
  [
    'a multicall of V3 with a fee on the payout',
    () => swapRouter,
    (minimum) =>
      multicall(
        kept(0n),
        call(
          'sweepTokenWithFee(address token, uint256 amountMinimum, address recipient, uint256 feeBips, address feeRecipient) payable',
          [tokens().WETH, minimum, account(), 25n, `0x${'f1'.repeat(20)}`],
        ),
      ),
  ],
])('swap on %s', (_name, to, data) => {
  it('requires acknowledgement without a minimum received', async () => {
    await sendBefore(approve(tokens().USDC, to(), dollars('3000')))
    const asked = await ask({ to: to(), data: data(1n) })
    expect(asked.status).toBe('succeeds')
    expect(asked.ticks).toEqual([expect.stringMatching(/^low-minimum /)])
    const nonce = await stage.localnet.client.getTransactionCount({ address: made.browser.account })
    await expect(asked.approve([])).rejects.toMatchObject({ code: 'stale-review' })
    expect(await stage.localnet.client.getTransactionCount({ address: made.browser.account })).toBe(nonce)
    await asked.reject()
  })

  it('requires no acknowledgement with a minimum received', async () => {
    await sendBefore(approve(tokens().USDC, to(), dollars('3000')))
    const asked = await ask({ to: to(), data: data(parseEther('0.98')) })
    expect(asked.status).toBe('succeeds')
    expect(asked.risks).toEqual([])
    await asked.reject()
  })
})

describe('swap that leaves its output in the router', () => {
  it('requires acknowledgement of the missing output', async () => {
    await sendBefore(approve(tokens().USDC, swapRouter, dollars('3000')))
    const asked = await ask({ to: swapRouter, data: multicall(kept(1n)) })
    expect(asked.status).toBe('succeeds')
    expect(asked.ticks).toEqual([`below-minimum ${nativeTokenAddress}`])
    await asked.reject()
  })
})

describe('native tokens sent with a swap of another token', () => {
  it.each<[string, () => Hex]>([
    ['in calldata that is decoded', () => onV3(parseEther('0.98'))],
    ['in calldata that is not', () => `${onV3(parseEther('0.98'))}00`],
  ])('requires acknowledgement of the native tokens %s', async (_name, data) => {
    await sendBefore(approve(tokens().USDC, swapRouter, dollars('3000')))
    const asked = await ask({ to: swapRouter, data: data(), value: parseEther('5') })
    expect(asked.status).toBe('succeeds')
    expect(asked.ticks).toEqual([expect.stringMatching(/^loss /), 'coins-along'])
    await asked.reject()
  })
})
