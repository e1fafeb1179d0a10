import { wordlist as english } from '@scure/bip39/wordlists/english'
import { wordlist as french } from '@scure/bip39/wordlists/french'
import { wordlist as italian } from '@scure/bip39/wordlists/italian'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountMayHoldSecret, mayHoldSecret } from '../../src/domain/mayHoldSecret.ts'
import { isLikeRecoveryWord } from '../../src/domain/recoveryWords.ts'

const key = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const numbered = phrase
  .split(' ')
  .map((word, index) => `${index + 1}. ${word}`)
  .join('\n')

const plain = (word: string) => word.normalize('NFKD').replace(/\p{M}/gu, '')

function labelled(label: (number: number) => string): string {
  return phrase
    .split(' ')
    .map((word, index) => label(index + 1) + word)
    .join(' ')
}

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
  phrase.split(' ').slice(0, 6).join(' '),
  labelled((number) => `Word ${number}: `),
  labelled((number) => `Wort Nr. ${number}: `),
  labelled((number) => `Seed word #${number} = `),
  labelled((number) => `${number}${['st', 'nd', 'rd'][number - 1] ?? 'th'}: `),
  labelled((number) => `第${number}个: `),
  labelled((number) => `${String.fromCharCode(96 + number)}) `),
  'ábaco abdomen abeja abierto abogado abono aborto abrazo abrir abuelo abuso acabar',
  `https://rpc.example/${phrase.replaceAll(' ', '/')}`,
  `https://rpc.example/?words=${phrase.replaceAll(' ', '+')}`,
  `https://rpc.example/${phrase.replaceAll(' ', '%20')}`,
  `https://rpc.example/ ${phrase}`,
  `https://${key}`,
  `https://rpc.example/0x${key}`,
  `https://rpc.example/?private_key=${key}`,
  `https://rpc.example/ ${key}`,
  'https://rpc.example/KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
  `words: ${phrase} (paper)`,
  'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
  `xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi`,
])('detects a possible secret in %j', (text) => {
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
  'https://orbital-wider-river.arbitrum-sepolia.quiknode.pro/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567/',
  'https://legal-winner-thank-year.avalanche-mainnet.quiknode.pro/53a1b2c3/ext/bc/C/rpc/',
  `https://rpc.ankr.com/eth/${key}`,
  `wss://rpc.example/ws/${key}`,
  'https://lb.drpc.org/ogrpc?network=ethereum&dkey=AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh',
  `https://rpc.example/?apikey=${'aB3dE6gH9j'.repeat(6)}`,
  'Exchange deposit address for the joint savings account',
  'Binance deposit address joint savings account main wallet number three',
  'Pay rent from here every month, then move what remains into the cold wallet',
])('accepts ordinary form input: %j', (text) => {
  expect(mayHoldSecret(text)).toBe(false)
})

it('recognises every word of the English list and less than 3 % of other words', () => {
  expect(english.filter((word) => !isLikeRecoveryWord(word))).toEqual([])
  const others = [...spanish, ...italian, ...french].map(plain).filter((word) => !english.includes(word))
  const taken = others.filter(isLikeRecoveryWord).length
  expect(others.length).toBeGreaterThan(5_000)
  expect(taken / others.length).toBeLessThan(0.03)
})

it.each([english, spanish, italian, french])(
  'detects random phrases from the word list that starts with %s',
  (...words) => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 12, maxLength: 24 }), (phrase) => {
        expect(mayHoldSecret(phrase.join(' '))).toBe(true)
      }),
    )
  },
)

it.each(['1.5', '1,000.5 USDC', '0.1 of ether', '10 ETH'])('accepts %j as an amount', (text) => {
  expect(amountMayHoldSecret(text)).toBe(false)
})

it.each([key, phrase, 'legal winner thank'])('rejects an amount that may hold a secret: %j', (text) => {
  expect(amountMayHoldSecret(text)).toBe(true)
})
