import * as v from 'valibot'
import { type Hex, sha256 } from './bytes.ts'

/** Length and SHA-256 distinguish corruption from a wrong password; tampering is the cipher's concern. */
export type Copy = { text: string; length: number; sha256: Hex }

export async function toCopy(record: object): Promise<Copy> {
  const text = JSON.stringify(record)
  return { text, length: text.length, sha256: await sha256(text) }
}

/** Returns `undefined` if corrupt. */
export async function fromCopy(value: unknown): Promise<unknown> {
  if (!v.is(copyShape, value) || value.length !== value.text.length) return undefined
  if (value.sha256 !== (await sha256(value.text))) return undefined
  try {
    return JSON.parse(value.text)
  } catch {
    return undefined
  }
}

export function isSameCopy(one: Copy, other: unknown): boolean {
  if (!v.is(copyShape, other)) return false
  return other.text === one.text && other.length === one.length && other.sha256 === one.sha256
}

const copyShape = v.object({
  text: v.string(),
  length: v.pipe(v.number(), v.safeInteger()),
  sha256: v.string(),
})
