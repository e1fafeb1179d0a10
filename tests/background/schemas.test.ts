import { describe, expect, it } from 'vitest'
import { parse, terms } from '../../src/background/schemas.ts'

describe('permission schema', () => {
  const read = (permission: unknown) => parse(terms.permission, permission, 'permission')

  it('keeps the unlimited flag of a permit', () => {
    expect(read({ via: 'permit', isUnlimited: true })).toEqual({ via: 'permit', isUnlimited: true })
    expect(read({ via: 'permit' })).toEqual({ via: 'permit' })
  })

  it('rejects any other value of the unlimited flag', () => {
    for (const isUnlimited of [false, 'true', undefined])
      expect(() => read({ via: 'permit', isUnlimited })).toThrow(
        expect.objectContaining({ code: 'invalid-input' }),
      )
  })
})
