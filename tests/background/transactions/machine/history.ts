import { type Hex, keccak256, parseEther } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import {
  competingTransactions,
  createJournal,
  isSigned,
} from '../../../../src/background/transactions/journal.ts'
import type { IntentRecord, SignedStep } from '../../../../src/background/transactions/schemas.ts'
import { transferIntent } from '../../../../src/background/transfers/transfer.ts'
import type { CallBatch } from '../../../../src/domain/activity/callBatch.ts'
import { type Intent, isSwapIntent } from '../../../../src/domain/activity/intent.ts'
import type { ReplaceRequest } from '../../../../src/domain/activity/replacement.ts'
import type { Swap } from '../../../../src/domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { toWalletError } from '../../../../src/errors.ts'
import { readTransaction } from '../../../../src/evm/transaction.ts'
import { memoryArea } from '../../../helpers/background/memoryArea.ts'
import {
  agree,
  type Browser,
  createBrowser,
  createWorker,
  dataKey,
  intend,
  type Stage,
  type Worker,
} from '../../../helpers/background/worker.ts'
import { createLife, type Heard, type Life } from './life.ts'
import { createMood, type Mood } from './mood.ts'

export type Kind = 'payment' | 'calls' | 'swap'

export type Wanted = {
  intent: Intent
  /** Nothing else pays them. */
  payees: { to: Address; amount: bigint }[]
  /** `refused`: confirmed, but rejected. */
  word: 'none' | 'no' | 'yes' | 'refused'
  answer?: Swap | CallBatch
  sent: Set<number>
  isCancelled: boolean
  lastAsk?: ReplaceRequest
}

export type History = {
  stage: Stage
  browser: Browser
  key: PrivateKeyAccount
  mood: Mood
  life: Life
  wanted: Wanted[]
  /** The funding block, and the highest seen. */
  first: bigint
  highest: bigint
  /** Clock offset in ms, and its maximum. */
  moved: number
  farthest: number
  /** Moved at all; beyond the deadlines. */
  hasJumped: boolean
  hasSlept: boolean
  hadTrouble: boolean
  sent: Map<Hex, Hex>
  /** Other signer, same key. */
  strange: Set<Hex>
  unstored: string[]
  surprises: string[]
  /** Signatures when the vault was found locked. */
  lockedWith: number | undefined
  /** By id and step index. */
  seen: Map<string, { nonce: number; hashes: Set<Hex>; wasGivenUp: boolean; end?: string }>
  counts: Counts
  now(): number
}

export type Counts = Map<string, number>

export function count(counts: Counts, what: string, more = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + more)
}

/** A reorganisation never reaches final blocks. */
export const confirmations = 4
export const deepest = confirmations - 1

let made = 0

export async function createHistory(stage: Stage, counts: Counts): Promise<History> {
  const { client } = stage.localnet
  await stage.startMining()
  const browser = await createBrowser(stage)
  await client.setBalance({ address: browser.account, value: parseEther('1000') })
  await stage.stopMining()
  const key = await createWorker(browser).vault.withKey(browser.account, async (key) =>
    privateKeyToAccount(key),
  )
  const first = await client.getBlockNumber()
  const begun = Date.now()
  const history: History = {
    stage,
    browser,
    key,
    mood: createMood(),
    life: undefined as never,
    wanted: [],
    first,
    highest: first,
    moved: 0,
    farthest: 0,
    hasJumped: false,
    hasSlept: false,
    hadTrouble: false,
    sent: new Map(),
    strange: new Set(),
    unstored: [],
    surprises: [],
    lockedWith: undefined,
    seen: new Map(),
    counts,
    now: () => begun + history.moved,
  }
  await restart(history)
  return history
}

export async function restart(history: History): Promise<void> {
  const { browser, mood, now } = history
  history.life?.kill(0)
  count(history.counts, 'lives')
  history.life = createLife({
    browser,
    mood,
    now,
    onSend(raw) {
      history.sent.set(keccak256(raw), raw)
      if (![...browser.local.values()].some((text) => text.includes(raw))) history.unstored.push(raw)
    },
  })
  await history.life.ask((worker) => worker.resume())
}

