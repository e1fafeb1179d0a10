import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  parseEther,
  parseUnits,
} from 'viem'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { type Asked, useRiskStage } from './riskStage.ts'

// Common transactions as their sites encode them. Where the local chain has no such contract, `Venue` stands at its address and moves
// the same assets.

const { stage, made, deploy, teach, sendBefore, ask, install } = useRiskStage()

const late = 4_000_000_000n
const friend: Address = `0x${'f1'.repeat(20)}`
const bytes32: Hex = `0x${'07'.repeat(32)}`
const dollars = (amount: string) => parseUnits(amount, 6)
const universalRouter: Address = '0x66a9893cc07d91d95644aedd05d03f95e1dba8af'
const oneInch: Address = '0x111111125421ca6dc452d289314280a0f8842a65'
const swapRouter: Address = '0xe592427a0aece92de3edee1f18e0157c05861564'

let venue: Address
let receipt: Address
let snapshot: Hex

beforeAll(async () => {
  venue = await deploy('Venue')
  await install(venue, universalRouter)
  await install(venue, oneInch)
  await install(await deployV3Router(), swapRouter)
  // A token without a market price: what vaults and staking give in return.
  receipt = await deploy('ReceiptToken', [venue])
  for (const to of [venue, universalRouter]) {
    await fundWith(to, stage.world.tokens.USDC, dollars('20000'))
    await stage.world.client.setBalance({ address: to, value: parseEther('100') })
  }
}, 240_000)
beforeEach(async () => {
  snapshot = await stage.world.client.snapshot()
})
afterEach(() => stage.world.client.revert({ id: snapshot }))

/** The real SwapRouter of Uniswap V3, at an address of its own. */
async function deployV3Router(): Promise<Address> {
  const file = createRequire(import.meta.url).resolve(
    '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
  )
  const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8'))
  const { client, contracts, tokens } = stage.world
  const hash = await client.deployContract({
    abi,
    bytecode,
    args: [contracts.v3Factory, tokens.WETH],
  } as never)
  return (await client.receiptOf(hash)).contractAddress as Address
}

async function fundWith(to: Address, token: Address, amount: bigint): Promise<void> {
  const { client } = stage.world
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
  await client.receiptOf(await client.sendTransaction({ to: token, data } as never))
}

/** Calldata of one function, by its Solidity signature. */
function call(signature: string, args: unknown[]): Hex {
  return encodeFunctionData({ abi: parseAbi([`function ${signature}`] as readonly string[]), args } as never)
}

const approve = (token: Address, spender: Address, amount: bigint) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  value: 0n,
})

type Moves = Parameters<typeof teach>[2]

/** Asks for a call of the stand-in that moves so much, with an allowance given before. */
async function atVenue(data: Hex, moves: Moves, value = 0n, at: Address = venue): Promise<Asked> {
  await teach(at, data, moves)
  if (moves.takes) await sendBefore(approve(moves.takes, at, moves.taken ?? 0n))
  return ask({ to: at, data, value })
}

/** One row of the table in docs/security.md: a request, the ticks it takes, and what is said without one. */
type Row = [name: string, ask: () => Promise<Asked>, ticks: string[], notes?: string[]]

const account = () => made.browser.account
const tokens = () => stage.world.tokens
const v2Router = () => stage.world.contracts.v2Router
const beyond = 'beyond-balance'

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
    () => ask(approve(tokens().USDC, venue, dollars('500'))),
    [],
    ['unknown-spender'],
  ],
  [
    'an allowance without limit for Permit2',
    () => ask(approve(tokens().USDC, stage.world.contracts.permit2, maxUint256)),
    [beyond],
    ['unknown-spender'],
  ],
  [
    'a whole collection for OpenSea’s conduit',
    () =>
      ask({ to: venue, data: call('setApprovalForAll(address operator, bool approved)', [friend, true]) }),
    [beyond],
    ['unknown-spender'],
  ],
  ['the end of an allowance', () => ask(approve(tokens().USDC, venue, 0n)), []],
  [
    'an exact allowance and its deposit, in a row',
    async () => {
      const data = call('supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)', [
        tokens().USDC,
        dollars('500'),
        account(),
        0,
      ])
      await teach(venue, data, {
        takes: tokens().USDC,
        taken: dollars('500'),
        gives: receipt,
        given: dollars('500'),
      })
      return ask(approve(tokens().USDC, venue, dollars('500')), { to: venue, data })
    },
    [],
    ['unpriced'],
  ],
]

