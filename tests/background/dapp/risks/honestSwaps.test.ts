import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { encodeAbiParameters, maxUint256, parseAbiParameters, parseEther } from 'viem'
import { beforeAll } from 'vitest'
import type { Address } from '../../../../src/domain/token/token.ts'
import {
  approve,
  call,
  dollars,
  friend,
  late,
  type Row,
  testRows,
  useHonestStage,
} from '../../../helpers/background/honestStage.ts'

const { stage, found, ask, sendBefore, atVenue, teachVenue, fundWith, installAt, account, tokens, v2Router } =
  useHonestStage()

const universalRouter: Address = '0x66a9893cc07d91d95644aedd05d03f95e1dba8af'
const oneInch: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
const swapRouter: Address = '0xe592427a0aece92de3edee1f18e0157c05861564'

beforeAll(async () => {
  await installAt(universalRouter)
  await installAt(oneInch)
  await installAt(swapRouter, await deployV3Router())
}, 240_000)

async function deployV3Router(): Promise<Address> {
  const file = createRequire(import.meta.url).resolve(
    '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
  )
  const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8'))
  const { client, contracts, tokens } = stage.localnet
  const hash = await client.deployContract({
    abi,
    bytecode,
    args: [contracts.v3Factory, tokens.WETH],
  } as never)
  return (await client.receiptOf(hash)).contractAddress as Address
}
const abi = (types: string, ...values: unknown[]) =>
  encodeAbiParameters(parseAbiParameters(types as 'uint256'), values as never)

