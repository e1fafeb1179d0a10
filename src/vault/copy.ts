import * as z from 'zod/mini'
import { type Hex, sha256 } from './bytes.ts'

/**
 * A record as it is written: its text, with a length and a SHA-256 that tell rot and torn writes from a wrong password. They are
 * no defence against somebody who writes: that is the cipher's tag.
 */
export type Copy = { text: string; length: number; sha256: Hex }

export async function toCopy(record: object): Promise<Copy> {
  const text = JSON.stringify(record)
  return { text, length: text.length, sha256: await sha256(text) }
}

/** The record inside a stored copy, or `undefined` when it is not whole. */
export async function fromCopy(value: unknown): Promise<unknown> {
  const { data: copy } = copyShape.safeParse(value)
  if (copy === undefined || copy.length !== copy.text.length) return undefined
  if (copy.sha256 !== (await sha256(copy.text))) return undefined
  try {
    return JSON.parse(copy.text)
  } catch {
    return undefined
  }
}

export function isSameCopy(one: Copy, other: unknown): boolean {
  const { data: copy } = copyShape.safeParse(other)
  return copy?.text === one.text && copy.length === one.length && copy.sha256 === one.sha256
}

const copyShape = z.object({ text: z.string(), length: z.int(), sha256: z.string() })
