import { sha256, stringToBytes } from 'viem'
import { type Activity, transactionHashes } from '../../domain/activity/activity.ts'
import type { IncomingTransfer } from '../../domain/activity/incoming.ts'
import { type Address, isNative, nativeTokenAddress } from '../../domain/token/token.ts'
import { type TokenPrices, toPastPrices } from '../../domain/value/price.ts'
import type { Chain } from '../../evm/client.ts'
import type { TokenArrival, TokenArrivals } from '../../evm/incoming.ts'
import { createKeyedMutex } from '../../lib/async/mutex.ts'
import type { Balances } from '../../protocol.ts'
import type { Networks } from '../networks/networks.ts'
import type { LocalStorage } from '../storage.ts'
import { emptyMemory, isBehind, isKnown, isUnexplained, type Memory, maxTries } from './incomingMemory.ts'
import { createIncomingStore, type SeenBalances } from './incomingStore.ts'
import { type Found, isRestarted, later, observeNative, overlapBlocks } from './nativeBalance.ts'

/** Learns of incoming transfers from the balances that an open view reads (docs/architecture.md). */
export type IncomingTransfers = {
  /** Newest first. */
  list(): Promise<IncomingTransfer[]>
  /** Compares the balances with the stored ones, and stores what arrived. */
  observe(observation: Observation): Promise<void>
  /** Clears the cache. */
  forget(): void
}

export type Observation = {
  chainId: number
  account: Address
  balances: Balances
  /** Newest block known before the balances were read. */
  block: bigint
  /** Completes a read of all listed tokens. */
  isComplete: boolean
  /** Listed tokens and those that the user added. Others make no entry. */
  tracked(): Promise<ReadonlySet<Address>>
}

type Deps = {
  local: LocalStorage
  networks: Pick<Networks, 'chain'>
  /** Swaps and call batches of all accounts. */
  sent(): Promise<Activity[]>
  onReceived(transfer: IncomingTransfer): void
  /** Empty when values are off. */
  pricesOf?(chainId: number, tokens: Address[]): Promise<TokenPrices>
  now?(): number
}

/**
 * Share of the balance as a divisor. A smaller raise without a log is no transfer, as interest of rebasing
 * tokens; smaller transfers are dust.
 */
const minShare = 1_000n

/** A price of now says nothing about older transfers. */
const pricedForMs = 10 * 60_000

export function createIncomingTransfers(deps: Deps): IncomingTransfers {
  const { local, networks, sent, onReceived, pricesOf = async () => ({}), now = Date.now } = deps
  const store = createIncomingStore(local)
  const runExclusive = createKeyedMutex()
  const memories = new Map<string, Memory>()

  async function keep(
    { chainId, account, balances }: Observation,
    seen: SeenBalances,
    found: Found[],
  ): Promise<void> {
    const tokens = [...new Set(found.map(({ token }) => token))]
    const prices: TokenPrices = tokens.length === 0 ? {} : await pricesOf(chainId, tokens).catch(() => ({}))
    const transfers = found.map(({ token, key, arrival: { at, ...arrival } }): IncomingTransfer => {
      const id = toId(chainId, account, token, key)
      const createdAt = at === undefined ? now() : at * 1_000
      const price = now() - createdAt < pricedForMs ? prices[token] : undefined
      return { id, account, chainId, token, createdAt, ...arrival, ...toPastPrices({ price }) }
    })
    const isDust = ({ token, amount }: IncomingTransfer) => {
      const balance = isNative(token) ? seen.native?.balance : balances[token]
      return amount * minShare < (balance ?? 0n)
    }
    for (const added of await store.put(chainId, account, seen, transfers, isDust)) onReceived(added)
  }

  async function observe(observation: Observation, memory: Memory): Promise<void> {
    const { chainId, account, balances, block, isComplete, tracked } = observation
    const chain = await networks.chain(chainId)
    const before = (await store.get(chainId, account)) ?? { block, tokens: {} }
    const native = balances[nativeTokenAddress]
    const coins =
      native === undefined ? { found: [] } : await observeNative(chain, account, before, native, block)
    const seen = { ...before, ...('native' in coins && { native: coins.native }) }
    await keep(observation, seen, coins.found)

    const raised = changeBalances(seen, balances, memory)
    if (raised.length === 0) {
      if (isComplete) seen.block = later(seen.block, block - overlapBlocks)
      return keep(observation, seen, [])
    }
    const wanted = await tracked()
    const tokens = raised.filter((token) => wanted.has(token))
    const head = tokens.length > 0 ? await chain.blockNumber() : block
    const range = { from: seen.block + 1n, to: head }
    const logged = tokens.length > 0 ? await readLogged(chain, account, tokens, range, memory) : nothing(head)
    // A transfer from another account of the wallet arrives like any other.
    const ownEntries = (await sent()).filter(({ intent }) => intent.account === account)
    const own = new Set(ownEntries.flatMap(transactionHashes))
    const found =
      logged?.arrivals.filter(({ hash, isOwn }) => !isOwn && !own.has(hash)).map(toFound) ??
      (await toUnlogged({
        chain,
        account,
        tokens,
        nonce: before.native?.nonce,
        seen,
        balances,
        memory,
        head,
      }))
    const isPartial = logged !== undefined && isBehind(logged, head, memory)
    const open = isPartial
      ? tokens
      : logged && tokens.filter((token) => isUnexplained(token, logged.arrivals, seen, memory))
    for (const token of raised) {
      if (open?.includes(token)) continue
      seen.tokens = withBalance(seen.tokens, token, balances[token] ?? 0n)
      memory.empty.delete(token)
    }
    // Blocks with a transfer still to be found are read again. The next read goes on after a partial one.
    if (isPartial) seen.block = logged.to
    else if ((!open?.length && head > seen.block) || isRestarted(seen.block, head)) seen.block = head
    await keep(observation, seen, found)
  }

  return {
    list: store.list,
    observe(observation) {
      const key = `${observation.chainId}.${observation.account}`
      const memory = memories.get(key) ?? emptyMemory()
      memories.set(key, memory)
      return runExclusive(key, () => observe(observation, memory))
    },
    forget() {
      store.forget()
      memories.clear()
    },
  }
}

