import type { z } from 'zod'
import type { ServiceCode } from '../errors.ts'

/** One thing that can be asked of a version of the interface: what is needed to serve it, and to describe it. */
export type Operation<Query extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> = {
  id: string
  /** Below version and chain, with segments in braces. */
  path: string
  tag: 'Swap' | 'Approve' | 'Info'
  summary: string
  /** CommonMark: paragraphs and code. */
  description: string
  query: Query
  /** What the segments of the path stand for. */
  segments?: Record<string, string>
  answer: Answer
  /** What it may be refused with, beside what any request may be. */
  refusals: readonly ServiceCode[]
  /** Headers of the answer, and what they say. */
  headers?: Record<string, string>
  /** Seconds for which anybody may keep the answer; absent where nothing is said. */
  maxAge?: number
}

export type Version = {
  /** The first segment of the path. */
  label: string
  title: string
  description: string
  operations: readonly Operation[]
}

export function operation<Query extends z.ZodObject, Answer extends z.ZodType>(
  facts: Operation<Query, Answer>,
): Operation<Query, Answer> {
  return facts
}
