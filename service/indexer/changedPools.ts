import type { Address, ChainConfig, PoolKind } from '../config.ts'
import type { PoolInfo, PoolReadRequest, PoolSnapshot } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'
import { toLowerAddress } from './address.ts'
import type { Log } from './chain.ts'
import type { PoolState } from './poolState.ts'

type ReadLedger = Pick<PoolState, 'standing' | 'restless' | 'isManager'> & { all(): Iterable<PoolSnapshot> }

/** Returns the pools that `logs` change, and restless ones. Other contracts emit the same events. */
export function changed(config: ChainConfig, ledger: ReadLedger, logs: readonly Log[]): PoolReadRequest[] {
  const readings = new Map<Address, PoolReadRequest & { logs: Log[] }>()
  const readingOf = ({ listing, state }: PoolSnapshot) => {
    const reading = readings.get(listing.address) ?? { listing, before: state, logs: [] }
    readings.set(listing.address, reading)
    return reading
  }
  const readStanding = (address: Address, log: Log) => {
    const standing = ledger.standing(address)
    return standing && isAbout(standing.listing, log) ? readingOf(standing) : undefined
  }
  for (const log of logs) {
    // Kinds may share an event.
    for (const address of speakers(log)) {
      // Decoded once for all logs of a pool.
      const known = readings.get(address)
      const reading = known && isAbout(known.listing, log) ? known : readStanding(address, log)
      reading?.logs.push(log)
      if (reading) break
    }
    for (const made of madeBy(config, ledger, log)) readingOf(made).logs.push(log)
  }
  for (const standing of ledger.restless()) readingOf(standing)
  return [...readings.values()]
}

/**
 * Pools of a configured factory, of the v3 vault or of a manager, if the log is about all of them. Reads
 * every pool: rare.
 */
function* madeBy({ factories, vaultV3 }: ChainConfig, ledger: ReadLedger, log: Log): Generator<PoolSnapshot> {
  const speaker = toLowerAddress(log.address)
  const own = factories.filter(({ address }) => address === speaker || speaker === vaultV3)
  const named = ledger.isManager(speaker) ? managedKinds : own.map(({ kind }) => kind)
  const kinds = new Set(named.filter((kind) => isAboutAll(kind, speaker, log)))
  if (kinds.size === 0) return
  for (const standing of ledger.all()) {
    const { listing, state } = standing
    const { factoryOf, managerOf } = poolTypes[listing.kind]
    const isOwn = factoryOf?.(listing) === speaker || managerOf?.(state) === speaker
    if (isOwn && kinds.has(listing.kind)) yield standing
  }
}

const allKinds = Object.keys(poolTypes) as PoolKind[]
const managedKinds = allKinds.filter((kind) => poolTypes[kind].managerOf !== undefined)

function isAboutAll(kind: PoolKind, speaker: Address, log: Log): boolean {
  const { factoryOf, poolOf } = poolTypes[kind]
  return factoryOf !== undefined && isChange(kind, log) && poolOf(log) === speaker
}

function isChange(kind: PoolKind, log: Log): boolean {
  return poolTypes[kind].changes.some(({ name }) => name === log.eventName)
}

/** A contract can emit another kind's event that names a pool. */
function isAbout({ kind, address }: PoolInfo, log: Log): boolean {
  return poolTypes[kind].poolOf(log) === address
}

function speakers(log: Log): Address[] {
  const ofEvent = allKinds.filter((kind) => isChange(kind, log)).map((kind) => poolTypes[kind])
  return [...new Set(ofEvent.map(({ poolOf }) => poolOf(log)))]
}
