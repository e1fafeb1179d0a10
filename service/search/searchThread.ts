import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openPoolTables } from '../snapshot/poolTables.ts'
import { createSharedStorage, maxDecodedBytes } from '../snapshot/sharedStorage.ts'
import { openSharedWords } from '../snapshot/sharedWords.ts'
import type { VersionSlot } from '../snapshot/versionSlots.ts'
import { createSearch } from './searcher.ts'
import { type ThreadInput, type ThreadRequest, type ThreadResponse, toSentRoute } from './searchMessages.ts'

/** Answers searches one after another. */
function serve(port: MessagePort, { tables, input, threads }: ThreadInput): void {
  const slots: VersionSlot[] = []
  const storage = createSharedStorage(openPoolTables(tables), slots, (version) => {
    return maxDecodedBytes(version) / threads
  })
  const search = createSearch(storage, input)
  const answer = (response: ThreadResponse) => port.postMessage(response)

  port.on('message', (message: ThreadRequest) => {
    if (message.type === 'slot') {
      const { offsets, prices } = message
      slots.push({ offsets: openSharedWords(offsets), prices: openSharedWords(prices) })
      return
    }
    const { id, version, request, options } = message
    try {
      const route = search(version, request, options)
      answer({ type: 'found', id, route: route && toSentRoute(route, storage) })
    } catch (error) {
      answer({ type: 'failed', id, fault: (error as Error).stack ?? String(error) })
    }
  })
  answer({ type: 'ready' })
}

if (parentPort !== null) serve(parentPort, workerData as ThreadInput)
