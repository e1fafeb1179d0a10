import { expect, it } from 'vitest'
import { mayHoldSecret } from '../../src/domain/mayHoldSecret.ts'

const key = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const numbered = phrase
  .split(' ')
  .map((word, index) => `${index + 1}. ${word}`)
  .join('\n')

it.each([
  key,
  `0x${key}`,
  `my key: ${key}!`,
  key.toUpperCase(),
  (key.match(/.{8}/g) ?? []).join(' '),
  `${key.slice(0, 30)}\u200b${key.slice(30)}`,
  `"ciphertext":"${key}"`,
  phrase,
  phrase.toUpperCase(),
  numbered,
  phrase.replaceAll(' ', '-'),
  `• ${phrase.replaceAll(' ', '\n• ')}`,
  phrase.split(' ').slice(0, 8).join(' '),
  `words: ${phrase} (paper)`,
  'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
  `xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi`,
])('tells a text that may hold a secret: %j', (text) => {
  expect(mayHoldSecret(text)).toBe(true)
})

it.each([
  '',
  'Bob',
  '0x2222222222222222222222222222222222222222',
  'eip155:1:0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
  '0x2222222222222222222222222222222222222222, 0x3333333333333333333333333333333333333333',
  'https://mainnet.infura.io/v3/0123456789abcdef0123456789abcdef',
  'This is my friend from the gym, who owes me for the dinner of last week',
  'vitalik.eth',
  '1,000.5',
])('lets pass what is typed into forms: %j', (text) => {
  expect(mayHoldSecret(text)).toBe(false)
})
