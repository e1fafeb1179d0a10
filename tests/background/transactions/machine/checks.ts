import { decodeEventLog, type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import {
  competingTransactions,
  isMined,
  isRecordOpen,
  isSigned,
  isStepFinal,
} from '../../../../src/background/transactions/journal.ts'
import type { IntentRecord, StepRecord } from '../../../../src/background/transactions/schemas.ts'
import { hasOutcome, isSwapIntent } from '../../../../src/domain/activity/intent.ts'
import { readTransaction } from '../../../../src/evm/transaction.ts'
import {
  ask,
  confirm,
  confirmations,
  count,
  type History,
  isLockedNow,
  listen,
  mine,
  receipts,
  records,
  restart,
  type Signed,
  signedOf,
  unlock,
  type Wanted,
  want,
} from './history.ts'

// Invariants of the journal (docs/security/journal.md).

const inBlock = new Set(['mined', 'final', 'reverted', 'cancelled'])

export async function check(history: History): Promise<void> {
  listen(history)
  const all = await records(history)
  const signed = signedOf(all)
  await checkPaid(history)
  checkNumbers(history, signed)
  for (const one of signed) checkStep(history, one)
  for (const name of history.seen.keys())
    expect([name, signed.some((one) => one.name === name)]).toEqual([name, true])
  const hashes = signed.flatMap((one) => one.hashes).length
  if (history.lockedWith === undefined) {
    if (await isLockedNow(history)) history.lockedWith = hashes
  } else expect(['signatures while locked', hashes]).toEqual(['signatures while locked', history.lockedWith])
  expect([history.unstored, history.surprises]).toEqual([[], []])
}

async function checkPaid(history: History): Promise<void> {
  const payees = history.wanted.flatMap(({ payees, word }) => payees.map((one) => ({ ...one, word })))
  const held = await ask(
    history,
    payees.map(({ to }) => ({ method: 'eth_getBalance', params: [to, 'latest'] })),
  )
  for (const [index, { to, amount, word }] of payees.entries()) {
    const paid = BigInt(held[index] as Hex)
    const most = word === 'yes' ? amount : 0n
    if (paid !== 0n) expect([to, paid]).toEqual([to, most])
  }
  const swaps = await swapped(history)
  for (const { intent, word } of history.wanted) {
    if (!isSwapIntent(intent)) continue
    const times = swaps.get(intent.trade.amount) ?? 0
    expect([intent.id, times <= (word === 'yes' ? 1 : 0)]).toEqual([intent.id, true])
  }
}

const event = parseAbi(['event Swapped(address indexed sender, uint256 spentAmount, uint256 returnAmount)'])

async function swapped(history: History): Promise<Map<bigint, number>> {
  const counts = new Map<bigint, number>()
  if (!history.wanted.some(({ intent }) => isSwapIntent(intent))) return counts
  const { client, contracts } = history.stage.localnet
  const logs = await client.getLogs({ address: contracts.router, fromBlock: history.first })
  for (const { topics, data } of logs) {
    const { sender, spentAmount } = decodeEventLog({ abi: event, topics, data }).args
    if (sender.toLowerCase() === history.browser.account)
      counts.set(spentAmount, (counts.get(spentAmount) ?? 0) + 1)
  }
  return counts
}

/** A nonce is shared only after one step was given up. */
function checkNumbers({ seen }: History, signed: Signed[]): void {
  for (const { name, step } of signed) {
    if (step.state !== 'dropped' && step.state !== 'replaced') continue
    const known = seen.get(name)
    if (known) known.wasGivenUp = true
  }
  const holders = new Map<number, string>()
  for (const { name, step } of signed) {
    if (seen.get(name)?.wasGivenUp) continue
    const other = holders.get(step.nonce)
    if (other !== undefined) expect.fail(`${name} and ${other} both have the number ${step.nonce}.`)
    holders.set(step.nonce, name)
  }
}

/** One nonce, no forgotten transaction, rising fees, a stable end. */
function checkStep({ seen }: History, { name, step, hashes }: Signed): void {
  const wasGivenUp = step.state === 'dropped' || step.state === 'replaced'
  const known = seen.get(name) ?? { nonce: step.nonce, hashes: new Set<Hex>(), wasGivenUp }
  seen.set(name, known)
  expect([name, step.nonce]).toEqual([name, known.nonce])
  for (const hash of known.hashes) expect(hashes).toContain(hash)
  known.hashes = new Set(hashes)
  const end = isStepFinal(step) ? `${step.state} ${step.hash}` : undefined
  if (known.end !== undefined) expect([name, end]).toEqual([name, known.end])
  if (end !== undefined) known.end = end
  const rivals = competingTransactions(step)
    .toReversed()
    .flatMap(({ raw }) => (raw === '0x' ? [] : [readTransaction(raw)]))
  for (const [index, rival] of rivals.entries()) {
    expect([name, rival.nonce]).toEqual([name, step.nonce])
    const before = rivals[index - 1]
    if (before === undefined) continue
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
      expect([name, fee, rival[fee] * 8n >= before[fee] * 9n]).toEqual([name, fee, true])
  }
}

/** Needs two polls of a healthy RPC. */
export async function checkAgreement(history: History): Promise<void> {
  const all = (await records(history)).filter(({ outcome }) => outcome.status !== 'needs-unlock')
  const signed = signedOf(all)
  const mined = await receipts(
    history,
    signed.flatMap(({ hashes }) => hashes),
  )
  for (const { name, step, hashes } of signed) {
    const [hash] = hashes.filter((one) => mined.has(one))
    const isInBlock = inBlock.has(step.state)
    expect([name, step.state, isInBlock]).toEqual([name, step.state, hash !== undefined])
    if (hash !== undefined) expect([name, step.hash]).toEqual([name, hash])
  }
  for (const record of all) {
    const isDone = record.steps.length > 0 && deciding(record).every(isMined)
    expect([inWords([record]), record.outcome.status === 'done']).toEqual([inWords([record]), isDone])
  }
}

/** A swap's last step decides. */
function deciding({ intent, steps }: IntentRecord): StepRecord[] {
  return isSwapIntent(intent) ? steps.slice(-1) : steps
}

/** Enough for three calls that get lost twice each. */
const rounds = 40

/** Recovers, confirms again, and expects each to end as reported. */
export async function finish(history: History): Promise<void> {
  history.mood.recover()
  await restart(history)
  await check(history)
  await unlock(history)
  for (const one of history.wanted) if (one.word === 'yes') await confirm(history, one)
  await over(history, rounds, ({ outcome }) => hasOutcome({ outcome }))
  // Beyond all deadlines.
  history.moved = history.farthest + 11 * 60_000
  await over(history, confirmations + 5, (record, used) => !isRecordOpen(record) || isLeft(record, used))
  await check(history)
  await checkAgreement(history)
  await judge(history)
}

/** Given up with a free nonce: may still confirm. */
function isLeft({ steps, outcome }: IntentRecord, used: number): boolean {
  const open = steps.filter(isSigned).filter((step) => !isStepFinal(step))
  return hasOutcome({ outcome }) && open.every(({ state, nonce }) => state === 'dropped' && nonce >= used)
}

async function over(
  history: History,
  rounds: number,
  is: (record: IntentRecord, used: number) => boolean,
): Promise<void> {
  const { stage, browser } = history
  for (let round = 0; ; round++) {
    const used = await stage.localnet.client.getTransactionCount({ address: browser.account })
    const open = (await records(history)).filter((record) => !is(record, used))
    if (open.length === 0) return
    if (round === rounds) return expect.fail(`Stuck: ${inWords(open)}`)
    await fillGap(history, open)
    await mine(history, 1)
    await history.life.look()
    await check(history)
  }
}

/** A free nonce blocks later ones until another transaction. */
async function fillGap(history: History, open: IntentRecord[]): Promise<void> {
  const { browser, stage } = history
  const next = await stage.localnet.client.getTransactionCount({
    address: browser.account,
    blockTag: 'pending',
  })
  const held = signedOf(await records(history)).filter(({ step }) => step.state !== 'dropped')
  if (held.some(({ step }) => step.nonce === next)) return
  if (!signedOf(open).some(({ step }) => step.nonce > next)) return
  count(history.counts, 'gaps')
  await want(history, 'payment', 1)
  await confirm(history, history.wanted.at(-1)!)
}

type Truth = 'own' | 'reverted' | 'cancelled' | 'replaced' | 'dropped'
const states: Record<Truth, string> = {
  own: 'final',
  reverted: 'reverted',
  cancelled: 'cancelled',
  replaced: 'replaced',
  dropped: 'dropped',
}

async function judge(history: History): Promise<void> {
  const used = await numbersUsed(history)
  const all = await records(history)
  const swaps = await swapped(history)
  const succeeded = await receipts(history, [...used.values()])
  for (const wanted of history.wanted) {
    const record = all.find(({ intent }) => intent.id === wanted.intent.id)
    // Confirmed again at the end.
    if (record === undefined) {
      expect([wanted.intent.id, wanted.word]).not.toEqual([wanted.intent.id, 'yes'])
      continue
    }
    const what = inWords([record])
    const truths = signedOf([record]).map(({ step }): Truth => {
      const hash = used.get(step.nonce)
      if (hash === undefined) return 'dropped'
      const rival = competingTransactions(step).find((one) => one.hash === hash)
      if (rival === undefined) return 'replaced'
      if (rival.cancels) return 'cancelled'
      return succeeded.get(hash)?.status === '0x1' ? 'own' : 'reverted'
    })
    if (truths.slice(0, -1).some((truth) => truth !== 'own'))
      count(history.counts, 'lost behind the last step')
    expect([what, record.steps.slice(0, truths.length).map(({ state }) => state)]).toEqual([
      what,
      truths.map((truth) => states[truth]),
    ])
    const areSigned = record.steps.length > 0 && truths.length === record.steps.length
    const decided = isSwapIntent(record.intent) && areSigned ? truths.slice(-1) : truths
    const isDone = areSigned && decided.every((truth) => truth === 'own')
    const { outcome } = record
    count(history.counts, outcome.status === 'failed' ? outcome.code : outcome.status)
    expect([what, outcome.status]).toEqual([what, isDone ? 'done' : 'failed'])
    const isSafe = !wanted.isCancelled && !history.hasSlept && history.strange.size === 0
    for (const index of wanted.sent)
      expect([what, index, truths[index]]).toEqual([what, index, isSafe ? 'own' : expect.any(String)])
    if (isSwapIntent(record.intent))
      expect([what, swaps.get(record.intent.trade.amount) ?? 0]).toEqual([what, isDone ? 1 : 0])
    if (outcome.status !== 'failed') continue
    const gaveUp = signedOf([record]).filter(({ name }) => history.seen.get(name)?.wasGivenUp).length
    checkReason(history, wanted, outcome.code, decided, what, gaveUp)
  }
}

/** `gaveUp`: number of steps ever given up. */
function checkReason(
  history: History,
  wanted: Wanted,
  code: string,
  truths: Truth[],
  what: string,
  gaveUp: number,
): void {
  const odd = truths.find((truth) => truth !== 'own')
  const { hasJumped, hasSlept, hadTrouble, strange } = history
  const possible = new Set<string>()
  if (odd !== undefined) possible.add(odd)
  else {
    if (wanted.isCancelled) possible.add('cancelled')
    if (hasSlept) for (const one of ['stale-review', 'locked']) possible.add(one)
    if (hadTrouble) possible.add('node-refused')
    if (hadTrouble && hasJumped) for (const one of ['node-unreachable', 'node-timeout']) possible.add(one)
  }
  // Found late, it is reported, but later steps stay unsent.
  if (gaveUp > 0) for (const one of ['replaced', 'dropped']) possible.add(one)
  expect([what, [...possible]]).toEqual([what, expect.arrayContaining([code])])
  if (odd === 'replaced') expect([what, strange.size > 0 || hasSlept]).toEqual([what, true])
  // Behind a lost step, unknown ones are given up.
  if (odd === 'dropped') expect([what, hasSlept || gaveUp > 1]).toEqual([what, true])
  if (odd === 'cancelled') expect([what, wanted.isCancelled]).toEqual([what, true])
}

async function numbersUsed(history: History): Promise<Map<number, Hex>> {
  const { stage, first, browser } = history
  const head = await stage.localnet.client.getBlockNumber()
  const blocks = (await ask(
    history,
    Array.from({ length: Number(head - first) }, (_, index) => ({
      method: 'eth_getBlockByNumber',
      params: [`0x${(first + 1n + BigInt(index)).toString(16)}`, true],
    })),
  )) as { transactions: { from: Hex; nonce: Hex; hash: Hex }[] }[]
  const own = blocks
    .flatMap(({ transactions }) => transactions)
    .filter(({ from }) => from === browser.account)
  return new Map(own.map(({ nonce, hash }) => [Number(nonce), hash]))
}

function inWords(all: IntentRecord[]): string {
  return all
    .map(({ intent, steps, outcome }) => {
      const signed = steps.map((step) => ('nonce' in step ? `${step.state} as ${step.nonce}` : step.state))
      return `${intent.id}: ${outcome.status === 'failed' ? `${outcome.code} (${outcome.message})` : outcome.status} [${signed.join(', ')}]`
    })
    .join('; ')
}
