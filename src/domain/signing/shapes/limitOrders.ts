import { type Address, nativeTokenAddress, zeroAddress } from '../../token/token.ts'
import type { OrderDescription, SignedAsset, Venue } from '../description.ts'
import { hasType } from '../encodeType.ts'
import type { TypedData } from '../typedData.ts'
import { toAsset } from './toAsset.ts'

/** Reads orders of 1inch, CoW Protocol and 0x. */
export function readLimitOrder(typedData: TypedData, account: Address): OrderDescription | undefined {
  return readOneInch(typedData) ?? readCow(typedData, account) ?? readZeroEx(typedData)
}

// github.com/1inch/limit-order-protocol v4: OrderLib.sol, MakerTraitsLib.sol.
const oneInchOrder =
  'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,' +
  'uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)'
const hasExtension = 1n << 249n
const unwrapsWeth = 1n << 247n

function readOneInch(typedData: TypedData): OrderDescription | undefined {
  if (!hasType(typedData, oneInchOrder)) return undefined
  const order = typedData.message as Record<'maker' | 'receiver' | 'makerAsset' | 'takerAsset', Address> &
    Record<'makingAmount' | 'takingAmount' | 'makerTraits', bigint>
  const until = BigInt.asUintN(40, order.makerTraits >> 80n)
  const taken = (order.makerTraits & unwrapsWeth) === 0n ? order.takerAsset : nativeTokenAddress
  return {
    ...toOrder('1inch', order.maker, {
      leaves: { token: order.makerAsset, amount: order.makingAmount },
      arrives: { token: taken, amount: order.takingAmount, to: order.receiver },
      until,
    }),
    // Only the extension's hash is signed; it may name a contract that computes the amounts.
    isFloorCertain: (order.makerTraits & hasExtension) === 0n,
  }
}

// github.com/cowprotocol/contracts: src/contracts/libraries/GPv2Order.sol.
const cowOrder =
  'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,' +
  'bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)'

function readCow(typedData: TypedData, account: Address): OrderDescription | undefined {
  if (!hasType(typedData, cowOrder)) return undefined
  const order = typedData.message as Record<'sellToken' | 'buyToken' | 'receiver', Address> &
    Record<'sellAmount' | 'buyAmount' | 'validTo' | 'feeAmount', bigint> & { kind: string }
  if (order.kind !== 'sell' && order.kind !== 'buy') return undefined
  return toOrder(
    'CoW Protocol',
    account,
    {
      // The fee comes on top.
      leaves: { token: order.sellToken, amount: order.sellAmount + order.feeAmount },
      arrives: { ...toAsset(order.buyToken, order.buyAmount), to: order.receiver },
      until: order.validTo,
    },
    {
      side: order.kind,
      fees: order.feeAmount > 0n ? [{ token: order.sellToken, amount: order.feeAmount }] : [],
    },
  )
}

// github.com/0xProject/protocol: LibNativeOrder.sol. The maker signs.
const pair = 'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount'
const zeroExOrders = [
  `LimitOrder(${pair},uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,` +
    'bytes32 pool,uint64 expiry,uint256 salt)',
  `RfqOrder(${pair},address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)`,
  `OtcOrder(${pair},address maker,address taker,address txOrigin,uint256 expiryAndNonce)`,
]

function readZeroEx(typedData: TypedData): OrderDescription | undefined {
  if (!zeroExOrders.some((type) => hasType(typedData, type))) return undefined
  const order = typedData.message as Record<'makerToken' | 'takerToken' | 'maker' | 'taker', Address> &
    Record<'makerAmount' | 'takerAmount', bigint> & { expiry?: bigint; expiryAndNonce?: bigint }
  return toOrder('0x', order.maker, {
    leaves: { token: order.makerToken, amount: order.makerAmount },
    arrives: { ...toAsset(order.takerToken, order.takerAmount), to: order.maker },
    ...(order.taker !== zeroAddress && { spender: order.taker }),
    until: order.expiry ?? (order.expiryAndNonce ?? 0n) >> 192n,
  })
}

type Sides = { leaves: SignedAsset; arrives: SignedAsset; spender?: Address; until: bigint }

/** Recipient zero is the owner; `until` 0 never ends. */
function toOrder(
  venue: Venue,
  owner: Address,
  { leaves, arrives, spender, until }: Sides,
  { side, fees }: { side: 'sell' | 'buy'; fees: SignedAsset[] } = { side: 'sell', fees: [] },
): OrderDescription {
  const to = arrives.to === undefined || arrives.to === zeroAddress ? owner : arrives.to
  return {
    kind: 'order',
    venue,
    side,
    isFloorCertain: true,
    terms: {
      owner,
      leaves: [leaves],
      arrives: [{ ...arrives, to }],
      fees,
      ...(spender && { spender }),
      ...(until !== 0n && { until }),
    },
  }
}