/** Returns the tokens with a higher balance. Lower ones are taken over at once. */
function changeBalances(seen: SeenBalances, balances: Balances, { empty }: Memory): Address[] {
  const raised: Address[] = []
  for (const [token, balance] of Object.entries(balances) as [Address, bigint][]) {
    if (isNative(token)) continue
    const before = seen.tokens[token] ?? 0n
    if (balance > before) raised.push(token)
    else if (balance < before) seen.tokens = withBalance(seen.tokens, token, balance)
    if (balance === 0n) empty.add(token)
  }
  return raised
}

/** Undefined if the RPC serves no logs, or failed several times. */
async function readLogged(
  chain: Chain,
  account: Address,
  tokens: Address[],
  range: { from: bigint; to: bigint },
  memory: Memory,
): Promise<TokenArrivals | undefined> {
  if (range.from > range.to) return nothing(range.to)
  try {
    const arrivals = await chain.tokenArrivals(account, tokens, range)
    memory.failures = 0
    return arrivals
  } catch (error) {
    memory.failures += 1
    if (memory.failures < maxTries) throw error
    return undefined
  }
}

function nothing(to: bigint): TokenArrivals {
  return { arrivals: [], to }
}

function toFound({ token, ordinal, isOwn: _, ...arrival }: TokenArrival): Found {
  return { token, arrival, key: `${arrival.hash} ${ordinal}` }
}

type Unlogged = {
  chain: Chain
  account: Address
  tokens: Address[]
  nonce: number | undefined
  seen: SeenBalances
  balances: Balances
  memory: Memory
  head: bigint
}

/** Balance differences while the account sent nothing. */
async function toUnlogged({ chain, account, tokens, nonce, seen, balances, memory, head }: Unlogged) {
  if ((await chain.nonceAtBlock(account, head)) !== nonce) return []
  return tokens.flatMap((token): Found[] => {
    const [before, after] = [seen.tokens[token] ?? 0n, balances[token] ?? 0n]
    const amount = after - before
    const isTold = isKnown(token, seen, memory) && amount * minShare >= before
    return isTold ? [{ token, arrival: { amount }, key: `${before} ${after} ${nonce}` }] : []
  })
}

function withBalance(tokens: Balances, token: Address, balance: bigint): Balances {
  const { [token]: _, ...others } = tokens
  return balance > 0n ? { ...others, [token]: balance } : others
}

/** 16 bytes of hex, as ids of own transactions. */
function toId(chainId: number, account: Address, token: Address, key: string): string {
  return sha256(stringToBytes([chainId, account, token, key].join(' '))).slice(2, 34)
}
