import { describe, expect, it } from 'vitest'
import { validateUrl } from '../../../src/ui/networks/validateUrl.ts'

describe('a typed URL', () => {
  it.each(['', ' ', 'https://swap.example/api', 'http://127.0.0.1:8545', 'http://localhost:1'])(
    '%j can be used',
    (text) => {
      expect(validateUrl(text)).toBeUndefined()
    },
  )

  it.each([
    ['swap.example', 'Not a URL'],
    ['http://swap.example', 'only this computer'],
    ['http://127.0.0.1.example', 'only this computer'],
    ['ftp://swap.example', 'Start with https'],
    ['javascript:alert(1)', 'Start with https'],
    ['https://me:secret@swap.example', 'names and passwords'],
  ])('%j is refused: %s', (text, why) => {
    expect(validateUrl(text)).toContain(why)
  })
})
