import type { PoolSnapshot } from '../pools/poolType.ts'
import { kindsWithTicks, poolCodecs, readAddress, readTicks, writeAddress, writeTicks } from './poolCodecs.ts'
import { parseHead, readText, toHead, writeText } from './poolRecord.ts'
import { readWord, type WordReader, type WordWriter, writeWord } from './wordCodec.ts'

/** Appends a pool: length, kind and number of tokens, source, address, tokens, parameters, state, ticks. */
export function packPool(out: WordWriter, { listing, state }: PoolSnapshot): void {
  const { kind, source, address, tokens, fixed } = listing
  const start = out.length
  writeWord(out, 0)
  writeWord(out, toHead(kind, tokens.length))
  writeText(out, source)
  writeAddress(out, address)
  for (const token of tokens) writeAddress(out, token)
  poolCodecs[kind].writeFixed(out, fixed)
  poolCodecs[kind].writeState(out, state)
  if (kindsWithTicks.has(kind)) writeTicks(out, (state as { ticks: [] }).ticks)
  out.words[start] = out.length - start
}

/** Reads a packed pool. Throws a RangeError if it is no pool; its values are not validated. */
export function unpackPool(from: WordReader, maxTokens: number): PoolSnapshot {
  const length = readWord(from)
  const end = from.at - 1 + length
  if (!(length > 0 && end <= from.words.length)) throw new RangeError('A pool is longer than its part.')
  const own: WordReader = { words: from.words.subarray(0, end), at: from.at }
  const { kind, tokenCount } = parseHead(readWord(own))
  if (kind === undefined || tokenCount > maxTokens) throw new RangeError('A pool has an unknown kind.')
  const source = readText(own)
  const address = readAddress(own)
  const tokens = Array.from({ length: tokenCount }, () => readAddress(own))
  const fixed = poolCodecs[kind].readFixed(own)
  const state = poolCodecs[kind].readState(own, () => readTicks(own))
  if (own.at !== end) throw new RangeError('A pool has another length than it says.')
  from.at = end
  return { listing: { kind, source, address, tokens, fixed }, state }
}
