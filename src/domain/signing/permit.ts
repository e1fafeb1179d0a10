import type { Address } from '../token/token.ts'
import { isUnlimited } from '../token/unlimited.ts'
import { listOf, type TypedData } from './typedData.ts'

/**
 * `typedData` in words, with what is unusual about it for `account`. Only types that fit to the letter are recognised: everything else
 * is `other`, by its own names. `now` is milliseconds since 1970.
 */
export function describeTypedData(
  typedData: TypedData,
  { account, now }: { account: Address; now: number },
): Description {
  const contract = typedData.domain.verifyingContract
  const found =
    readPermit(typedData) ??
    readDaiPermit(typedData) ??
    readPermit2(typedData) ??
    readOneInch(typedData) ??
    readCow(typedData, account) ??
    readOther(typedData)
  const warnings = warningsOf(found, contract, account, BigInt(Math.floor(now / 1_000)))
  return { ...(contract !== undefined && { contract }), ...found, warnings }
}

/** What may be taken, token by token. */
export function takenBy(permit: Permit | DaiPermit | Permit2): { token: Address; amount: bigint | 'all' }[] {
  if (permit.kind === 'permit2') return permit.entries
  if (permit.kind === 'permit') return [{ token: permit.token, amount: permit.amount }]
  return [{ token: permit.token, amount: permit.allowed ? 'all' : 0n }]
}

/** All of the message, by its own names. */
export function signedFields({ types, primaryType, message }: TypedData): SignedField[] {
  const membersOf = (type: string) => (Object.hasOwn(types, type) ? types[type] : undefined)

  function field(name: string, type: string, value: unknown): SignedField {
    const list = listOf(type)
    if (list !== undefined) {
      const items = value as unknown[]
      return { name, type, value: items.map((item, index) => field(String(index), list.item, item)) }
    }
    const members = membersOf(type)
    if (members === undefined) return { name, type, value: String(value) }
    const values = value as Record<string, unknown>
    return { name, type, value: members.map((each) => field(each.name, each.type, values[each.name])) }
  }

  if (primaryType === 'EIP712Domain') return []
  return (membersOf(primaryType) ?? []).map(({ name, type }) => field(name, type, message[name]))
}

/** What somebody signs with typed data, as far as its types say it exactly. `contract` is the domain's: who will read the signature. */
export type Description = { contract?: Address; warnings: SignWarning[] } & Reading

type Reading = Permit | DaiPermit | Permit2 | Order | Other

/** EIP-2612: `spender` may take `amount` of `token`. Seconds since 1970, like all times here. */
export type Permit = {
  kind: 'permit'
  token: Address
  owner: Address
  spender: Address
  amount: bigint
  deadline: bigint
}

/** DAI's own: all or nothing. An `expiry` of 0 is never. */
export type DaiPermit = {
  kind: 'dai-permit'
  token: Address
  holder: Address
  spender: Address
  allowed: boolean
  nonce: bigint
  expiry: bigint
}

/**
 * Uniswap's Permit2. `lasting`: `spender` may take until each entry's `expiration`; otherwise once, before `sigDeadline`. The witness
 * is what the spender's own contract asks to be signed along, an order for example.
 */
export type Permit2 = {
  kind: 'permit2'
  lasting: boolean
  spender: Address
  entries: { token: Address; amount: bigint; expiration?: bigint }[]
  sigDeadline: bigint
  witness?: SignedField
}

/** An order to swap: `sell` leaves `owner`, at least `buy` reaches `receiver`. */
export type Order = {
  kind: 'order'
  venue: '1inch' | 'CoW'
  /** CoW does not write it into the order. */
  owner?: Address
  receiver: Address
  sell: { token: Address; amount: bigint }
  buy: { token: Address; amount: bigint }
  /** Which of the two is exact. */
  side: 'sell' | 'buy'
  /** Of the sold token, on top of what is sold. */
  fee: bigint
  /** 0 is never. */
  deadline: bigint
}

export type Other = {
  kind: 'other'
  name?: string
  primaryType: string
  fields: SignedField[]
}

/** Anything that is signed, by its own name. */
export type SignedField = { name: string; type: string; value: string | SignedField[] }

export type SignWarning =
  /** More than anybody has. */
  | 'unlimited'
  /** In force for more than a day. */
  | 'long-lived'
  /** What is bought goes to somebody else. */
  | 'foreign-receiver'
  /** The owner is not who signs. */
  | 'foreign-owner'
  /** Its types are those of a well-known contract, and it is for another. */
  | 'unknown-contract'
  /** It is none of the known ones, and its names are those of permissions, orders or calls. */
  | 'may-give'

