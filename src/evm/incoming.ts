import * as v from 'valibot'
import type { Address, Hex } from '../domain/token/token.ts'
import { toWalletError, type WalletError } from '../errors.ts'
import { transferTopic } from './erc20.ts'
import { toQuantity } from './rpc/call.ts'
import type { Rpc } from './rpc/rpc.ts'
import * as answers from './rpc/schemas.ts'

/** Tokens that arrived at an account, as logs or blocks show. `at` is the block's time, Unix seconds. */
export type Arrival = { amount: bigint; from?: Address; hash?: Hex; block?: bigint; at?: number }

/**
 * `ordinal`: place among the transfers of this token to the account in one transaction. `isOwn`: the account
 * sent the transaction, as a swap.
 */
export type TokenArrival = Required<Arrival> & { token: Address; ordinal: number; isOwn: boolean }

export type BlockRange = { from: bigint; to: bigint }

/** Of one request. */
const maxLogBlocks = 20_000n
/** Smallest range that RPCs offer (Alchemy's free plan). */
const minLogBlocks = 10n
const maxLogRequests = 24
const maxArrivals = 20
const maxBlockArrivals = 100

const logsSchema = v.array(
  v.object({
    ...answers.log.entries,
    blockNumber: answers.quantity,
    transactionHash: answers.hash,
    logIndex: answers.quantity,
  }),
)

const transactionSchema = v.nullable(v.object({ hash: answers.hash, from: answers.address }))

const blockSchema = v.object({
  timestamp: answers.count,
  transactions: v.array(
    v.object({
      hash: answers.hash,
      from: answers.address,
      to: v.nullish(answers.address),
      value: answers.quantity,
    }),
  ),
})

/** `to`: last block that was read. */
export type TokenArrivals = { arrivals: TokenArrival[]; to: bigint }

/**
 * Reads Transfer events of `tokens` to `owner`, oldest blocks first, until about 20 are found, at most 24
 * requests. Leaves out zero amounts and transfers to itself. Undefined if the RPC serves no logs.
 */
export async function readTokenArrivals(
  rpc: Rpc,
  owner: Address,
  tokens: Address[],
  range: BlockRange,
): Promise<TokenArrivals | undefined> {
  const read = await readLogs(rpc, owner, tokens, range)
  if (read === undefined) return undefined
  const arrivals: TokenArrival[] = []
  const counts = new Map<string, number>()
  for (const { address, topics, data, blockNumber, transactionHash } of read.logs) {
    const key = transactionHash + address
    const ordinal = counts.get(key) ?? 0
    counts.set(key, ordinal + 1)
    const from: Address = `0x${(topics[1] ?? '').slice(-40)}`
    const amount = BigInt(data)
    if (amount === 0n || from === owner) continue
    const seen = { amount, from, hash: transactionHash, block: blockNumber, at: 0 }
    arrivals.push({ token: address, ...seen, ordinal, isOwn: false })
  }
  // Whole blocks, as the next read starts at one.
  const to = (arrivals.length > maxArrivals ? arrivals[maxArrivals - 1]?.block : undefined) ?? read.to
  const oldest = arrivals.filter(({ block }) => block <= to).slice(0, maxBlockArrivals)
  const own = await readOwn(rpc, owner, new Set(oldest.map(({ hash }) => hash)))
  const times = await readTimes(rpc, new Set(oldest.map(({ block }) => block)))
  const isOwn = ({ hash }: TokenArrival) => own.has(hash)
  return { arrivals: oldest.map((one) => ({ ...one, at: times.get(one.block) ?? 0, isOwn: isOwn(one) })), to }
}

type Log = v.InferOutput<typeof logsSchema>[number]

/** In order of the chain. */
async function readLogs(
  rpc: Rpc,
  owner: Address,
  tokens: Address[],
  { from, to }: BlockRange,
): Promise<{ logs: Log[]; to: bigint } | undefined> {
  const recipient: Hex = `0x${owner.slice(2).padStart(64, '0')}`
  const isWanted = ({ address, topics, data, blockNumber }: Log) =>
    tokens.includes(address) &&
    topics.length === 3 &&
    topics[0] === transferTopic &&
    topics[2] === recipient &&
    data.length === 66 &&
    blockNumber >= from &&
    blockNumber <= to
  const found: Log[] = []
  let size = to - from < maxLogBlocks ? to - from + 1n : maxLogBlocks
  let start = from
  let amounts = 0
  for (let requests = 0; requests < maxLogRequests && start <= to && amounts < maxArrivals; requests++) {
    const end = start + size - 1n < to ? start + size - 1n : to
    const blocks = { fromBlock: toQuantity(start), toBlock: toQuantity(end) }
    const filter = { ...blocks, address: tokens, topics: [transferTopic, null, recipient] }
    const logs = await rpc.ask('eth_getLogs', [filter], logsSchema).catch(toWalletError)
    if (Array.isArray(logs)) {
      const wanted = logs.filter(isWanted)
      found.push(...wanted)
      amounts += wanted.filter(({ data }) => BigInt(data) > 0n).length
      start = end + 1n
    } else if (!isRefusal(logs)) throw logs
    else if (size > minLogBlocks) size = size / 8n > minLogBlocks ? size / 8n : minLogBlocks
    else if (start === from) return undefined
    else break
  }
  found.sort((one, other) => Number(one.blockNumber - other.blockNumber || one.logIndex - other.logIndex))
  return { logs: found, to: start - 1n }
}