const swaps: Row[] = [
  [
    'a swap on Uniswap V2, half a percent of slippage',
    async () => {
      await sendBefore(approve(tokens().USDC, v2Router(), dollars('3000')))
      const args = [dollars('3000'), parseEther('0.98'), [tokens().USDC, tokens().WETH], account(), late]
      return ask({
        to: v2Router(),
        data: call(
          'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
          args,
        ),
      })
    },
    [],
  ],
  [
    'a swap of ETH on Uniswap V2',
    () =>
      ask({
        to: v2Router(),
        value: parseEther('1'),
        data: call(
          'swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
          [dollars('2920'), [tokens().WETH, tokens().USDC], account(), late],
        ),
      }),
    [],
  ],
  [
    'an exact allowance and its swap, in a row',
    () =>
      ask(approve(tokens().USDC, v2Router(), dollars('3000')), {
        to: v2Router(),
        data: call(
          'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
          [dollars('3000'), parseEther('0.98'), [tokens().USDC, tokens().WETH], account(), late],
        ),
      }),
    [],
  ],
  [
    'a swap into ETH on Uniswap V3, by a multicall',
    async () => {
      await sendBefore(approve(tokens().USDC, swapRouter, dollars('3000')))
      const swap = call(
        'exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable',
        [
          {
            tokenIn: tokens().USDC,
            tokenOut: tokens().WETH,
            fee: 500,
            recipient: `0x${'00'.repeat(20)}`,
            deadline: late,
            amountIn: dollars('3000'),
            amountOutMinimum: parseEther('0.98'),
            sqrtPriceLimitX96: 0n,
          },
        ],
      )
      const unwrap = call('unwrapWETH9(uint256 amountMinimum, address recipient) payable', [
        parseEther('0.98'),
        account(),
      ])
      return ask({ to: swapRouter, data: call('multicall(bytes[] data) payable', [[swap, unwrap]]) })
    },
    [],
  ],
  [
    'a swap of ETH through Universal Router',
    async () => {
      const wrap = encodeAbiParameters(parseAbiParameters('address, uint256'), [
        `0x${'00'.repeat(19)}02`,
        parseEther('1'),
      ])
      const swap = encodeAbiParameters(parseAbiParameters('address, uint256, uint256, bytes, bool'), [
        `0x${'00'.repeat(19)}01`,
        parseEther('1'),
        dollars('2950'),
        `${tokens().WETH}0001f4${tokens().USDC.slice(2)}`,
        false,
      ])
      const data = call('execute(bytes commands, bytes[] inputs, uint256 deadline) payable', [
        '0x0b00',
        [wrap, swap],
        late,
      ])
      return atVenue(data, { gives: tokens().USDC, given: dollars('2965') }, parseEther('1'), universalRouter)
    },
    [],
  ],
  [
    'a swap through Universal Router, by V4 with a fee',
    async () => {
      const key = [`0x${'00'.repeat(20)}`, tokens().USDC, 500, 10, `0x${'00'.repeat(20)}`]
      const swap = abi('((address, address, uint24, int24, address), bool, uint128, uint128, bytes)', [
        key,
        true,
        parseEther('1'),
        dollars('2950'),
        '0x',
      ])
      const settle = abi('address, uint256, bool', key[0], parseEther('1'), false)
      const take = abi('address, address, uint256', tokens().USDC, `0x${'00'.repeat(19)}02`, 0n)
      const share = abi('address, address, uint256', tokens().USDC, friend, 25n)
      const rest = abi('address, address, uint256', tokens().USDC, `0x${'00'.repeat(19)}01`, dollars('2940'))
      const data = call('execute(bytes commands, bytes[] inputs, uint256 deadline) payable', [
        '0x100604',
        [abi('bytes, bytes[]', '0x060b0e', [swap, settle, take]), share, rest],
        late,
      ])
      return atVenue(data, { gives: tokens().USDC, given: dollars('2958') }, parseEther('1'), universalRouter)
    },
    [],
  ],
  [
    'a swap on Uniswap V2 with a tag behind its arguments',
    async () => {
      await sendBefore(approve(tokens().USDC, v2Router(), dollars('3000')))
      const args = [dollars('3000'), parseEther('0.98'), [tokens().USDC, tokens().WETH], account(), late]
      const data = call(
        'swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
        args,
      )
      return ask({ to: v2Router(), data: `${data}6c616e7465726e` })
    },
    [],
  ],
  [
    'a swap through the public aggregation router',
    async () => {
      await fundWith(oneInch, tokens().USDC, dollars('3000'))
      const desc = {
        srcToken: tokens().WETH,
        dstToken: tokens().USDC,
        srcReceiver: oneInch,
        dstReceiver: account(),
        amount: parseEther('1'),
        minReturnAmount: dollars('2950'),
        flags: 0n,
      }
      const data = call(
        'swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags) desc, bytes data) payable',
        [friend, desc, '0x'],
      )
      return atVenue(
        data,
        { takes: tokens().WETH, taken: parseEther('1'), gives: tokens().USDC, given: dollars('2965') },
        0n,
        oneInch,
      )
    },
    [],
  ],
  [
    'a swap of a service whose calldata the wallet cannot read',
    () =>
      atVenue(call('executeMetaSwap(bytes route)', ['0x1234']), {
        takes: tokens().WETH,
        taken: parseEther('1'),
        gives: tokens().USDC,
        given: dollars('2950'),
      }),
    [],
  ],
]

const allowances: Row[] = [
  [
    'an exact allowance for a lending pool',
    () => ask(approve(tokens().USDC, found.venue, dollars('500'))),
    [],
    ['unknown-spender'],
  ],
  [
    'an allowance without limit for Permit2',
    () => ask(approve(tokens().USDC, stage.localnet.contracts.permit2, maxUint256)),
    ['beyond-balance'],
    ['unknown-spender'],
  ],
  [
    'a whole collection for OpenSea’s conduit',
    () =>
      ask({
        to: found.venue,
        data: call('setApprovalForAll(address operator, bool approved)', [friend, true]),
      }),
    ['beyond-balance'],
    ['unknown-spender'],
  ],
  ['the end of an allowance', () => ask(approve(tokens().USDC, found.venue, 0n)), []],
  [
    'an exact allowance and its deposit, in a row',
    async () => {
      const data = call('supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)', [
        tokens().USDC,
        dollars('500'),
        account(),
        0,
      ])
      await teachVenue(data, {
        takes: tokens().USDC,
        taken: dollars('500'),
        gives: found.receipt,
        given: parseEther('500'),
      })
      return ask(approve(tokens().USDC, found.venue, dollars('500')), { to: found.venue, data })
    },
    [],
    ['unpriced'],
  ],
]

testRows([
  ['swaps', swaps],
  ['allowances', allowances],
])
