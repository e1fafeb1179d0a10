import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { useStage } from '../../helpers/background/worker.ts'
import { figure } from '../../helpers/figures.ts'
import { isTorture, runs } from '../../helpers/runs.ts'
import { slow } from '../../helpers/slow.ts'
import { finish } from './machine/checks.ts'
import { commands, type Model } from './machine/commands.ts'
import { type Counts, confirmations, count, createHistory } from './machine/history.ts'

slow('The worker is stopped, or its node lies, again and again.')

// Model of docs/security/journal.md: each confirmed request is on chain at most once and ends as
// reported. Replay a failure with `MACHINE='{"seed":…,"path":"…","replayPath":"…"}' npx vitest run …`.

const stage = useStage(confirmations)
const replay = JSON.parse(process.env.MACHINE ?? '{}') as {
  seed?: number
  path?: string
  replayPath?: string
}
const { replayPath, ...parameters } = replay
const counts: Counts = new Map()

describe('journal: model-based test', () => {
  afterAll(() => stage.startMining?.())

  it('executes each confirmed request at most once and reports its outcome correctly in random histories', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.commands(commands(), { maxCommands: 40, size: 'max', ...(replayPath && { replayPath }) }),
        async (history) => {
          let real: Awaited<ReturnType<typeof createHistory>> | undefined
          await fc.asyncModelRun(async () => {
            real = await createHistory(stage, counts)
            count(counts, 'runs')
            return { model: { isAlive: true, wanted: 0 } as Model, real }
          }, history)
          if (real !== undefined) await finish(real)
        },
      ),
      { numRuns: runs(12, 300), ...parameters },
    )
    const of = (what: string) => counts.get(what) ?? 0
    if (isTorture) {
      console.log(Object.fromEntries(counts))
      // A replay need not contain all.
      const happened = ['kills', 'reorgs', 'strangers', 'replacements']
      if (replayPath === undefined) expect(happened.filter((what) => of(what) === 0)).toEqual([])
    }
    figure(
      '63–67',
      `the model: ${of('runs')} histories, ${of('commands')} commands, ${of('kills')} kills, ${of('reorgs')} reorganisations, ${of('strangers')} transactions of strangers, ${of('lost behind the last step')} of ours lost behind a later one: 0 sent twice, 0 lost, 0 told wrongly`,
    )
  }, 1_200_000)
})
