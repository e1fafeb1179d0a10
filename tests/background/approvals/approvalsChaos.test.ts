import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Requester } from '../../../src/background/approvals/store.ts'
import type { Approval, DappRequest, Decision } from '../../../src/domain/dapp/approval.ts'
import { encode } from '../../../src/domain/json.ts'
import { WalletError } from '../../../src/errors.ts'
import { slow } from '../../helpers/slow.ts'
import {
  account,
  connect,
  createBrowser,
  follow,
  from,
  intent,
  minute,
  settled,
  sign,
  swap,
} from './approvalStage.ts'

slow('The worker is stopped, or its node lies, again and again.')

let browser: ReturnType<typeof createBrowser>
let worker: ReturnType<ReturnType<typeof createBrowser>['start']>

type Move =
  | { act: 'ask'; document: number; ask: DappRequest }
  | { act: 'ask again' | 'approve' | 'approve in vain' | 'reject'; which: number }
  | { act: 'kill' | 'expire' | 'close' | 'reject all' }
  | { act: 'withdraw' | 'disconnect'; document: number }

const which = fc.nat({ max: 9 })
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('ask' as const),
      document: fc.nat({ max: 5 }),
      ask: fc.constantFrom(sign, sign, connect, swap),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('ask again' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constantFrom('approve' as const, 'approve in vain' as const, 'reject' as const),
      which,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom(
        'kill' as const,
        'kill' as const,
        'expire' as const,
        'close' as const,
        'reject all' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constantFrom('withdraw' as const, 'withdraw' as const, 'disconnect' as const),
      document: fc.nat({ max: 5 }),
    }),
  },
)

describe('approvals under random events', () => {
  it('answers each request once, in order, in one window, and executes it at most once', async () => {
    const history = fc.array(fc.record({ move, turns: fc.nat({ max: 12 }) }), { minLength: 5, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(history, async (moments) => {
        browser = createBrowser()
        worker = browser.start()
        type Request = { asker: Requester; ask: DappRequest; mark: string; answers: unknown[][] }
        const requests: Request[] = []
        let living: { answers: unknown[] }[] = []
        const errors: unknown[] = []
        const performed: string[] = []
        const marks: string[] = []
        let isVain = false
        browser.perform = async ({ id, ask }, decision) => {
          if (!browser.effects.includes(id) && isVain) throw new WalletError('locked', 'The vault is locked.')
          if (!browser.effects.includes(id)) {
            browser.effects.push(id)
            performed.push(id)
            marks.push(encode(ask))
          }
          return `${decision.kind} ${id}`
        }
        const send = (request: Request) => {
          const seen = follow(worker.ask(request.asker, request.ask, { chainId: 1 }))
          request.answers.push(seen.answers)
          living.push(seen)
        }
        const user = (act: (open: Approval[]) => Promise<unknown>) => {
          // Being too late is the only error allowed.
          worker
            .list()
            .then(act)
            .catch((error) => {
              if (!['invalid-input', 'locked'].includes(error.code)) errors.push(error)
            })
        }
        const pick = (open: Approval[], index: number) => open[index % open.length]
        const yesTo = ({ ask: { kind } }: Approval): Decision =>
          kind === 'connect'
            ? { kind, accounts: [account], chainId: 1 }
            : kind === 'swap'
              ? { kind, intent }
              : { kind: 'sign-message' }

        for (const { move, turns } of moments) {
          if (move.act === 'ask') {
            const { document } = move
            // Two documents share a tab, two tabs a site.
            const asker = from({
              documentId: `d${document}`,
              tabId: document >> 1,
              origin: `https://${document >> 2}.example`,
            })
            const ask = marked(move.ask, requests.length)
            requests.push({ asker, ask, mark: encode(ask), answers: [] })
            send(requests.at(-1)!)
          } else if (move.act === 'ask again') {
            const request = requests[move.which % requests.length]
            if (request !== undefined) send(request)
          } else if (move.act === 'approve' || move.act === 'approve in vain') {
            isVain = move.act === 'approve in vain'
            user(async (open) => {
              const one = pick(open, move.which)
              if (one !== undefined) await worker.approve(one.id, yesTo(one))
            })
          } else if (move.act === 'reject') {
            user(async (open) => {
              const one = pick(open, move.which)
              if (one !== undefined) await worker.reject(one.id)
            })
          } else if (move.act === 'reject all') user(() => worker.rejectAll())
          else if (move.act === 'kill') {
            for (const { answers } of living) expect(answers.length).toBeLessThanOrEqual(1)
            living = []
            worker = browser.start()
          } else if (move.act === 'expire') {
            browser.clock.ms += 4 * minute
            user(() => worker.expire())
          } else if (move.act === 'close') {
            const [popup] = browser.desktop.popups()
            if (popup !== undefined) browser.desktop.close(popup.id)
          } else if (move.act === 'withdraw') user(() => worker.withdraw(`d${move.document}`))
          else if (move.act === 'disconnect') {
            user(() => worker.withdrawSite(`https://${move.document >> 2}.example`))
          }

          for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
          expect(browser.desktop.popups().length).toBeLessThanOrEqual(1)
        }

        await settled()
        const open = await worker.list()
        const order = open
          .map(({ ask }) => requests.findIndex(({ mark }) => mark === encode(ask)))
          .filter((index) => requests[index]!.answers.length === 1)
        expect(order).toEqual([...order].sort((one, other) => one - other))
        expect(browser.desktop.badge).toBe(open.length === 0 ? '' : String(open.length))
        browser.clock.ms += 10 * minute
        await worker.expire()
        await settled()
        expect(await worker.list()).toEqual([])
        for (const { answers } of living) expect(answers).toHaveLength(1)
        expect(errors).toEqual([])
        expect(new Set(performed).size).toBe(performed.length)
        // Answers are kept for ten minutes.
        const isBrief = moments.filter(({ move }) => move.act === 'expire').length <= 2
        for (const { answers, mark } of requests) {
          const ends = answers.flat().filter((end) => end !== 'throttled' && end !== 'request-open')
          // Executed requests never expire.
          const different = new Set(isBrief ? ends : ends.filter((end) => end !== 'expired'))
          if (isBrief) expect(different.size).toBeLessThanOrEqual(1)
          for (const end of different) {
            const isRefused = ['rejected', 'closed', 'withdrawn', 'disconnected', 'expired'].includes(
              String(end),
            )
            if (isRefused && isBrief) expect(marks).not.toContain(mark)
            if (!isRefused) expect(performed).toContain(String(end).split(' ')[1])
          }
        }
      }),
      { numRuns: 500, endOnFailure: true },
    )
  })
})

function marked(ask: DappRequest, index: number): DappRequest {
  const hex = index.toString(16).padStart(40, '0')
  if (ask.kind === 'connect') return { ...ask, accounts: [`0x${hex}`] }
  if (ask.kind === 'swap') return { ...ask, request: { ...ask.request, id: hex } }
  return { kind: 'sign-message', account, message: `0x${hex}` }
}