const lending: Row[] = [
  [
    'a deposit at Aave',
    () =>
      atVenue(
        call('supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)', [
          tokens().USDC,
          dollars('500'),
          account(),
          0,
        ]),
        { takes: tokens().USDC, taken: dollars('500'), gives: receipt, given: dollars('500') },
      ),
    [],
    ['unpriced'],
  ],
  [
    'a loan at Aave',
    () =>
      atVenue(
        call(
          'borrow(address asset, uint256 amount, uint256 rateMode, uint16 referralCode, address onBehalfOf)',
          [tokens().USDC, dollars('500'), 2n, 0, account()],
        ),
        { gives: tokens().USDC, given: dollars('500') },
      ),
    [],
  ],
  [
    'a repayment at Aave',
    () =>
      atVenue(
        call('repay(address asset, uint256 amount, uint256 rateMode, address onBehalfOf)', [
          tokens().USDC,
          dollars('500'),
          2n,
          account(),
        ]),
        { takes: tokens().USDC, taken: dollars('500') },
      ),
    [],
  ],
  [
    'a withdrawal at Aave',
    () =>
      atVenue(
        call('withdraw(address asset, uint256 amount, address to)', [
          tokens().USDC,
          dollars('500'),
          account(),
        ]),
        { gives: tokens().USDC, given: dollars('500') },
      ),
    [],
  ],
  [
    'staking at Lido',
    () =>
      atVenue(
        call('submit(address referral) payable', [friend]),
        { gives: receipt, given: parseEther('1') },
        parseEther('1'),
      ),
    [],
    ['unpriced'],
  ],
  [
    'wrapping stETH',
    () =>
      atVenue(call('wrap(uint256 amount)', [parseEther('1')]), {
        takes: tokens().WETH,
        taken: parseEther('1'),
        gives: receipt,
        given: parseEther('0.8'),
      }),
    [],
    ['unpriced'],
  ],
  [
    'a request to withdraw from Lido',
    () =>
      atVenue(call('requestWithdrawals(uint256[] amounts, address owner)', [[parseEther('1')], account()]), {
        takes: tokens().WETH,
        taken: parseEther('1'),
        item: 11n,
      }),
    [],
  ],
]

const collectibles: Row[] = [
  [
    'a purchase on OpenSea',
    () =>
      atVenue(
        call(
          'fulfillBasicOrder_efficient_6GL6yc((address considerationToken, uint256 considerationIdentifier, uint256 considerationAmount, address offerer, address zone, address offerToken, uint256 offerIdentifier, uint256 offerAmount, uint8 basicOrderType, uint256 startTime, uint256 endTime, bytes32 zoneHash, uint256 salt, bytes32 offererConduitKey, bytes32 fulfillerConduitKey, uint256 totalOriginalAdditionalRecipients, (uint256 amount, address recipient)[] additionalRecipients, bytes signature) parameters) payable',
          [
            {
              considerationToken: `0x${'00'.repeat(20)}`,
              considerationIdentifier: 0n,
              considerationAmount: parseEther('1'),
              offerer: friend,
              zone: friend,
              offerToken: venue,
              offerIdentifier: 7n,
              offerAmount: 1n,
              basicOrderType: 0,
              startTime: 0n,
              endTime: late,
              zoneHash: bytes32,
              salt: 1n,
              offererConduitKey: bytes32,
              fulfillerConduitKey: bytes32,
              totalOriginalAdditionalRecipients: 0n,
              additionalRecipients: [],
              signature: '0x',
            },
          ],
        ),
        { item: 7n },
        parseEther('1'),
      ),
    [],
  ],
  [
    'a mint',
    () => atVenue(call('mint(uint256 quantity) payable', [1n]), { item: 8n }, parseEther('0.05')),
    [],
  ],
  [
    'a name of ENS',
    () =>
      atVenue(
        call(
          'register(string name, address owner, uint256 duration, bytes32 secret, address resolver, bytes[] data, bool reverseRecord, uint16 fuses) payable',
          ['lantern', account(), 31_536_000n, bytes32, friend, [], true, 0],
        ),
        { item: 9n },
        parseEther('0.003'),
      ),
    [],
  ],
  [
    'another year of a name',
    () =>
      atVenue(
        call('renew(string name, uint256 duration) payable', ['lantern', 31_536_000n]),
        {},
        parseEther('0.003'),
      ),
    [],
  ],
]

