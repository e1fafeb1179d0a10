import { concatHex, encodeFunctionData, erc20Abi, pad, parseAbi } from 'viem'
import { typedDataOf } from './createTypedData.ts'

export type Hex = `0x${string}`
export type SignatureSample = {
  name: string
  request: { message: string } | { typedData: ReturnType<typeof typedDataOf> }
}

const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const bytes32 = (byte: string): Hex => `0x${byte.repeat(32)}`
const zero = address('00')
export const token = address('70')
const bought = address('71')
const stranger = address('bd')
const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const reactor = '0x00000011f84b9aa48e5f8aa8b9897600006289be'
const router = '0x111111125421ca6dc452d289314280a0f8842a65'
const seaport = '0x0000000000000068f116a894984e2db1123eb395'

const item = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const orderComponents =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,' +
  'uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)' +
  `ConsiderationItem(${item},address recipient)OfferItem(${item})`
const authorization =
  '(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'
const safeTx =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,' +
  'address gasToken,address refundReceiver,uint256 nonce)'
const packedOperation =
  'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,' +
  'uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)'
const permitType = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'

const transfer = (to: Hex) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 1_000_000n] })

/** `now` in milliseconds; deadlines are ten minutes later. */
function build(account: Hex, chainId: number, now: number) {
  const seconds = Math.floor(now / 1_000)
  const soon = `${seconds + 600}`
  const month = `${seconds + 30 * 86_400}`
  const on = (verifyingContract: Hex, name = 'A contract') => ({
    name,
    version: '1',
    chainId,
    verifyingContract,
  })
  const login = (name: string) => ({ name, version: '1', chainId })
  const typed = (name: string, type: string, message: object, domain: object): SignatureSample => ({
    name,
    request: { typedData: typedDataOf(type, message, domain) },
  })
  const text = (name: string, message: string): SignatureSample => ({ name, request: { message } })

  const permit = { owner: account, spender: router, value: '5000000', nonce: 0, deadline: soon }
  const details = { token, amount: '5000000', expiration: soon, nonce: 0 }
  const transferAuthorization = {
    from: account,
    to: stranger,
    value: '5000000',
    validAfter: 0,
    validBefore: soon,
    nonce: bytes32('11'),
  }
  const seaportOrder = (offer: object, consideration: object[]) => ({
    offerer: account,
    zone: zero,
    offer: [offer],
    consideration,
    orderType: 0,
    startTime: seconds,
    endTime: month,
    zoneHash: bytes32('00'),
    salt: 7,
    conduitKey: bytes32('00'),
    counter: 0,
  })
  const nft = { itemType: 2, token: bought, identifierOrCriteria: 77, startAmount: 1, endAmount: 1 }
  const coins = (amount: string) => ({
    itemType: 0,
    token: zero,
    identifierOrCriteria: 0,
    startAmount: amount,
    endAmount: amount,
  })
  const weth = { itemType: 1, token, identifierOrCriteria: 0, startAmount: '1000', endAmount: '1000' }
  const operation = (callData: Hex) => ({
    sender: address('5a'),
    nonce: 1,
    initCode: '0x',
    callData,
    // 300,000 and 200,000 gas at 2 gwei.
    accountGasLimits: concatHex([pad('0x493e0', { size: 16 }), pad('0x30d40', { size: 16 })]),
    preVerificationGas: 50_000,
    gasFees: concatHex([pad('0x3b9aca00', { size: 16 }), pad('0x77359400', { size: 16 })]),
    paymasterAndData: '0x',
  })
  const execute = encodeFunctionData({
    abi: parseAbi(['function execute(address dest, uint256 value, bytes func)']),
    args: [token, 0n, transfer(stranger)],
  })
  const relay = (functionSignature: Hex) => ({ nonce: 0, from: account, functionSignature })
  const polygonToken = (chain: number) => ({
    name: 'USD Coin (PoS)',
    version: '1',
    verifyingContract: token,
    salt: `0x${chain.toString(16).padStart(64, '0')}`,
  })
  const safe = (operation: number) => ({
    to: token,
    value: 0,
    data: transfer(stranger),
    operation,
    safeTxGas: 0,
    baseGas: 0,
    gasPrice: 0,
    gasToken: zero,
    refundReceiver: zero,
    nonce: 4,
  })
  const siwe =
    `app.example wants you to sign in with your Ethereum account:\n${account}\n\nSign in.\n\nURI: https://app.example\n` +
    `Version: 1\nChain ID: ${chainId}\nNonce: 12345678\nIssued At: ${new Date(now - 1_000).toISOString()}`

  const harmless = [
    text(
      'a plain login',
      'Welcome to OpenSea! Click to sign in and accept the Terms of Service.\n\nNonce: 5f2a',
    ),
    text('a sign-in of EIP-4361', siwe),
    typed(
      'a login without a contract',
      'Login(address wallet,string message,string nonce,uint256 timestamp)',
      { wallet: account, message: 'Sign in to Galxe', nonce: bytes32('5e'), timestamp: seconds },
      login('Galxe'),
    ),
    typed(
      'ClobAuth of Polymarket',
      'ClobAuth(address address,string timestamp,uint256 nonce,string message)',
      {
        address: account,
        timestamp: `${seconds}`,
        nonce: 0,
        message: 'This message attests that I control the given wallet',
      },
      login('ClobAuthDomain'),
    ),
    typed(
      'a vote on Snapshot, as ENS has them',
      'Vote(address from,string space,uint64 timestamp,bytes32 proposal,uint32 choice,string reason,string app,string metadata)',
      {
        from: account,
        space: 'ens.eth',
        timestamp: seconds,
        proposal: bytes32('ab'),
        choice: 1,
        reason: '',
        app: 'snapshot',
        metadata: '{}',
      },
      { name: 'snapshot', version: '0.1.4' },
    ),
  ]

  const clean = [
    typed('a permit of USDC (EIP-2612)', permitType, permit, on(token, 'USD Coin')),
    typed('a permit of stETH (Lido)', permitType, permit, on(bought, 'Liquid staked Ether 2.0')),
    typed('a permit of an aToken (Aave)', permitType, permit, on(address('a0'), 'Aave USDC')),
    typed(
      'PermitSingle for a known router',
      'PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)' +
        'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)',
      { details, spender: router, sigDeadline: soon },
      { name: 'Permit2', chainId, verifyingContract: permit2 },
    ),
    typed(
      'an order of UniswapX',
      'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,' +
        'V2DutchOrder witness)DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)' +
        'OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,' +
        'address additionalValidationContract,bytes additionalValidationData)' +
        'TokenPermissions(address token,uint256 amount)V2DutchOrder(OrderInfo info,address cosigner,' +
        'address baseInputToken,uint256 baseInputStartAmount,uint256 baseInputEndAmount,DutchOutput[] baseOutputs)',
      {
        permitted: { token, amount: '1000' },
        spender: reactor,
        nonce: 3,
        deadline: soon,
        witness: {
          info: {
            reactor,
            swapper: account,
            nonce: 3,
            deadline: soon,
            additionalValidationContract: zero,
            additionalValidationData: '0x',
          },
          cosigner: stranger,
          baseInputToken: token,
          baseInputStartAmount: '1000',
          baseInputEndAmount: '1000',
          baseOutputs: [{ token: bought, startAmount: '900', endAmount: '850', recipient: account }],
        },
      },
      { name: 'Permit2', chainId, verifyingContract: permit2 },
    ),
    typed(
      'an order of CoW Protocol',
      'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,' +
        'bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
      {
        sellToken: token,
        buyToken: bought,
        receiver: account,
        sellAmount: '1000',
        buyAmount: '900',
        validTo: soon,
        appData: bytes32('0a'),
        feeAmount: 0,
        kind: 'sell',
        partiallyFillable: false,
        sellTokenBalance: 'erc20',
        buyTokenBalance: 'erc20',
      },
      on('0x9008d19f58aabd9ed0d60971565aa8510560ab41', 'Gnosis Protocol'),
    ),
    typed(
      'a limit order of 1inch',
      'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,' +
        'uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
      {
        salt: 1,
        maker: account,
        receiver: zero,
        makerAsset: token,
        takerAsset: bought,
        makingAmount: '1000',
        takingAmount: '900',
        makerTraits: `${BigInt(soon) << 80n}`,
      },
      on(router, '1inch Aggregation Router'),
    ),
    typed(
      'a limit order of 0x',
      'LimitOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,' +
        'uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,' +
        'uint64 expiry,uint256 salt)',
      {
        makerToken: token,
        takerToken: bought,
        makerAmount: '1000',
        takerAmount: '900',
        takerTokenFeeAmount: 0,
        maker: account,
        taker: zero,
        sender: zero,
        feeRecipient: zero,
        pool: bytes32('00'),
        expiry: soon,
        salt: 9,
      },
      on('0xdef1c0ded9bec7f1a1670819833240f027b25eff', 'ZeroEx'),
    ),
    typed(
      'a listing on OpenSea (Seaport 1.6)',
      orderComponents,
      seaportOrder(nft, [
        { ...coins('975'), recipient: account },
        { ...coins('25'), recipient: stranger },
      ]),
      on(seaport, 'Seaport'),
    ),
    typed(
      'an offer on OpenSea (Seaport 1.6)',
      orderComponents,
      seaportOrder(weth, [
        { ...nft, recipient: account },
        { ...weth, startAmount: '25', endAmount: '25', recipient: stranger },
      ]),
      on(seaport, 'Seaport'),
    ),
    typed(
      'a gasless transfer of USDC (TransferWithAuthorization)',
      `TransferWithAuthorization${authorization}`,
      transferAuthorization,
      on(token, 'USD Coin'),
    ),
    typed(
      'a gasless payment of USDC (ReceiveWithAuthorization)',
      `ReceiveWithAuthorization${authorization}`,
      transferAuthorization,
      on(token, 'USD Coin'),
    ),
    typed(
      'the end of a gasless transfer (CancelAuthorization)',
      'CancelAuthorization(address authorizer,bytes32 nonce)',
      { authorizer: account, nonce: bytes32('11') },
      on(token, 'USD Coin'),
    ),
    typed(
      'a MetaTransaction whose salt encodes the active chain',
      'MetaTransaction(uint256 nonce,address from,bytes functionSignature)',
      relay(transfer(stranger)),
      polygonToken(chainId),
    ),
    typed('a transaction of a Safe', safeTx, safe(0), { chainId, verifyingContract: address('5a') }),
    typed(
      'a message of a Safe',
      'SafeMessage(bytes message)',
      { message: '0x48656c6c6f2c205361666521' },
      { chainId, verifyingContract: address('5a') },
    ),
    typed(
      'an operation of a smart account (ERC-4337)',
      packedOperation,
      operation(execute),
      on('0x4337084d9e255ff0702461cf8895ce9e3b5ff108', 'ERC4337'),
    ),
    typed(
      'an agent of Hyperliquid',
      'HyperliquidTransaction:ApproveAgent(string hyperliquidChain,address agentAddress,string agentName,uint64 nonce)',
      { hyperliquidChain: 'Mainnet', agentAddress: stranger, agentName: '', nonce: now },
      on(zero, 'HyperliquidSignTransaction'),
    ),
  ]

  const stopped = [
    typed(
      'a permit of DAI, which has no amount',
      'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
      { holder: account, spender: router, nonce: 0, expiry: soon, allowed: true },
      on(token, 'Dai Stablecoin'),
    ),
    typed(
      'a credit delegation of Aave to a contract the wallet does not know',
      'DelegationWithSig(address delegatee,uint256 value,uint256 nonce,uint256 deadline)',
      { delegatee: stranger, value: '1000', nonce: 0, deadline: soon },
      on(address('de'), 'Aave Debt USDC'),
    ),
    typed(
      'an authorization of Morpho Blue',
      'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)',
      { authorizer: account, authorized: stranger, isAuthorized: true, nonce: 0, deadline: soon },
      { chainId, verifyingContract: '0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb' },
    ),
    typed(
      'a listing on Blur, of which only a root is signed',
      'Root(bytes32 root)',
      { root: bytes32('b1') },
      on(address('b2'), 'Blur Exchange'),
    ),
    typed(
      'a MetaTransaction whose salt encodes another chain',
      'MetaTransaction(uint256 nonce,address from,bytes functionSignature)',
      relay(transfer(stranger)),
      polygonToken(chainId + 1),
    ),
    typed('a transaction of a Safe by DELEGATECALL', safeTx, safe(1), {
      chainId,
      verifyingContract: address('5a'),
    }),
    typed(
      'an operation whose calls cannot be read',
      packedOperation,
      operation('0xdeadbeef'),
      on('0x4337084d9e255ff0702461cf8895ce9e3b5ff108', 'ERC4337'),
    ),
    typed(
      'a Safe message that is a hash',
      'SafeMessage(bytes message)',
      { message: bytes32('41') },
      { chainId, verifyingContract: address('5a') },
    ),
    typed(
      '32 bytes in typed data without a contract',
      'Data(bytes32 data)',
      { data: bytes32('41') },
      login('X'),
    ),
    text('32 bytes that spell a text', `0x${'41'.repeat(32)}`),
    text('a text of 32 letters', 'exactly thirty-two letters long!'),
    text('64 digits of hex as a text', 'ab'.repeat(32)),
    text('bytes that are no text', '0xff00ff'),
  ]
  return { harmless, clean, stopped }
}

/** `harmless` needs no checkbox, `clean` one that states the terms, `stopped` one below a stop. */
export const signatureSamples = build
