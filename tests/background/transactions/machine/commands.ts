import fc from 'fast-check'
import type { Hex } from 'viem'
import {
  acceptReplacement,
  type ReplacementKind,
  replacementAt,
} from '../../../../src/domain/activity/replacement.ts'
import { toWalletError } from '../../../../src/errors.ts'
import { check, checkAgreement } from './checks.ts'
import {
  ask,
  confirm,
  count,
  giveBack,
  type History,
  isLockedNow,
  type Kind,
  mine,
  records,
  reorganise,
  restart,
  signedOf,
  unlock,
  useNumber,
  type Wanted,
  want,
} from './history.ts'
import { type Trouble, troubles } from './mood.ts'

export type Model = { isAlive: boolean; wanted: number }
type Command = fc.AsyncCommand<Model, History>

/** Runs all checks afterwards. `name` appears in failures. */
function command(
  name: string,
  can: (model: Model) => boolean,
  run: (history: History) => Promise<unknown>,
): Command {
  return {
    check: can,
    async run(model, history) {
      count(history.counts, 'commands')
      const wasAlive = !history.life.isDead()
      await run(history)
      await check(history)
      if (wasAlive && history.life.isDead()) count(history.counts, 'kills')
      Object.assign(model, { isAlive: !history.life.isDead(), wanted: history.wanted.length })
    },
    toString: () => name,
  }
}

const always = () => true
const isAlive = (model: Model) => model.isAlive
const isWanted = (model: Model) => model.wanted > 0
const isAsked = (model: Model) => model.isAlive && model.wanted > 0

const minute = 60_000

/** Prefers the newest. */
function nth<T>(all: T[], which: number): T {
  return all[all.length - 1 - (which % all.length)]!
}

export function commands(): fc.Arbitrary<Command>[] {
  const which = fc.nat({ max: 5 })
  const kind = fc.constantFrom<Kind>('payment', 'payment', 'calls', 'calls', 'swap')
  const request = fc
    .record({
      kind,
      calls: fc.integer({ min: 2, max: 3 }),
      isConfirmed: fc.oneof(fc.constant(true), fc.constant(true), fc.boolean()),
    })
    .map(({ kind, calls, isConfirmed }) =>
      command(
        `request(${kind === 'calls' ? `${calls} calls` : kind}${isConfirmed ? ', confirmed' : ''})`,
        isConfirmed ? isAlive : always,
        async (history) => {
          await want(history, kind, calls)
          if (isConfirmed) await confirm(history, history.wanted.at(-1)!)
        },
      ),
    )
  const press = which.map((which) =>
    command(`confirm(${which})`, isAsked, async (history) => {
      const wanted = nth(history.wanted, which)
      if (wanted.word !== 'no') await confirm(history, wanted)
    }),
  )
  const reject = which.map((which) =>
    command(`reject(${which})`, isWanted, async ({ wanted }) => {
      const one = nth(wanted, which)
      if (one.word === 'none') one.word = 'no'
    }),
  )
  const kill = fc
    .nat({ max: 40 })
    .map((after) => command(`kill(${after})`, isAlive, async ({ life }) => life.kill(after)))
  const again = fc.constant(command('restart', (model) => !model.isAlive, restart))
  const block = fc
    .integer({ min: 1, max: 3 })
    .map((blocks) => command(`block(${blocks})`, always, (history) => mine(history, blocks)))
  const look = fc.integer({ min: 1, max: 4 }).map((times) =>
    command(`look(${times})`, isAlive, async (history) => {
      const { life, mood } = history
      const isCalm = mood.isWell() && !life.isDoomed()
      for (let done = 0; done < times; done++) await life.look()
      if (times > 1 && isCalm) await checkAgreement(history)
    }),
  )
  const reorg = fc
    .record({ depth: fc.integer({ min: 1, max: 3 }), isReturned: fc.boolean(), isFilled: fc.boolean() })
    .map(({ depth, isReturned, isFilled }) =>
      command(
        `reorg(${depth}${isReturned ? ', returned' : ''}${isFilled ? ', filled' : ''})`,
        always,
        (history) => reorganise(history, depth, isReturned, isFilled),
      ),
    )
  const drop = which.map((which) => command(`drop(${which})`, isWanted, (history) => dropOne(history, which)))
  const gossip = which.map((which) =>
    command(`gossip(${which})`, isWanted, async (history) => {
      const hashes = [...history.sent.keys()]
      if (hashes.length > 0) await giveBack(history, [nth(hashes, which)])
    }),
  )
  const replace = fc
    .record({
      which,
      wish: fc.constantFrom<ReplacementKind>('faster', 'faster', 'cancel'),
      isAgain: fc.boolean(),
    })
    .map(({ which, wish, isAgain }) =>
      command(`replace(${which}, ${isAgain ? 'again or ' : ''}${wish})`, isAsked, (history) =>
        replaceOne(history, nth(history.wanted, which), wish, isAgain),
      ),
    )
  const stranger = fc.boolean().map((isMined) =>
    command(`stranger(${isMined ? 'mined' : 'waits'})`, always, async (history) => {
      await useNumber(history)
      if (isMined) await mine(history, 1)
    }),
  )
  const overtaken = fc.integer({ min: 1, max: 3 }).map((depth) =>
    command(`reorg(${depth}) and stranger(mined)`, always, async (history) => {
      await reorganise(history, depth, false, false)
      await useNumber(history)
      await mine(history, 1)
    }),
  )
  const trouble = fc
    .record({ into: fc.constantFrom<Trouble>(...troubles), questions: fc.integer({ min: 1, max: 12 }) })
    .map(({ into, questions }) =>
      command(`rpc-error(${into}, ${questions})`, always, async (history) => {
        history.hadTrouble = true
        history.mood.fall(into, questions)
      }),
    )
  const clock = fc.constantFrom(0.5, 11, 20, 24 * 60, -0.5, -11, -24 * 60).map((minutes) =>
    command(`clock(${minutes} min)`, always, async (history) => {
      history.moved += minutes * minute
      history.farthest = Math.max(history.farthest, history.moved)
      history.hasJumped = true
      history.hasSlept ||= Math.abs(minutes) > 10 || Math.abs(history.moved) > 10 * minute
    }),
  )
  const password = fc.constant(command('unlock', isAlive, unlock))
  const often: [number, fc.Arbitrary<Command>][] = [
    [4, request],
    [2, press],
    [1, reject],
    [4, look],
    [3, block],
    [3, kill],
    [4, again],
    [2, reorg],
    [1, drop],
    [1, gossip],
    [5, replace],
    [1, stranger],
    [2, overtaken],
    [2, trouble],
    [1, clock],
    [1, password],
  ]
  return often.flatMap(([times, one]) => Array.from({ length: times }, () => one))
}