const bridges: Row[] = [
  [
    'a deposit at Across',
    () =>
      atVenue(
        call(
          'depositV3(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message) payable',
          [
            account(),
            account(),
            tokens().USDC,
            tokens().USDC,
            dollars('500'),
            dollars('499'),
            10n,
            friend,
            1,
            2,
            0,
            '0x',
          ],
        ),
        { takes: tokens().USDC, taken: dollars('500') },
      ),
    [],
  ],
  [
    'a deposit at Hop',
    () =>
      atVenue(
        call(
          'sendToL2(uint256 chainId, address recipient, uint256 amount, uint256 amountOutMin, uint256 deadline, address relayer, uint256 relayerFee) payable',
          [10n, account(), parseEther('1'), parseEther('0.99'), late, friend, 0n],
        ),
        {},
        parseEther('1'),
      ),
    [],
  ],
  [
    'a transfer by Stargate',
    () =>
      atVenue(
        call(
          'send((uint32 dstEid, bytes32 to, uint256 amountLD, uint256 minAmountLD, bytes extraOptions, bytes composeMsg, bytes oftCmd) sendParam, (uint256 nativeFee, uint256 lzTokenFee) fee, address refundAddress) payable',
          [
            {
              dstEid: 1,
              to: bytes32,
              amountLD: dollars('500'),
              minAmountLD: dollars('499'),
              extraOptions: '0x',
              composeMsg: '0x',
              oftCmd: '0x',
            },
            { nativeFee: 1n, lzTokenFee: 0n },
            account(),
          ],
        ),
        { takes: tokens().USDC, taken: dollars('500') },
        1n,
      ),
    [],
  ],
  [
    'a deposit at a canonical bridge',
    () =>
      atVenue(
        call('depositETH(uint32 minGasLimit, bytes extraData) payable', [200_000, '0x']),
        {},
        parseEther('1'),
      ),
    [],
  ],
]

const others: Row[] = [
  ['wrapping ETH', () => ask({ to: tokens().WETH, data: '0xd0e30db0', value: parseEther('1') }), []],
  [
    'unwrapping it',
    () => ask({ to: tokens().WETH, data: call('withdraw(uint256 amount)', [parseEther('1')]) }),
    [],
  ],
  [
    'a transfer of tokens',
    () =>
      ask({
        to: tokens().USDC,
        data: call('transfer(address to, uint256 amount)', [friend, dollars('100')]),
      }),
    [],
  ],
  ['a transfer of ETH', () => ask({ to: friend, data: '0x', value: parseEther('1') }), []],
  [
    'a claim of an airdrop',
    () =>
      atVenue(
        call('claim(uint256 index, address account, uint256 amount, bytes32[] proof)', [
          1n,
          account(),
          dollars('100'),
          [bytes32],
        ]),
        { gives: tokens().USDC, given: dollars('100') },
      ),
    [],
  ],
  ['a delegation of votes', () => atVenue(call('delegate(address delegatee)', [friend]), {}), []],
  ['a vote', () => atVenue(call('castVote(uint256 proposalId, uint8 support)', [1n, 1]), {}), []],
  [
    'ETH for several at once',
    () =>
      atVenue(
        call('disperseEther(address[] recipients, uint256[] values) payable', [[friend], [parseEther('1')]]),
        {},
        parseEther('1'),
      ),
    [],
  ],
  [
    'a transaction of a Safe',
    () =>
      atVenue(
        call(
          'execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable',
          [friend, 1n, '0x', 0, 0n, 0n, 0n, friend, friend, '0x'],
        ),
        {},
      ),
    ['no-change'],
  ],
  [
    'liquidity that is added, with minimums',
    async () => {
      await sendBefore(approve(tokens().USDC, v2Router(), dollars('3000')))
      return ask({
        to: v2Router(),
        value: parseEther('1'),
        data: call(
          'addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable',
          [tokens().USDC, dollars('3000'), dollars('2900'), parseEther('0.95'), account(), late],
        ),
      })
    },
    [],
    ['unpriced'],
  ],
  [
    'liquidity that is taken back, with minimums',
    async () => {
      await sendBefore(approve(tokens().USDC, v2Router(), dollars('3000')), {
        to: v2Router(),
        value: parseEther('1'),
        data: call(
          'addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable',
          [tokens().USDC, dollars('3000'), 0n, 0n, account(), late],
        ),
      })
      const { client, contracts } = stage.world
      const pair = (
        await client.readContract({
          address: contracts.v2Factory,
          abi: parseAbi(['function getPair(address, address) view returns (address)']),
          functionName: 'getPair',
          args: [tokens().USDC, tokens().WETH],
        })
      ).toLowerCase() as Address
      const liquidity = await client.readContract({
        address: pair,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account()],
      })
      await sendBefore(approve(pair, v2Router(), liquidity))
      return ask({
        to: v2Router(),
        data: call(
          'removeLiquidityETH(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline)',
          [tokens().USDC, liquidity, dollars('2900'), parseEther('0.95'), account(), late],
        ),
      })
    },
    [],
    ['unpriced'],
  ],
]

describe.each([
  ['swaps', swaps],
  ['allowances', allowances],
  ['lending and staking', lending],
  ['collectibles and names', collectibles],
  ['bridges', bridges],
  ['other transactions', others],
])('honest %s', (_group, rows) => {
  it.each(rows)('%s takes the ticks of its row', async (_name, prepare, ticks, notes = []) => {
    const asked = await prepare()
    await asked.reject()
    expect(asked.status).toBe('succeeds')
    const said = (isGrave: boolean) =>
      asked.risks
        .filter((risk) => risk.isGrave === isGrave)
        .map((risk) => (risk.kind === 'call' ? risk.warning : risk.kind))
    expect({ ticks: said(true), notes: said(false) }).toEqual({ ticks, notes })
  })
})
