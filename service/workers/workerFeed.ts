import type { Feed } from '../indexer/nodeFeed.ts'
import type { Check } from '../indexer/polling.ts'
import type { Update } from '../indexer/update.ts'
import type { IpcRpc } from './ipcRpc.ts'
import type { PrimaryApi } from './protocol.ts'

/** A worker's feed. */
export type WorkerFeed = Feed & {
  update(update: Update): void
  /** Resolves when earlier updates were taken. */
  check(check: Check): Promise<void>
}

/** Creates a worker's feed; requests the full state after a gap. */
export function createWorkerFeed(
  primary: Pick<IpcRpc<Pick<PrimaryApi, 'join' | 'refresh'>>, 'ask'>,
): WorkerFeed {
  let take: (update: Update) => Promise<void> = async () => undefined
  let check: Check = { at: undefined, everyMs: 0 }
  let at: string | undefined
  let last = Promise.resolve()
  let isLost = false

  async function takeNext(update: Update): Promise<void> {
    if (update.after !== undefined && update.after !== at) return askForAll()
    await take(update)
    at = update.block.hash
    isLost = false
  }

  function askForAll(): void {
    // This process ends too.
    if (!isLost) primary.ask('join').catch(() => undefined)
    isLost = true
  }

  return {
    async start(given) {
      take = given
      await primary.ask('join')
      await last
    },
    async refresh() {
      await primary.ask('refresh')
      await last
    },
    checked: () => (at === undefined ? { ...check, at } : check),
    async stop() {},
    update(update) {
      last = last.then(() => takeNext(update)).catch(askForAll)
    },
    check(given) {
      check = given
      return last
    },
  }
}
