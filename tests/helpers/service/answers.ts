import { expect } from 'vitest'
import type { Operation } from '../../../service/api/operation.ts'
import { errorResponse } from '../../../service/api/responses.ts'
import { versions } from '../../../service/api/versions.ts'

/** Fails unless a body matches its operation's schema and an error code is one it documents. */
export function checkAnswer(path: string, status: number, body: unknown): void {
  const operation = findOperation(path)
  if (operation === undefined || body === undefined) return
  const shape = status === 200 ? operation.answer : errorResponse
  expect(shape.safeParse(body).error?.issues ?? []).toEqual([])
  if (status === 400) expect(operation.refusals).toContain((body as { code: string }).code)
}

function findOperation(path: string): Operation | undefined {
  const [place = ''] = path.split('?')
  const version = versions.find(({ label }) => place.startsWith(`/${label}/`))
  const [, ...given] = place.slice((version?.label.length ?? 0) + 2).split('/')
  return version?.operations.find((operation) => {
    const segments = operation.path.split('/').slice(1)
    return (
      segments.length === given.length &&
      segments.every((segment, i) => segment.startsWith('{') || segment === given[i])
    )
  })
}