export async function want(history: History, kind: Kind, calls: number): Promise<void> {
  const { browser, stage } = history
  const { account } = browser
  made++
  count(history.counts, 'intents')
  const payee = (index: number) => {
    const tail = `${made.toString(16)}${index.toString(16).padStart(2, '0')}`
    return { to: `0xf1${tail.padStart(38, '0')}` as Address, amount: BigInt(1 + index) }
  }
  const add = (intent: Intent, payees: Wanted['payees'] = []) => {
    history.wanted.push({ intent, payees, word: 'none', sent: new Set(), isCancelled: false })
  }
  if (kind === 'swap') {
    const { DAI: sell, WETH: buy } = stage.localnet.tokens
    const trade = { chainId: 31337, sell, buy, amount: parseEther('1') + BigInt(made) }
    const intent = await intend(createWorker(browser), browser, trade)
    // Fees vary here.
    return add({ ...intent, feeCap: parseEther('10') })
  }
  if (kind === 'payment') {
    const { to, amount } = payee(0)
    const id = made.toString(16).padStart(32, 'f')
    const asked = {
      id,
      chainId: 31337,
      account,
      token: nativeTokenAddress,
      to,
      amount,
      feeCap: parseEther('10'),
    }
    return add(transferIntent(asked), [{ to, amount }])
  }
  const payees = Array.from({ length: calls }, (_, index) => payee(index))
  add(
    agree(
      account,
      payees.map(({ to, amount }) => ({ to, data: '0x', value: amount })),
    ),
    payees,
  )
}

export async function confirm(history: History, wanted: Wanted): Promise<void> {
  const { intent } = wanted
  const isLocked = await isLockedNow(history)
  const heard: Heard<Swap | CallBatch> = await history.life.ask(async (worker) =>
    isSwapIntent(intent) ? worker.swap(intent) : worker.send(intent),
  )
  if (heard === 'dead') {
    wanted.word = 'yes'
    return
  }
  if ('error' in heard) {
    const { code, message } = toWalletError(heard.error)
    if (code !== 'locked' || !isLocked) history.surprises.push(`confirm: ${code}: ${message}`)
    if (wanted.word === 'none') wanted.word = 'refused'
    return
  }
  wanted.word = 'yes'
  const { answer } = heard
  const before = wanted.answer ?? answer
  wanted.answer = before
  if (answer.intent.id !== intent.id || answer.createdAt !== before.createdAt)
    history.surprises.push(`${intent.id} was answered in two ways`)
  for (const [index, { nonce }] of before.steps.entries()) {
    if (nonce !== undefined && answer.steps[index]?.nonce !== nonce)
      history.surprises.push(`${intent.id} has another number`)
  }
}

export async function unlock(history: History): Promise<void> {
  history.lockedWith = undefined
  await history.life.ask(async (worker) => {
    await worker.vault.unlock(dataKey)
    await worker.resume()
  })
}

export async function isLockedNow({ browser, now }: History): Promise<boolean> {
  return (await createWorker(browser, { now }).vault.status()) !== 'unlocked'
}

export function records({ browser }: History): Promise<IntentRecord[]> {
  return createJournal(memoryArea(browser.local)).list()
}

export type Signed = { name: string; record: IntentRecord; step: SignedStep; index: number; hashes: Hex[] }

export function signedOf(all: IntentRecord[]): Signed[] {
  return all.flatMap((record) =>
    record.steps.flatMap((step, index) =>
      isSigned(step)
        ? [
            {
              name: `${record.intent.id}.${index}`,
              record,
              step,
              index,
              hashes: competingTransactions(step).map(({ hash }) => hash),
            },
          ]
        : [],
    ),
  )
}

