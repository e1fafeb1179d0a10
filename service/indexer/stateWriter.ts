import { BaseError } from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import { type ChainReaderOptions, createChainReader } from './chainReader.ts'
import { createMutex } from './mutex.ts'
import type { TokenDiscovery } from './onDemand/discoverTokens.ts'
import type { Want } from './onDemand/tokenCoverage.ts'
import { createTokenQueue, type TokenQueueOptions } from './onDemand/tokenQueue.ts'
import type { Schedule } from './polling.ts'
import type { PoolState } from './poolState.ts'
import type { Update } from './update.ts'

/** Reads the chain into a state. */
export type StateWriter = {
  /**
   * Reads what has changed, unless it is not accepted, then tokens that are new in the list. Undefined if the
   * state is up to date.
   */
  advance(accepts?: (update: Update) => boolean): Promise<Update | undefined>
  /** Resolves when the pools of all `wants` are part of the state, with the tokens that have no code. */
  find(wants: readonly Want[]): Promise<Address[]>
  /** Undefined for a chain without a block interval. */
  schedule: Schedule | undefined
}

export type StateWriterOptions = ChainReaderOptions & { queue?: TokenQueueOptions | undefined }

/** Creates a writer of `state`; `adopt` applies an update. */
export function createStateWriter(
  config: ChainConfig,
  rpcUrl: string,
  state: PoolState,
  adopt: (update: Update) => Promise<void>,
  options: StateWriterOptions,
): StateWriter {
  const { log, queue } = options
  const { read, schedule, tokens } = createChainReader(config, rpcUrl, state, options)
  const inTurn = createMutex()

  async function add(settle: () => Promise<Update | undefined>): Promise<Update | undefined> {
    const update = await settle()
    if (update !== undefined) await adopt(update)
    return update
  }

  /** A failure is tried again with the next block; until then these tokens count as unlisted. */
  async function addListed(): Promise<void> {
    try {
      const found = await tokens.discoverListed()
      if (found !== undefined) await add(() => tokens.settle(found))
    } catch (error) {
      log?.warn({ fault: faultOf(error) }, 'pools of newly listed tokens cannot be read yet')
    }
  }

  let lastFault: string | undefined

  /** Logs a failure once per reason. */
  const discover: TokenDiscovery['discover'] = async (wants) => {
    try {
      const found = await tokens.discover(wants)
      lastFault = undefined
      return found
    } catch (error) {
      const fault = faultOf(error)
      if (fault !== lastFault) log?.warn({ fault }, 'pools of unlisted tokens cannot be read')
      lastFault = fault
      throw error
    }
  }

  const discovery = { discover, settle: tokens.settle }
  const { find } = createTokenQueue(discovery, state.coverage, (settle) => inTurn(() => add(settle)), queue)

  return {
    schedule,
    find,
    advance: (accepts = () => true) =>
      inTurn(async () => {
        const update = await read()
        if (update !== undefined && !accepts(update)) return undefined
        if (update !== undefined) await adopt(update)
        await addListed()
        return update
      }),
  }
}

/** A long message of viem's contains the RPC URL, which may hold a key. */
function faultOf(error: unknown): string {
  return error instanceof BaseError ? error.shortMessage : (error as Error).message
}
