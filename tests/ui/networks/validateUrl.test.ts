import { describe, expect, it } from 'vitest'
import { validateUrl } from '../../../src/ui/networks/validateNetwork.ts'

describe('validateUrl', () => {
  it.each(['', ' ', 'https://swap.example/api', 'http://127.0.0.1:8545', 'http://localhost:1'])(
    'accepts %j',
    (text) => {
      expect(validateUrl(text)).toBeUndefined()
    },
  )

  it.each([
    ['swap.example', 'Enter a valid URL'],
    ['http://swap.example', 'only allowed for this computer'],
    ['http://127.0.0.1.example', 'only allowed for this computer'],
    ['ftp://swap.example', 'must start with https'],
    ['javascript:alert(1)', 'must start with https'],
    ['https://me:secret@swap.example', 'username and password'],
  ])('rejects %j: %s', (text, why) => {
    expect(validateUrl(text)).toContain(why)
  })
})