/** Some RPCs word a range that is too long like a rate limit. */
function isRefusal({ code, facts }: WalletError): boolean {
  return code === 'node-refused' || /\b(blocks?|range|logs|results)\b/i.test(facts.rpcMessage ?? '')
}

async function readOwn(rpc: Rpc, owner: Address, hashes: Set<Hex>): Promise<Set<Hex>> {
  const found = await Promise.all(
    [...hashes].map((hash) => rpc.ask('eth_getTransactionByHash', [hash], transactionSchema)),
  )
  return new Set(found.flatMap((one) => (one?.from === owner ? one.hash : [])))
}

async function readTimes(rpc: Rpc, blocks: Set<bigint>): Promise<Map<bigint, number>> {
  const read = async (block: bigint): Promise<[bigint, number]> => {
    const header = await rpc.ask('eth_getBlockByNumber', [toQuantity(block), false], answers.block)
    return [block, header.timestamp]
  }
  return new Map(await Promise.all([...blocks].map(read)))
}

/** Native balance and nonce after a block. */
export type NativeState = { balance: bigint; nonce: number; block: bigint }

export async function readNativeState(rpc: Rpc, owner: Address): Promise<NativeState> {
  const block = await rpc.ask('eth_blockNumber', [], answers.quantity)
  const [balance, nonce] = await Promise.all([
    readBalance(rpc, owner, block),
    rpc.ask('eth_getTransactionCount', [owner, toQuantity(block)], answers.count),
  ])
  return { balance, nonce, block }
}

const maxSearchedBlocks = 4_096n
const maxRaises = 3
const maxScannedBlocks = 12n

/**
 * Reads the payments that raised the native balance between two states. While the account sent nothing, the
 * balance only grows, so that a binary search finds the blocks (log2 of the range requests each); what an RPC
 * without their state does not show is one amount without a block. Otherwise only payments seen as
 * transactions count, over at most 12 blocks.
 */
export async function readNativeArrivals(
  rpc: Rpc,
  owner: Address,
  before: NativeState,
  after: NativeState,
): Promise<Arrival[]> {
  if (before.nonce !== after.nonce) return readPayments(rpc, owner, before.block, after.block)
  const arrivals: Arrival[] = []
  let known = before
  try {
    while (known.balance < after.balance && arrivals.length < maxRaises) {
      const raised = await findRaise(rpc, owner, known, after)
      if (raised === undefined) break
      arrivals.push(...(await explainRaise(rpc, owner, raised.block, raised.balance - known.balance)))
      known = raised
    }
  } catch {
    // The RPC keeps no state of these blocks.
  }
  const rest = after.balance - known.balance
  return rest > 0n ? [...arrivals, { amount: rest }] : arrivals
}

/** Returns the state after the first block with a higher balance; undefined if it cannot be told. */
async function findRaise(
  rpc: Rpc,
  owner: Address,
  before: NativeState,
  after: NativeState,
): Promise<NativeState | undefined> {
  if (after.block - before.block > maxSearchedBlocks) return undefined
  let [low, high] = [before.block, after.block]
  let balance = after.balance
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const found = await readBalance(rpc, owner, middle)
    if (found > before.balance) [high, balance] = [middle, found]
    else low = middle
  }
  // A lagging RPC may have shown the old balance after the raise.
  if ((await readBalance(rpc, owner, high - 1n)) !== before.balance) return undefined
  return { balance, nonce: before.nonce, block: high }
}

/** The rest of a raise came from contracts. */
async function explainRaise(rpc: Rpc, owner: Address, block: bigint, raised: bigint): Promise<Arrival[]> {
  const { payments, at } = await readBlockPayments(rpc, owner, block)
  const rest = raised - payments.reduce((sum, { amount }) => sum + amount, 0n)
  return rest > 0n ? [...payments, { amount: rest, block, at }] : payments
}

async function readPayments(rpc: Rpc, owner: Address, after: bigint, to: bigint): Promise<Arrival[]> {
  if (to - after > maxScannedBlocks) return []
  const found: Arrival[] = []
  for (let block = after + 1n; block <= to; block++) {
    found.push(...(await readBlockPayments(rpc, owner, block)).payments)
  }
  return found
}

/** Successful transactions of a block that paid the account. */
async function readBlockPayments(rpc: Rpc, owner: Address, block: bigint) {
  const { transactions, timestamp: at } = await rpc.ask(
    'eth_getBlockByNumber',
    [toQuantity(block), true],
    blockSchema,
  )
  const direct = transactions.filter(({ from, to, value }) => to === owner && from !== owner && value > 0n)
  const payments: Arrival[] = []
  for (const { hash, from, value } of direct.slice(0, maxArrivals)) {
    const receipt = await rpc.ask('eth_getTransactionReceipt', [hash], answers.receipt)
    if (receipt?.transactionHash === hash && receipt.status === '0x1')
      payments.push({ amount: value, from, hash, block, at })
  }
  return { payments, at }
}

function readBalance(rpc: Rpc, owner: Address, block: bigint): Promise<bigint> {
  return rpc.ask('eth_getBalance', [owner, toQuantity(block)], answers.quantity)
}
