import { describe, expect, it } from 'vitest'
import { parse, terms } from '../../src/background/schemas.ts'

describe('a permission from outside', () => {
  const read = (permission: unknown) => parse(terms.permission, permission, 'permission')

  it('keeps that a permit for all or nothing was agreed to', () => {
    expect(read({ via: 'permit', isUnlimited: true })).toEqual({ via: 'permit', isUnlimited: true })
    expect(read({ via: 'permit' })).toEqual({ via: 'permit' })
  })

  it('is refused when it says that in another way', () => {
    for (const isUnlimited of [false, 'true', undefined])
      expect(() => read({ via: 'permit', isUnlimited })).toThrow(
        expect.objectContaining({ code: 'invalid-input' }),
      )
  })
})
