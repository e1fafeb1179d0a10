import { mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address, ChainConfig } from '../config.ts'
import type { Log } from '../log.ts'
import { wantedTokens } from './poolDiscovery.ts'
import type { PoolState } from './poolState.ts'
import { configHash, maxPackedBytes, readSnapshot, writeSnapshot } from './snapshotCodec.ts'
import type { TokenUpdate } from './update.ts'

/** Pools on disk, so that a restart reads only changes. */
export type SnapshotFile = {
  /** Logs and ignores an unusable file. */
  load(): Promise<void>
  start(): void
  /** Saves a last time. */
  stop(): Promise<void>
}

export type SnapshotFileOptions = { log?: Log | undefined; everyMs?: number }

export function createSnapshotFile(
  folder: string,
  config: ChainConfig,
  ledger: PoolState,
  { log, everyMs = 60_000 }: SnapshotFileOptions = {},
): SnapshotFile {
  const file = join(folder, `${config.chainId}.pools`)
  const mark = configHash(config)
  /** Version of the pools. */
  let kept: number | undefined
  let writing = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function load(): Promise<void> {
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (found === undefined) return
    if (!found.isFile() || found.size > maxPackedBytes) {
      throw new Error(`It is no file of at most ${maxPackedBytes} bytes.`)
    }
    const { tokens, ...update } = await readSnapshot(await readFile(file), mark)
    const known = tokens && relist(config, tokens)
    await ledger.adopt(known ? { ...update, tokens: known } : update)
    const { size: pools, id } = ledger.store.version()
    kept = id
    log?.info({ file, block: Number(update.block.number), pools }, 'pools were kept')
  }

  /** Written to a draft first, so the file is always complete. */
  async function write(): Promise<void> {
    const { id } = ledger.store.version()
    if (ledger.block() === undefined || id === kept) return
    await mkdir(folder, { recursive: true })
    const draft = await open(`${file}.draft`, 'w')
    const whole = ledger.stream()
    if (whole === undefined) return draft.close()
    await writeSnapshot(draft, whole, mark).finally(() => draft.close())
    await rename(`${file}.draft`, file)
    kept = id
  }

  function keep(): Promise<void> {
    writing = writing.then(write).catch((error: Error) => {
      log?.warn({ file, fault: error.message }, 'the pools cannot be kept')
    })
    return writing
  }

  return {
    load: () =>
      load().catch((error: Error) => {
        log?.warn(
          { file, fault: error.message },
          'the pools that were kept cannot be used: all are read anew',
        )
      }),
    start() {
      timer = setInterval(keep, everyMs).unref()
    },
    stop() {
      clearInterval(timer)
      return keep()
    },
  }
}

/** Tokens that are no longer listed count as unlisted ones that were found. */
function relist(config: ChainConfig, { listed = [], found = [], ...rest }: TokenUpdate): TokenUpdate {
  const wanted = wantedTokens(config) ?? new Set()
  const isListed = (token: Address) => wanted.has(token)
  const others = listed.filter((token) => !isListed(token))
  return { ...rest, listed: listed.filter(isListed), found: [...others, ...found] }
}