export function listen({ life: { worker }, wanted }: History): void {
  for (const { intent, steps } of told(worker)) {
    const one = wanted.find(({ intent: { id } }) => id === intent.id)
    for (const [index, { state }] of steps.entries())
      if (state === 'sent' || state === 'mined' || state === 'final') one?.sent.add(index)
  }
}

function told({ heard, heardSendings }: Worker): (Swap | CallBatch)[] {
  return [...heard.splice(0), ...heardSendings.splice(0)]
}

/** Batched for speed. */
export async function ask(
  history: History,
  questions: { method: string; params: unknown[] }[],
): Promise<unknown[]> {
  if (questions.length === 0) return []
  const body = JSON.stringify(questions.map((question, id) => ({ jsonrpc: '2.0', id, ...question })))
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(history.stage.localnet.rpcUrl, { method: 'POST', headers, body })
  const answers = (await reply.json()) as { id: number; result?: unknown }[]
  return answers.sort((one, other) => one.id - other.id).map(({ result }) => result)
}

export async function receipts(history: History, hashes: Hex[]): Promise<Map<Hex, { status: Hex }>> {
  const found = await ask(
    history,
    hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  return new Map(
    hashes.flatMap((hash, index) => (found[index] ? [[hash, found[index] as { status: Hex }]] : [])),
  )
}

export async function mine(history: History, blocks: number): Promise<void> {
  const { client } = history.stage.localnet
  for (let made = 0; made < blocks; made++) await client.mine({ blocks: 1 })
  const head = await client.getBlockNumber()
  if (head > history.highest) history.highest = head
}

/** By nonce; the node may refuse some. */
export async function giveBack(history: History, hashes: Hex[]): Promise<void> {
  const raws = hashes.flatMap((hash) => history.sent.get(hash) ?? [])
  raws.sort((one, other) => readTransaction(one).nonce - readTransaction(other).nonce)
  for (const raw of raws) await ask(history, [{ method: 'eth_sendRawTransaction', params: [raw] }])
}

/** Never removes final blocks. Pending ones stay; mined ones are dropped or pending again. */
export async function reorganise(
  history: History,
  wanted: number,
  isReturned: boolean,
  isFilled: boolean,
): Promise<void> {
  const { client } = history.stage.localnet
  const head = await client.getBlockNumber()
  const bottom = [history.first, history.highest - BigInt(deepest)].reduce((a, b) => (a > b ? a : b))
  const depth = Math.min(wanted, Number(head - bottom))
  if (depth <= 0) return
  count(history.counts, 'reorgs')
  const hashes = [...history.sent.keys()]
  const known = (await ask(
    history,
    hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })),
  )) as ({ blockNumber: Hex | null } | null)[]
  const waited = hashes.filter((_, index) => known[index] && known[index].blockNumber === null)
  const mined = hashes.filter((_, index) => known[index]?.blockNumber)
  await ask(history, [
    { method: 'anvil_dropAllTransactions', params: [] },
    isFilled ? { method: 'anvil_reorg', params: [depth, []] } : { method: 'anvil_rollback', params: [depth] },
  ])
  const left = await receipts(history, mined)
  await giveBack(history, [...waited, ...(isReturned ? mined.filter((hash) => !left.has(hash)) : [])])
}

/** Another signer, with the highest fee. */
export async function useNumber(history: History): Promise<void> {
  const { key, stage, browser } = history
  const nonce = await stage.localnet.client.getTransactionCount({ address: browser.account })
  const raw = await key.signTransaction({
    chainId: 31337,
    type: 'eip1559',
    nonce,
    to: `0x${'ee'.repeat(20)}`,
    value: BigInt(history.strange.size),
    gas: 21_000n,
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 12n,
  })
  const hash = keccak256(raw)
  count(history.counts, 'strangers')
  history.strange.add(hash)
  history.sent.set(hash, raw)
  await ask(history, [{ method: 'eth_sendRawTransaction', params: [raw] }])
}