const dayInSeconds = 86_400n

/** By such names contracts are told to take something, or to act for somebody. */
const givingNames =
  /spender|operator|delegat|approv|allow|permit|offer|order|maker|amount|transfer|withdraw|forward|safetx/i
const nobody: Address = `0x${'0'.repeat(40)}`

/** On zkSync the same contracts have other addresses. */
const wellKnown: Record<string, Address[]> = {
  permit2: ['0x000000000022d473030f116ddee9f6b43ac78ba3', '0x0000000000225e31d15943971f47ad3022f714fa'],
  '1inch': ['0x111111125421ca6dc452d289314280a0f8842a65', '0x6fd4383cb451173d5f9304f041c7bcbf27d561ff'],
  CoW: ['0x9008d19f58aabd9ed0d60971565aa8510560ab41'],
}

function readPermit({ domain, message, ...shape }: TypedData): Permit | undefined {
  const members = 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'
  if (domain.verifyingContract === undefined || !fits(shape, { Permit: members })) return undefined
  const { owner, spender, value, deadline } = message as {
    owner: Address
    spender: Address
    value: bigint
    deadline: bigint
  }
  return { kind: 'permit', token: domain.verifyingContract, owner, spender, amount: value, deadline }
}

function readDaiPermit({ domain, message, ...shape }: TypedData): DaiPermit | undefined {
  const members = 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed'
  if (domain.verifyingContract === undefined || !fits(shape, { Permit: members })) return undefined
  const said = message as Pick<DaiPermit, 'holder' | 'spender' | 'nonce' | 'expiry' | 'allowed'>
  return { kind: 'dai-permit', token: domain.verifyingContract, ...said }
}

// github.com/Uniswap/permit2: src/libraries/PermitHash.sol.
const permitDetails = { PermitDetails: 'address token,uint160 amount,uint48 expiration,uint48 nonce' }
const tokenPermissions = { TokenPermissions: 'address token,uint256 amount' }

function readPermit2(typedData: TypedData): Permit2 | undefined {
  const { types, primaryType, message } = typedData
  type Entry = { token: Address; amount: bigint; expiration: bigint }
  const said = message as {
    spender: Address
    details: Entry | Entry[]
    permitted: Entry | Entry[]
    sigDeadline: bigint
    deadline: bigint
  }
  const isBatch = primaryType.startsWith('PermitBatch')
  const many = isBatch ? '[]' : ''
  const lasting = `PermitDetails${many} details,address spender,uint256 sigDeadline`
  if (fits(typedData, { [isBatch ? 'PermitBatch' : 'PermitSingle']: lasting, ...permitDetails })) {
    const entries = [said.details]
      .flat()
      .map(({ token, amount, expiration }) => ({ token, amount, expiration }))
    return { kind: 'permit2', lasting: true, spender: said.spender, entries, sigDeadline: said.sigDeadline }
  }

  const once = `TokenPermissions${many} permitted,address spender,uint256 nonce,uint256 deadline`
  const plain = isBatch ? 'PermitBatchTransferFrom' : 'PermitTransferFrom'
  const witnessed = isBatch ? 'PermitBatchWitnessTransferFrom' : 'PermitWitnessTransferFrom'
  const witness = types[witnessed]?.at(-1)
  const fitsOnce =
    fits(typedData, { [plain]: once, ...tokenPermissions }) ||
    fits(typedData, { [witnessed]: `${once},${witness?.type} ${witness?.name}`, ...tokenPermissions })
  if (!fitsOnce) return undefined
  const entries = [said.permitted].flat().map(({ token, amount }) => ({ token, amount }))
  const along = primaryType === witnessed ? signedFields(typedData).at(-1) : undefined
  return {
    kind: 'permit2',
    lasting: false,
    spender: said.spender,
    entries,
    sigDeadline: said.deadline,
    ...(along !== undefined && { witness: along }),
  }
}

