import { parseEther } from 'viem'
import {
  bytes32,
  call,
  dollars,
  friend,
  late,
  type Row,
  testRows,
  useHonestStage,
} from '../../../helpers/background/honestStage.ts'
import { slow } from '../../../helpers/slow.ts'

slow('A chain runs.')

const { found, atVenue, account, tokens } = useHonestStage()

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
        { takes: tokens().USDC, taken: dollars('500'), gives: found.receipt, given: parseEther('500') },
      ),
    [],
    ['unpriced'],
  ],
  [
    'a deposit whose receipt no list knows',
    () =>
      atVenue(call('deposit(uint256 assets, address receiver)', [dollars('500'), account()]), {
        takes: tokens().USDC,
        taken: dollars('500'),
        gives: found.unlisted,
        given: dollars('500'),
      }),
    ['doubtful-token'],
  ],
  [
    'a deposit that returns a trifle of a listed token',
    () =>
      atVenue(
        call('submit(address referral) payable', [friend]),
        { gives: found.receipt, given: 1n },
        parseEther('1'),
      ),
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
        { gives: found.receipt, given: parseEther('1') },
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
        gives: found.receipt,
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

testRows([
  ['lending and staking', lending],
  ['bridges', bridges],
])
