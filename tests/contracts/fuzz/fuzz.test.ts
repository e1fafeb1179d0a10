import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'
import { openStage, patience, type Stage } from '../stage.ts'
import { balancer, branchesOf, converter, curve, partialFill, unwrap, v2, v3, wrap } from './ask.ts'
import { type Gauntlet, type Outcome, openGauntlet, type Step } from './gauntlet.ts'
import { arbitrarySteps } from './steps.ts'

slow('A chain runs.')

let stage: Stage
let gauntlet: Gauntlet
beforeAll(async () => {
  stage = await openStage()
  gauntlet = await openGauntlet(stage)
}, patience)
afterAll(() => stage.stop())

const sequences = runs(40, 200)
const steps = 50

describe('random swaps with malicious tokens, pools, recipients and referrers', () => {
  it("moves only the caller's funds", async () => {
    const seen = { swaps: 0, done: 0, partly: 0, tries: 0n, hits: 0n, kinds: new Set<number>() }
    await fc.assert(
      fc.asyncProperty(arbitrarySteps(gauntlet, steps), async (sequence) => {
        const outcomes = await gauntlet.run(sequence)
        for (const [index, outcome] of outcomes.entries()) {
          const step = sequence[index]!
          expect(outcome.breach.what, `of ${outcome.breach.token} in step ${index}`).toBe('')
          seen.swaps++
          if (outcome.done) look(step, outcome)
        }
      }),
      // Stops shrinking in time to report.
      { numRuns: sequences, seed: 1, interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
    )
    // Otherwise the run proves little.
    console.log('Of %i swaps %i went through, %i in part; %i moves, %i of them done.', ...counts())
    expect(seen.swaps).toBe(sequences * steps)
    expect(seen.done).toBeGreaterThan(seen.swaps / 4)
    expect(seen.partly).toBeGreaterThan(seen.swaps / 100)
    expect(Number(seen.tries)).toBeGreaterThan(seen.swaps / 10)
    expect(Number(seen.hits)).toBeGreaterThan(seen.swaps / 100)
    expect([...seen.kinds]).toEqual(
      expect.arrayContaining([wrap, unwrap, v2, v3, balancer, curve, converter]),
    )

    function look({ ask }: Step, { answer, tries, hits }: Outcome) {
      const { returned, spent } = stage.decodeSwap(answer)
      const { amount, least = 0n, flags = 0n } = ask
      const isPartial = (flags & partialFill) > 0n
      expect(spent).toBeLessThanOrEqual(amount)
      if (isPartial) expect(returned * amount).toBeGreaterThanOrEqual(least * spent)
      else expect(returned).toBeGreaterThanOrEqual(least)
      seen.done++
      if (isPartial && spent < amount) seen.partly++
      seen.tries += tries
      seen.hits += hits
      // The hops of a partial fill are unknown.
      if (isPartial) return
      for (const { hops } of branchesOf(ask)) for (const { kind } of hops) seen.kinds.add(kind)
    }

    function counts() {
      return [seen.swaps, seen.done, seen.partly, seen.tries, seen.hits].map(Number)
    }
  }, 600_000)
})
