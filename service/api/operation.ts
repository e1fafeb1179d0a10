import type { z } from 'zod'
import type { ServiceCode } from '../errors.ts'

/** An operation of an API version. */
export type Operation<Query extends z.ZodObject = z.ZodObject, Answer extends z.ZodType = z.ZodType> = {
  id: string
  /** Below version and chain, with segments in braces. */
  path: string
  tag: 'Swap' | 'Approve' | 'Info'
  summary: string
  /** CommonMark: paragraphs and code. */
  description: string
  query: Query
  segments?: Record<string, string>
  answer: Answer
  /** Errors beyond those of every operation. */
  refusals: readonly ServiceCode[]
  /** Descriptions by name. */
  headers?: Record<string, string>
  /** Public cache lifetime in seconds. */
  maxAge?: number
}

export type Version = {
  /** First path segment. */
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