// github.com/1inch/limit-order-protocol, version 4: OrderLib.sol, and MakerTraitsLib.sol for the bits of the expiration.
function readOneInch(typedData: TypedData): Order | undefined {
  const members =
    'uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,' +
    'uint256 makingAmount,uint256 takingAmount,uint256 makerTraits'
  if (!fits(typedData, { Order: members })) return undefined
  const order = typedData.message as Record<'maker' | 'receiver' | 'makerAsset' | 'takerAsset', Address> &
    Record<'makingAmount' | 'takingAmount' | 'makerTraits', bigint>
  return {
    kind: 'order',
    venue: '1inch',
    owner: order.maker,
    receiver: order.receiver === nobody ? order.maker : order.receiver,
    sell: { token: order.makerAsset, amount: order.makingAmount },
    buy: { token: order.takerAsset, amount: order.takingAmount },
    side: 'sell',
    fee: 0n,
    deadline: BigInt.asUintN(40, order.makerTraits >> 80n),
  }
}

// github.com/cowprotocol/contracts: src/contracts/libraries/GPv2Order.sol.
function readCow(typedData: TypedData, account: Address): Order | undefined {
  const members =
    'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,' +
    'bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance'
  if (!fits(typedData, { Order: members })) return undefined
  const order = typedData.message as Record<'sellToken' | 'buyToken' | 'receiver', Address> &
    Record<'sellAmount' | 'buyAmount' | 'validTo' | 'feeAmount', bigint> & { kind: string }
  if (order.kind !== 'sell' && order.kind !== 'buy') return undefined
  return {
    kind: 'order',
    venue: 'CoW',
    receiver: order.receiver === nobody ? account : order.receiver,
    sell: { token: order.sellToken, amount: order.sellAmount },
    buy: { token: order.buyToken, amount: order.buyAmount },
    side: order.kind,
    fee: order.feeAmount,
    deadline: order.validTo,
  }
}

function readOther(typedData: TypedData): Other {
  const { domain, primaryType } = typedData
  const name = domain.name === undefined ? {} : { name: domain.name }
  return { kind: 'other', ...name, primaryType, fields: signedFields(typedData) }
}

/** True when the first of `shape` is the primary type, and each struct has exactly the members that `shape` tells. */
function fits(
  { types, primaryType }: Pick<TypedData, 'types' | 'primaryType'>,
  shape: Record<string, string>,
) {
  const isMember = ([name, members]: [string, string]) =>
    Object.hasOwn(types, name) &&
    types[name]?.map((each) => `${each.type} ${each.name}`).join(',') === members
  return Object.keys(shape)[0] === primaryType && Object.entries(shape).every(isMember)
}

function warningsOf(
  reading: Reading,
  contract: Address | undefined,
  account: Address,
  now: bigint,
): SignWarning[] {
  const isLong = (until: bigint) => until > now + dayInSeconds
  const isKnown = (name: string) => contract !== undefined && wellKnown[name]?.includes(contract)
  const warnings: [SignWarning, boolean | undefined][] = []
  if (reading.kind === 'permit') {
    const { amount, deadline, owner } = reading
    // An amount of 0 takes a permission back.
    warnings.push(['unlimited', isUnlimited(amount)], ['long-lived', amount > 0n && isLong(deadline)])
    warnings.push(['foreign-owner', owner !== account])
  } else if (reading.kind === 'dai-permit') {
    const { allowed, expiry, holder } = reading
    warnings.push(['unlimited', allowed], ['long-lived', allowed && (expiry === 0n || isLong(expiry))])
    warnings.push(['foreign-owner', holder !== account])
  } else if (reading.kind === 'permit2') {
    const { entries, sigDeadline } = reading
    const given = entries.filter(({ amount }) => amount > 0n)
    const isLongLived = isLong(sigDeadline) || given.some(({ expiration = 0n }) => isLong(expiration))
    warnings.push(['unlimited', given.some(({ amount }) => isUnlimited(amount))])
    warnings.push(['long-lived', given.length > 0 && isLongLived], ['unknown-contract', !isKnown('permit2')])
  } else if (reading.kind === 'order') {
    const { venue, owner = account, receiver, sell, deadline } = reading
    warnings.push(
      ['unlimited', isUnlimited(sell.amount)],
      ['long-lived', deadline === 0n || isLong(deadline)],
    )
    warnings.push(['foreign-receiver', receiver !== account], ['foreign-owner', owner !== account])
    warnings.push(['unknown-contract', !isKnown(venue)])
  } else {
    const { primaryType, fields } = reading
    warnings.push(['may-give', [primaryType, ...namesIn(fields)].some((name) => givingNames.test(name))])
  }
  return warnings.filter(([, applies]) => applies).map(([warning]) => warning)
}

/** Of the fields, and of their types. */
function namesIn(fields: SignedField[]): string[] {
  return fields.flatMap(({ name, type, value }) => [
    name,
    type,
    ...(typeof value === 'string' ? [] : namesIn(value)),
  ])
}
