import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, it } from 'vitest'
import { commonPasswords } from '../../src/vault/commonPasswords.ts'

it('is the first 10,000 of the published list, and all the others that are long enough to be tried', () => {
  const published = dictionary['passwords-common'] as string[]
  const chosen = published.filter((word, rank) => rank < 10_000 || word.length >= 10)
  expect(commonPasswords.split(' ')).toEqual(chosen)
})
