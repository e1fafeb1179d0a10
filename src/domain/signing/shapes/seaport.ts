import { larger, smaller } from '../../bounds.ts'
import { type Address, nativeTokenAddress } from '../../token/token.ts'
import type { OrderDescription, SignedAsset, Terms } from '../description.ts'
import { encodeStruct, encodeType, hasType } from '../encodeType.ts'
import type { TypedData } from '../typedData.ts'

// github.com/ProjectOpenSea/seaport: ConsiderationStructs.sol and ConsiderationEnums.sol.
const item = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const orderType =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,' +
  'uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)' +
  `ConsiderationItem(${item},address recipient)OfferItem(${item})`

type Item = {
  itemType: bigint
  token: Address
  identifierOrCriteria: bigint
  startAmount: bigint
  endAmount: bigint
}
type Components = {
  offerer: Address
  offer: Item[]
  consideration: (Item & { recipient: Address })[]
  endTime: bigint
}

/** Reads a Seaport order or a BulkOrder tree. */
export function readSeaport(typedData: TypedData): OrderDescription | undefined {
  const orders = toOrders(typedData)
  const [first] = orders ?? []
  if (orders === undefined || first === undefined) return undefined
  const owner = first.offerer
  // Invalid under this signature; honest trees have none.
  if (orders.some(({ offerer }) => offerer !== owner)) return undefined
  return {
    kind: 'order',
    venue: 'Seaport',
    side: 'sell',
    isFloorCertain: true,
    terms: toTerms(orders, owner),
    ...(orders.length > 1 && { orders: orders.map((order) => toTerms([order], owner)) }),
  }
}

function toTerms(orders: Components[], owner: Address): Terms {
  const wanted = orders.flatMap(({ consideration }) => consideration)
  const isOwn = ({ recipient }: { recipient: Address }) => recipient === owner
  return {
    owner,
    leaves: orders.flatMap(({ offer }) => offer.map(highest)),
    arrives: wanted.filter(isOwn).map(lowest),
    fees: wanted.filter((each) => !isOwn(each)).map(lowest),
    until: orders.reduce((last, { endTime }) => larger(last, endTime), 0n),
  }
}

function toOrders(typedData: TypedData): Components[] | undefined {
  const { types, message } = typedData
  if (hasType(typedData, orderType)) return [message as Components]
  const isTree =
    typedData.primaryType === 'BulkOrder' &&
    /^BulkOrder\(OrderComponents(\[2\]){1,24} tree\)$/.test(encodeStruct(types, 'BulkOrder')) &&
    encodeType(types, 'OrderComponents') === orderType
  if (!isTree) return undefined
  const leaves = [message.tree].flat(Number.POSITIVE_INFINITY) as Components[]
  // Empty orders pad the tree.
  return leaves.filter(({ offer, consideration }) => offer.length + consideration.length > 0)
}

function highest(each: Item): SignedAsset {
  return toItem(each, larger(each.startAmount, each.endAmount))
}

function lowest(each: Item & { recipient: Address }): SignedAsset {
  return { ...toItem(each, smaller(each.startAmount, each.endAmount)), to: each.recipient }
}

/** 0 native, 1 ERC-20, 2 ERC-721, 3 ERC-1155, 4 and 5 by criteria. */
function toItem({ itemType, token, identifierOrCriteria }: Item, amount: bigint): SignedAsset {
  if (itemType === 0n) return { token: nativeTokenAddress, amount }
  if (itemType === 1n) return { token, amount }
  return { token, amount, item: itemType >= 4n ? 'any' : identifierOrCriteria }
}