async function dropOne(history: History, which: number): Promise<void> {
  const hashes = signedOf(await records(history)).flatMap((one) => one.hashes)
  if (hashes.length > 0)
    await ask(history, [{ method: 'anvil_dropTransaction', params: [nth(hashes, which)] }])
}

const late = new Set(['already-mined', 'invalid-input', 'underpriced'])

async function replaceOne(
  history: History,
  wanted: Wanted,
  wish: ReplacementKind,
  isAgain: boolean,
): Promise<void> {
  const { id } = wanted.intent
  const { life, mood } = history
  const isLocked = await isLockedNow(history)
  const wasWell = mood.isWell()
  const before = await signatures(history)
  const once = isAgain ? wanted.lastAsk : undefined
  const heard = await life.ask(async (worker) => {
    const press = async () => {
      const offer = await worker.replacement(id, wish)
      return { id, wish, ...acceptReplacement(offer, replacementAt(offer, 'fast')) }
    }
    const ask = once ?? (await press())
    // May happen from here on.
    wanted.lastAsk = ask
    wanted.isCancelled ||= ask.wish === 'cancel'
    return worker.replace(ask)
  })
  if (heard !== 'dead' && 'error' in heard) {
    const { code, message } = toWalletError(heard.error)
    const isExpected =
      late.has(code) || (code === 'locked' && isLocked) || (code.startsWith('node-') && !wasWell)
    if (!isExpected) history.surprises.push(`replace: ${code}: ${message}`)
  } else if (heard !== 'dead') {
    const made = (await signatures(history)) - before
    count(history.counts, 'replacements', made)
    if (made > 1) history.surprises.push('Two signatures for one wish.')
  }
}

async function signatures(history: History): Promise<number> {
  const hashes = signedOf(await records(history)).flatMap((one) => one.hashes)
  return new Set<Hex>(hashes).size
}
