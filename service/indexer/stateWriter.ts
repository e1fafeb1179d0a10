import { BaseError } from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import { type ChainReaderOptions, createChainReader } from './chainReader.ts'
import { createMutex } from './mutex.ts'
import type { Discovered, TokenDiscovery } from './onDemand/discoverTokens.ts'
import type { Want } from './onDemand/tokenCoverage.ts'
import { createTokenQueue, type TokenQueueOptions } from './onDemand/tokenQueue.ts'
import type { Schedule } from './polling.ts'
import type { PoolState } from './poolState.ts'
import type { Update } from './update.ts'

/** Reads the chain into a state. */
export type StateWriter = {
  /**
   * Reads what has changed, unless it is not accepted. Undefined if the state is up to date. Tokens that are
   * new in the list are then read in the background.
   */
  advance(accepts?: (update: Update) => boolean): Promise<Update | undefined>
  /** Resolves when the pools of all `wants` are part of the state, with the tokens that have no code. */
  find(wants: readonly Want[]): Promise<Address[]>
  /** Undefined for a chain without a block interval. */
  schedule: Schedule | undefined
}

export type StateWriterOptions = ChainReaderOptions & { queue?: TokenQueueOptions | undefined }

/** After a failure to read newly listed tokens; doubled with each. */
const firstPauseMs = 250
const maxPauseMs = 60_000

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

  const listing = { isRunning: false, isHeld: false, failures: 0, notBefore: 0 }

  /**
   * Single-flight. Blocks are read meanwhile, unless more came than a settlement can follow. A failure is
   * tried again after a pause; until then these tokens count as unlisted.
   */
  async function addListed(): Promise<void> {
    if (listing.isRunning || performance.now() < listing.notBefore) return
    listing.isRunning = true
    const discover = () => tokens.discoverListed()
    const settle = async (found: Discovered | undefined) =>
      found === undefined || (await add(() => tokens.settle(found))) !== undefined
    try {
      const isSettled = listing.isHeld
        ? await inTurn(async () => settle(await discover()))
        : await discover().then((found) => found === undefined || inTurn(() => settle(found)))
      listing.isHeld = !isSettled
      listing.failures = 0
    } catch (error) {
      log?.warn({ fault: faultOf(error) }, 'pools of newly listed tokens cannot be read yet')
      listing.notBefore = performance.now() + Math.min(firstPauseMs * 2 ** listing.failures, maxPauseMs)
      listing.failures++
    } finally {
      listing.isRunning = false
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
    async advance(accepts = () => true) {
      const { update, isAccepted } = await inTurn(async () => {
        const update = await read()
        const isAccepted = update === undefined || accepts(update)
        if (update !== undefined && isAccepted) await adopt(update)
        return { update, isAccepted }
      })
      if (!isAccepted) return undefined
      void addListed()
      return update
    },
  }
}

/** A long message of viem's contains the RPC URL, which may hold a key. */
function faultOf(error: unknown): string {
  return error instanceof BaseError ? error.shortMessage : (error as Error).message
}
