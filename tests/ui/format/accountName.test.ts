import { expect, it } from 'vitest'
import { setLocale } from '../../../src/i18n/translate.ts'
import { accountName } from '../../../src/ui/format/accountName.ts'

it('translates a default account name and keeps any other name as it is', () => {
  setLocale({ locale: 'de', table: new Map([['Account {number}', 'Konto {number}']]) })
  const names = ['Account 12', 'Account of mine', 'Savings'].map((name) => accountName({ name }))
  setLocale({})
  expect(names).toEqual(['Konto 12', 'Account of mine', 'Savings'])
  expect(accountName({ name: 'Account 3' })).toBe('Account 3')
})
