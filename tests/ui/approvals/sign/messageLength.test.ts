import { expect, it } from 'vitest'
import { formatLength } from '../../../../src/ui/approvals/sign/SignMessageRequest.tsx'

it('tells the length of a message only if its end may be out of view', () => {
  expect(formatLength('See you at the harbour.')).toBeUndefined()
  expect(formatLength(Array(12).fill('a line').join('\n'))).toBeUndefined()
  expect(formatLength(Array(13).fill('a line').join('\n'))).toBe('13 lines, 90 characters')
  expect(formatLength('é'.repeat(401))).toBe('401 characters')
})

it('counts a character outside of the basic plane once', () => {
  expect(formatLength('🙂'.repeat(400))).toBeUndefined()
  expect(formatLength('🙂'.repeat(401))).toBe('401 characters')
})
