import { pad, parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Address, Hex } from '../../../../src/domain/token/token.ts'
import {
  bytes32,
  call,
  dollars,
  friend,
  late,
  useHonestStage,
} from '../../../helpers/background/honestStage.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

// Swaps at venues whose calldata the wallet does not describe: 3,000 USDC for one WETH.

const { fundWith, found, atVenue, account, tokens } = useHonestStage()

const zero: Address = `0x${'00'.repeat(20)}`
const [sold, some] = [dollars('3000'), 7n]

beforeAll(() => fundWith(found.venue, tokens().WETH, parseEther('5')), 240_000)

type Venue = [name: string, data: (min: bigint, to?: Address) => Hex, hasRecipient: boolean]

const curve =
  (types: string, ...rest: unknown[]) =>
  (min: bigint) =>
    call(`exchange(${types})`, [0n, 1n, sold, min, ...rest])
const route = (min: bigint) => [
  Array.from({ length: 11 }, (_, index) => (index === 0 ? tokens().USDC : zero)),
  Array(5).fill(Array(5).fill(0n)),
  sold,
  min,
]

const venues: Venue[] = [
  ['a stable pool of Curve', curve('int128 i, int128 j, uint256 dx, uint256 min_dy'), false],
  [
    'a new stable pool of Curve',
    (min, to = account()) =>
      curve('int128 i, int128 j, uint256 dx, uint256 min_dy, address receiver', to)(min),
    true,
  ],
  [
    'a crypto pool of Curve',
    curve('uint256 i, uint256 j, uint256 dx, uint256 min_dy, bool eth', false),
    false,
  ],
  [
    'a crypto pool of Curve, with a receiver',
    (min, to = account()) =>
      curve('uint256 i, uint256 j, uint256 dx, uint256 min_dy, bool eth, address receiver', false, to)(min),
    true,
  ],
  [
    'Curve’s router',
    (min, to = account()) =>
      call(
        'exchange(address[11] route, uint256[5][5] params, uint256 amount, uint256 min_dy, address[5] pools, address receiver)',
        [...route(min), Array(5).fill(zero), to],
      ),
    true,
  ],
  [
    '0x',
    (min) =>
      call(
        'transformERC20(address inputToken, address outputToken, uint256 amount, uint256 min, (uint32 nonce, bytes data)[] steps) payable',
        [tokens().USDC, tokens().WETH, sold, min, [{ nonce: 1, data: '0x12' }]],
      ),
    false,
  ],
  [
    'ParaSwap',
    (min, to = zero) =>
      call(
        'swapExactAmountIn(address executor, (address src, address dest, uint256 fromAmount, uint256 toAmount, uint256 quoted, bytes32 metadata, address beneficiary) data, uint256 partnerAndFee, bytes permit, bytes executorData) payable',
        [
          friend,
          {
            src: tokens().USDC,
            dest: tokens().WETH,
            fromAmount: sold,
            toAmount: min,
            quoted: min,
            metadata: bytes32,
            beneficiary: to,
          },
          some,
          '0x',
          '0x1234',
        ],
      ),
    true,
  ],
  [
    'Odos',
    (min, to = account()) =>
      call(
        'swap((address inputToken, uint256 inputAmount, address inputReceiver, address outputToken, uint256 outputQuote, uint256 outputMin, address outputReceiver) info, bytes path, address executor, uint32 code) payable',
        [
          {
            inputToken: tokens().USDC,
            inputAmount: sold,
            inputReceiver: friend,
            outputToken: tokens().WETH,
            outputQuote: parseEther('1'),
            outputMin: min,
            outputReceiver: to,
          },
          '0x1234',
          friend,
          0,
        ],
      ),
    true,
  ],
  [
    'KyberSwap',
    (min, to = account()) =>
      call(
        'swap((address callTarget, address approveTarget, bytes targetData, (address srcToken, address dstToken, address[] srcReceivers, uint256[] srcAmounts, address[] feeReceivers, uint256[] feeAmounts, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags, bytes permit) desc, bytes clientData) execution) payable',
        [
          {
            callTarget: friend,
            approveTarget: zero,
            targetData: '0x1234',
            desc: {
              srcToken: tokens().USDC,
              dstToken: tokens().WETH,
              srcReceivers: [friend],
              srcAmounts: [sold],
              feeReceivers: [],
              feeAmounts: [],
              dstReceiver: to,
              amount: sold,
              minReturnAmount: min,
              flags: some,
              permit: '0x',
            },
            clientData: '0x12',
          },
        ],
      ),
    true,
  ],
  ...([0, 1] as const).map(
    (kind): Venue => [
      `Balancer’s vault, exact ${kind === 0 ? 'in' : 'out'}`,
      (min, to = account()) =>
        call(
          'swap((bytes32 poolId, uint8 kind, address assetIn, address assetOut, uint256 amount, bytes userData) singleSwap, (address sender, bool fromInternalBalance, address recipient, bool toInternalBalance) funds, uint256 limit, uint256 deadline) payable',
          [
            {
              poolId: pad('0x1'),
              kind,
              assetIn: tokens().USDC,
              assetOut: tokens().WETH,
              amount: kind === 0 ? sold : min,
              userData: '0x',
            },
            { sender: account(), fromInternalBalance: false, recipient: to, toInternalBalance: false },
            kind === 0 ? min : sold,
            late,
          ],
        ),
      true,
    ],
  ),
]

describe.each(venues)('swap at %s', (_name, data, hasRecipient) => {
  const ask = async (calldata: Hex) => {
    const moves = { takes: tokens().USDC, taken: sold, gives: tokens().WETH, given: parseEther('1') }
    const asked = await atVenue(calldata, moves)
    await asked.reject()
    expect(asked.status).toBe('succeeds')
    return asked.ticks.map((tick) => tick.split(' ')[0])
  }

  it('requires acknowledgement of a minimum of one unit or of 89 %, not of 98 %', async () => {
    expect(await ask(data(1n))).toEqual(['low-minimum'])
    expect(await ask(data(parseEther('0.89')))).toEqual(['low-minimum'])
    expect(await ask(data(parseEther('0.98')))).toEqual([])
  })

  it.runIf(hasRecipient)('requires acknowledgement of another recipient', async () => {
    expect(await ask(data(parseEther('0.98'), friend))).toContain('foreign-recipient')
  })
})
