import { erc20Abi, parseAbi, parseEther } from 'viem'
import type { Address } from '../../../../src/domain/token/token.ts'
import {
  approve,
  bytes32,
  call,
  dollars,
  friend,
  late,
  type Row,
  testRows,
  useHonestStage,
} from '../../../helpers/background/honestStage.ts'

const { stage, found, ask, sendBefore, atVenue, account, tokens, v2Router } = useHonestStage()

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
              offerToken: found.venue,
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
    ['new-recipient'],
  ],
  ['a transfer of ETH', () => ask({ to: friend, data: '0x', value: parseEther('1') }), [], ['new-recipient']],
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
  [
    'a delegation of votes',
    () => ask({ to: found.votes, data: call('delegate(address delegatee)', [friend]) }),
    [],
  ],
  [
    'a delegation at a contract that is in no list',
    () => atVenue(call('delegate(address delegatee)', [friend]), {}),
    ['no-change'],
  ],
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
    ['new-recipient'],
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
    ['doubtful-token'],
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
      const { client, contracts } = stage.localnet
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

testRows([
  ['collectibles and names', collectibles],
  ['other transactions', others],
])
